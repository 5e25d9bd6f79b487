package io.sedge.replication.internal;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.MemberOptions;
import io.sedge.replication.internal.Reports.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.RaftRetryFailureException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * Brings what this member has to say to the leader, which may be this member itself: commands
 * through the log, what devices tell past it, and changes of who belongs. Commands and what is told
 * are sent again until somebody has answered.
 *
 * <p>Any thread may submit, tell and ask.
 */
final class LeaderClient {
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final long LOCAL_TIMEOUT_MILLIS = 3_000;

  /** For so long a commit waits for those of other tasks, which are made at the same moments. */
  private static final Duration COMMIT_PATIENCE = Duration.ofMillis(20);

  /** For so long acknowledgements of rows wait for a commit to go with; they only make room. */
  private static final Duration ROOM_PATIENCE = Duration.ofMillis(2_500);

  /** For so long measures wait for a report to go with. */
  private static final Duration MEASURE_PATIENCE = Duration.ofMillis(250);

  /** What devices tell and is not sent yet, at most; what was told before is said better later. */
  private static final int TELLING_BYTES = Settings.ENTRY_BYTES;

  private final String self;
  private final Present member;
  private final Reports reports;
  private final Remote remote;
  private final Sender sender;

  /** What this device tells goes past the log, and its commits. */
  private final Remote tellingRemote;

  private final Sender telling;

  /** How often something was not answered. */
  private final AtomicInteger turn = new AtomicInteger();

  LeaderClient(Identity identity, MemberOptions options, Present member, Reports reports) {
    this.self = identity.id();
    this.member = member;
    this.reports = reports;
    RaftGroupId group = RaftGroupId.valueOf(identity.site());
    this.remote = new Remote(group, options);
    this.sender =
        new Sender(
            envelope -> repeat(() -> tryToDeliver(message(envelope))),
            options.outstandingBytes(),
            ROOM_PATIENCE,
            self);
    this.tellingRemote = new Remote(group, options);
    this.telling =
        new Sender(
            envelope -> repeat(() -> tryToTell(envelope)),
            TELLING_BYTES,
            MEASURE_PATIENCE,
            self + "-telling");
  }

  void start() {
    sender.start();
    telling.start();
  }

  CompletableFuture<Answer> submit(Command command) {
    return command instanceof Command.Commit
        ? sender.submit(command, COMMIT_PATIENCE.toNanos())
        : sender.submit(command);
  }

  CompletableFuture<Answer> tell(Command command) {
    return telling.submit(command);
  }

  /**
   * Asks for something past the log, again and again until the time is over.
   *
   * @param what for the message of what goes wrong
   * @throws LedgerException if this member belongs to no site yet, or nobody has done it
   */
  void ask(Remote.Call call, String what, Duration timeout) throws LedgerException {
    LocalServer local = member.server();
    Collection<RaftPeer> voters = local.peers(RaftPeerRole.FOLLOWER);
    if (voters.isEmpty()) {
      throw new LedgerException(what + ": this member has not been added to a site yet");
    }
    try {
      RaftClientReply reply = remote.ask(call, voters, local.leader(), timeout);
      if (!reply.isSuccess()) {
        throw new LedgerException("%s: %s".formatted(what, reply.getException()));
      }
    } catch (RaftRetryFailureException e) {
      throw new LedgerException(
          what + ": not done in time, as too few members that vote answer or follow the log", e);
    } catch (IOException e) {
      throw new LedgerException("%s: %s".formatted(what, e), e);
    }
  }

  /** Answers what waits; the member is closing, and its server has ended. */
  void close() throws InterruptedException {
    sender.close();
    telling.close();
    remote.close();
    tellingRemote.close();
  }

  /** One attempt to have something answered. */
  private interface Attempt {
    /** Null if it is to be made again. */
    @Nullable Answers make() throws InterruptedException;
  }

  private @Nullable Answers repeat(Attempt attempt) throws InterruptedException {
    while (member.goesOn()) {
      Answers answers = attempt.make();
      if (answers != null) {
        return answers;
      }
      if (!member.pause(RETRY)) {
        return null;
      }
    }
    return null;
  }

  private static Message message(byte[] envelope) {
    return Message.valueOf(UnsafeByteOperations.unsafeWrap(envelope));
  }

  private @Nullable Answers tryToDeliver(Message message) throws InterruptedException {
    LocalServer local = member.server();
    try {
      if (member.isRunning() && local.isLeader()) {
        return answersIn(
            local.submit(message).get(LOCAL_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS),
            Answers::decode);
      }
      RaftPeerId other = whomToAsk(local);
      return other == null
          ? null
          : answersIn(
              send(remote, message, RaftClientRequest.writeRequestType(), local, other),
              Answers::decode);
    } catch (TimeoutException | ExecutionException | IOException | RuntimeException e) {
      unanswered("a commit", e);
      return null;
    }
  }

  private @Nullable Answers tryToTell(byte[] envelope) throws InterruptedException {
    LocalServer local = member.server();
    try {
      if (member.isRunning() && local.isLeader()) {
        return member.hears() ? local.machine().tell(Envelope.decode(envelope)) : null;
      }
      RaftPeerId other = whomToAsk(local);
      if (other == null) {
        return null;
      }
      Message question = message(local.machine().question(envelope).encode());
      return answersIn(
          send(tellingRemote, question, RaftClientRequest.readRequestType(), local, other),
          bytes -> {
            Telling.Reply reply = Telling.Reply.decode(ByteBuffer.wrap(bytes));
            local.machine().learn(reply);
            return reply.answers();
          });
    } catch (IOException | RuntimeException e) {
      unanswered("a report", e);
      return null;
    } catch (MalformedException e) {
      throw new IllegalStateException("an envelope of this member", e);
    }
  }

  private RaftClientReply send(
      Remote by, Message what, RaftClientRequest.Type type, LocalServer local, RaftPeerId other)
      throws IOException, InterruptedException {
    return by.send(
        what,
        type,
        local.peers(RaftPeerRole.FOLLOWER),
        other,
        () -> !member.isClosing() && other.equals(whomToAsk(local)));
  }

  private void unanswered(String what, Exception why) {
    turn.incrementAndGet();
    // A leader that has just been elected is ready a moment later: nothing to tell anybody.
    if (!member.isClosing() && !(why instanceof LeaderNotReadyException)) {
      reports.seldom(
          Kind.FAILURE,
          Severity.WARNING,
          "%s was not answered and is sent again: %s".formatted(what, why));
    }
  }

  /** The leader; but a member whose log has failed knows no more: it asks one after the other. */
  private @Nullable RaftPeerId whomToAsk(LocalServer local) {
    if (member.isRunning()) {
      RaftPeerId leader = local.leader();
      return leader == null || self.equals(leader.toString()) ? null : leader;
    }
    List<RaftPeerId> others = local.otherVoters();
    return others.isEmpty() ? null : others.get(Math.floorMod(turn.get(), others.size()));
  }

  /** Reads what a leader has answered. */
  private interface Reading {
    Answers of(byte[] bytes) throws MalformedException;
  }

  private @Nullable Answers answersIn(RaftClientReply reply, Reading reading) {
    if (!reply.isSuccess()) {
      StateMachineException refusal = reply.getStateMachineException();
      return refusal == null ? null : answersTo(refusal);
    }
    try {
      return reading.of(reply.getMessage().getContent().toByteArray());
    } catch (MalformedException e) {
      reports.seldom(
          Kind.REFUSED,
          Severity.ERROR,
          "the leader's answer cannot be read (%s): it runs another Sedge than this device"
              .formatted(e.getMessage()));
      return null;
    }
  }

  private @Nullable Answers answersTo(StateMachineException refusal) {
    String why = String.valueOf(refusal.getMessage());
    if (why.contains(ReplicatedMachine.NO_ROOM)) {
      reports.seldom(
          Kind.DISK, Severity.WARNING, ReplicatedMachine.NO_ROOM + ": commits wait until there is");
      return null;
    }
    if (why.contains(ReplicatedMachine.NOT_NOW)) {
      reports.seldom(Kind.FAILURE, Severity.WARNING, "sent again: " + why);
      return null;
    }
    reports.seldom(Kind.REFUSED, Severity.ERROR, "the leader refused commands: " + why);
    return new Answers(0, List.of(new Answer.Refused(Refusal.MALFORMED, 0)));
  }
}
