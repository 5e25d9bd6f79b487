package io.sedge.replication.internal;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.LogCounts;
import io.sedge.replication.Member;
import io.sedge.replication.MemberOptions;
import io.sedge.replication.internal.Reports.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * A member: Ratis's server in this process, a way to the leader, and a watch that looks at disk and
 * server some times a second.
 *
 * <p>States: RUNNING; FAILED when the log could not be written or the server has ended by itself:
 * it is made anew when there is room, at most once a second; REMOVED when a configuration was
 * applied in which this member is missing, STOPPED when it must not go on, CLOSED: these three are
 * final.
 *
 * <p>Long because reading, sending, watching and changing who belongs all turn on this one state,
 * and on the server that is there now.
 */
public final class RatisMember implements ReplicatedMachine.Host {
  private static final long WATCH_MILLIS = 500;
  private static final long RETRY_MILLIS = 50;
  private static final long REOPEN_MILLIS = 1_000;
  private static final long LOCAL_TIMEOUT_MILLIS = 3_000;

  private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(3);

  /** Longer than slow disks take for an entry; less than devices wait for the ledger. */
  private static final Duration BEGIN_PATIENCE = Duration.ofSeconds(2);

  /** For so long a commit waits for those of other tasks, which are made at the same moments. */
  private static final Duration COMMIT_PATIENCE = Duration.ofMillis(20);

  /** For so long acknowledgements of rows wait for a commit to go with; they only make room. */
  private static final Duration ROOM_PATIENCE = Duration.ofMillis(2_500);

  /** For so long measures wait for a report to go with. */
  private static final Duration MEASURE_PATIENCE = Duration.ofMillis(250);

  /** What devices tell and is not sent yet, at most; what was told before is said better later. */
  private static final int TELLING_BYTES = Settings.ENTRY_BYTES;

  private enum State {
    RUNNING,
    FAILED,
    REMOVED,
    STOPPED,
    CLOSED
  }

  private final MemberOptions options;
  private final Identity identity;
  private final Reports reports;
  private final DiskWatch disk;
  private final Remote remote;
  private final Sender sender;

  /** What this device tells goes past the log, and its commits. */
  private final Remote tellingRemote;

  private final Sender telling;

  private final Thread watch;
  private final CountDownLatch ending = new CountDownLatch(1);

  /** Has the watch look at once. */
  private final Semaphore news = new Semaphore(0);

  private volatile State state = State.RUNNING;
  private volatile boolean known;

  /**
   * Members that have led since this one was opened, by their ids; those too that have left since.
   */
  private final Set<String> led = ConcurrentHashMap.newKeySet();

  /** How often the lead was handed over; the watch's own, and after it whoever closes. */
  private final AtomicInteger handOvers = new AtomicInteger();

  /** At the last hand-over. */
  private volatile boolean nobodyTakesOver;

  /** In how many looks in a row this member was elected and could not begin; the watch's own. */
  private int electedOnly;

  /** How often something was not answered. */
  private final AtomicInteger turn = new AtomicInteger();

  private volatile Runnable alarm = () -> {};
  private volatile LocalServer server;

  /** What is read: a log that is opened again begins earlier than what was read before. */
  private volatile ReplicatedMachine shown;

  /** Not the member itself, which a machine may want while it is written to. */
  private final Object showing = new Object();

  private RatisMember(MemberOptions options, Identity identity, LongSupplier freeBytes)
      throws LedgerException {
    RatisGuards.tame();
    this.options = options;
    this.identity = identity;
    this.reports = new Reports(options.listener(), System::nanoTime);
    this.disk = new DiskWatch(options.directory(), options.reserveBytes(), freeBytes, reports);
    this.remote = new Remote(RaftGroupId.valueOf(identity.site()), options);
    this.sender =
        new Sender(
            envelope -> repeat(() -> tryToDeliver(message(envelope))),
            options.outstandingBytes(),
            ROOM_PATIENCE,
            identity.id());
    this.tellingRemote = new Remote(RaftGroupId.valueOf(identity.site()), options);
    this.telling =
        new Sender(
            envelope -> repeat(() -> tryToTell(envelope)),
            TELLING_BYTES,
            MEASURE_PATIENCE,
            identity.id() + "-telling");
    this.watch =
        Thread.ofPlatform()
            .daemon()
            .name("sedge-ledger-watch-" + identity.id())
            .unstarted(this::watch);
    disk.check();
    this.server = startServer();
    this.shown = server.machine();
    sender.start();
    telling.start();
    watch.start();
  }

  private LocalServer startServer() throws LedgerException {
    return LocalServer.start(
        identity, options, new ReplicatedMachine(this, reports), () -> alarm.run(), reports);
  }

  public static boolean existsIn(Path directory) {
    return Identity.existsIn(directory);
  }

  public static boolean hasBegunIn(Path directory) throws LedgerException {
    return Identity.existsIn(directory)
        && LocalServer.hasBegunIn(directory, Identity.readFrom(directory));
  }

  public static RatisMember found(MemberOptions options) throws LedgerException {
    return create(options, Identity.create(options.name(), UUID.randomUUID(), true, true));
  }

  public static RatisMember join(MemberOptions options, Invitation invitation)
      throws LedgerException {
    return create(
        options, Identity.create(options.name(), invitation.site(), invitation.voter(), false));
  }

  private static RatisMember create(MemberOptions options, Identity identity)
      throws LedgerException {
    identity.writeTo(options.directory());
    return open(options);
  }

  public static RatisMember open(MemberOptions options) throws LedgerException {
    return open(options, DiskWatch.usableBytesOf(options.directory()));
  }

  /**
   * @param freeBytes how much room there is, for tests
   */
  static RatisMember open(MemberOptions options, LongSupplier freeBytes) throws LedgerException {
    return new RatisMember(options, Identity.readFrom(options.directory()), freeBytes);
  }

  public CompletableFuture<Answer> submit(Command command) {
    return command instanceof Command.Commit
        ? sender.submit(command, COMMIT_PATIENCE.toNanos())
        : sender.submit(command);
  }

  public CompletableFuture<Answer> tell(Command command) {
    return telling.submit(command);
  }

  @Override
  public boolean hears() {
    return state == State.RUNNING
        && server.leadsMajority(options.electionTimeout().toMillis() * 3 / 2);
  }

  private @Nullable Answers submit(LocalServer local, Message message)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    return answersIn(
        local.submit(message).get(LOCAL_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS), Answers::decode);
  }

  public <T> T read(Function<? super SiteState, ? extends T> query) {
    if (shown != server.machine()) {
      showPresent();
    }
    return shown.read(query);
  }

  /** Shows the present server's machine, unless it has yet to reach what was shown. */
  private void showPresent() {
    synchronized (showing) {
      ReplicatedMachine present = server.machine();
      if (present.read(SiteState::appliedIndex) >= shown.read(SiteState::appliedIndex)) {
        shown = present;
      }
    }
  }

  public <T> CompletableFuture<T> readAt(
      long index, Function<? super SiteState, ? extends T> query) {
    CompletableFuture<T> future = new CompletableFuture<>();
    LocalServer current = server;
    current
        .machine()
        .whenApplied(
            index,
            () -> {
              var _ = future.completeAsync(() -> read(query));
            });
    moveWaiters(current);
    return future;
  }

  /** What waits for a machine that has been replaced waits for the present one. */
  private void moveWaiters(LocalServer old) {
    LocalServer present = server;
    if (old != present) {
      old.machine()
          .takeWaiters()
          .forEach(
              (index, all) -> all.forEach(action -> present.machine().whenApplied(index, action)));
    }
  }

  public Member self() {
    return members().stream()
        .filter(member -> member.id().equals(identity.id()))
        .findFirst()
        .orElse(new Member(identity.id(), options.address(), identity.voter()));
  }

  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    server
        .peers(RaftPeerRole.FOLLOWER)
        .forEach(peer -> members.add(new Member(peer.getId().toString(), peer.getAddress(), true)));
    server
        .peers(RaftPeerRole.LISTENER)
        .forEach(
            peer -> members.add(new Member(peer.getId().toString(), peer.getAddress(), false)));
    return members;
  }

  public Optional<String> leader() {
    return Optional.ofNullable(server.leader()).map(RaftPeerId::toString);
  }

  public boolean isLeader() {
    return state == State.RUNNING && server.isLeader();
  }

  public boolean hasLed(String address) {
    return members().stream()
        .anyMatch(member -> member.address().equals(address) && led.contains(member.id()));
  }

  public boolean answers(String address) {
    return server.answered().stream().anyMatch(peer -> peer.getAddress().equals(address));
  }

  public long term() {
    return server.term();
  }

  public LogCounts logCounts() {
    return server.logCounts();
  }

  public long refusals() {
    return reports.refusals();
  }

  public void onAlarm(Runnable action) {
    alarm = action;
  }

  public boolean isRemoved() {
    return state == State.REMOVED;
  }

  public Invitation invite() {
    long voters = members().stream().filter(Member::voter).count();
    return new Invitation(identity.site(), voters < LedgerMember.MAX_VOTERS);
  }

  public void add(Member newcomer, Duration timeout) throws LedgerException {
    String id = newcomer.id();
    RaftPeer peer = LocalServer.peer(id, newcomer.address());
    changeAndFill(
        "adding member %s at %s".formatted(id, newcomer.address()),
        now -> {
          Optional<RaftPeer> present = now.peer(id);
          if (present.isEmpty()) {
            return now.with(peer, newcomer.voter());
          }
          String address = present.get().getAddress();
          if (!address.equals(peer.getAddress())) {
            throw new LedgerException("member %s belongs already, at %s".formatted(id, address));
          }
          return now;
        },
        timeout);
  }

  public void readdress() throws LedgerException {
    String what = "changing the address of member " + identity.id();
    if (members().size() != 1) {
      throw new LedgerException("%s: there are others, %s".formatted(what, members()));
    }
    // Ratis (3.3.0) takes a configuration with the same ids and priorities for the same one.
    for (int priority : new int[] {1, 0}) {
      RaftPeer moved =
          RaftPeer.newBuilder()
              .setId(identity.id())
              .setAddress(options.address())
              .setPriority(priority)
              .build();
      try {
        server.setConfiguration(
            SetConfigurationRequest.Arguments.newBuilder()
                .setServersInNewConf(List.of(moved))
                .build());
      } catch (IOException e) {
        throw new LedgerException("%s: %s".formatted(what, e), e);
      }
    }
  }

  public void remove(String id, Duration timeout) throws LedgerException {
    if (members().stream().noneMatch(member -> member.id().equals(id))) {
      throw new LedgerException("there is no member %s; %s".formatted(id, members()));
    }
    changeAndFill(
        "removing member " + id,
        now -> {
          if (now.without(id).voters().isEmpty()) {
            throw new LedgerException(
                "member %s is the last one that votes; add another one before".formatted(id));
          }
          return now.without(id);
        },
        timeout);
  }

  /**
   * Changes who belongs, and has followers vote where there is room for their votes: of a voter
   * that was removed, also if who comes in its place was invited to follow while it was there. That
   * they do not is no failure of the change.
   */
  private void changeAndFill(String what, Reconfiguration.Change change, Duration timeout)
      throws LedgerException {
    if (server.peers(RaftPeerRole.FOLLOWER).isEmpty()) {
      throw new LedgerException(what + ": this member has not been added to a site yet");
    }
    Reconfiguration reconfiguration =
        new Reconfiguration(new Belonging(), timeout, System::nanoTime);
    Roles reached = reconfiguration.carryOut(what, change);
    try {
      Roles before;
      do {
        before = reached;
        reached =
            reconfiguration.carryOut(
                "making a follower a voter",
                Optional.of(before),
                now -> change.of(now).filled(LedgerMember.MAX_VOTERS));
      } while (!reached.equals(before));
    } catch (LedgerException e) {
      reports.always(
          Severity.WARNING,
          "fewer members vote than could, after %s: %s".formatted(what, e.getMessage()));
    }
  }

  /** Who belongs, to those who change it. */
  private final class Belonging implements Reconfiguration.Group {
    @Override
    public Optional<Roles> roles() {
      return server.roles();
    }

    @Override
    public void set(Roles from, Roles to, String what, Duration timeout) throws LedgerException {
      SetConfigurationRequest.Arguments arguments =
          SetConfigurationRequest.Arguments.newBuilder()
              .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
              .setServersInCurrentConf(List.copyOf(from.voters()))
              .setListenersInCurrentConf(List.copyOf(from.followers()))
              .setServersInNewConf(List.copyOf(to.voters()))
              .setListenersInNewConf(List.copyOf(to.followers()))
              .build();
      ask(client -> client.admin().setConfiguration(arguments), what, timeout);
    }

    @Override
    public boolean pause(Duration time) {
      try {
        boolean closed = ending.await(time.toMillis(), TimeUnit.MILLISECONDS);
        return !closed && (state == State.RUNNING || state == State.FAILED);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private void ask(Remote.Call call, String what, Duration timeout) throws LedgerException {
    Collection<RaftPeer> voters = server.peers(RaftPeerRole.FOLLOWER);
    if (voters.isEmpty()) {
      throw new LedgerException(what + ": this member has not been added to a site yet");
    }
    try {
      RaftClientReply reply = remote.ask(call, voters, server.leader(), timeout);
      if (!reply.isSuccess()) {
        throw new LedgerException("%s: %s".formatted(what, reply.getException()));
      }
    } catch (IOException e) {
      throw new LedgerException("%s: %s".formatted(what, e), e);
    }
  }

  /** One attempt to have something answered. */
  private interface Attempt {
    /** Null if it is to be made again. */
    @Nullable Answers make() throws InterruptedException;
  }

  private @Nullable Answers repeat(Attempt attempt) throws InterruptedException {
    while (state == State.RUNNING || state == State.FAILED) {
      Answers answers = attempt.make();
      if (answers != null) {
        return answers;
      }
      if (ending.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
        return null;
      }
    }
    return null;
  }

  private static Message message(byte[] envelope) {
    return Message.valueOf(UnsafeByteOperations.unsafeWrap(envelope));
  }

  private @Nullable Answers tryToDeliver(Message message) throws InterruptedException {
    LocalServer local = server;
    try {
      if (state == State.RUNNING && local.isLeader()) {
        return submit(local, message);
      }
      RaftPeerId other = whomToAsk(local);
      return other == null
          ? null
          : answersIn(
              ask(remote, message, RaftClientRequest.writeRequestType(), local, other),
              Answers::decode);
    } catch (TimeoutException | ExecutionException | IOException | RuntimeException e) {
      unanswered("a commit", e);
      return null;
    }
  }

  private @Nullable Answers tryToTell(byte[] envelope) throws InterruptedException {
    LocalServer local = server;
    try {
      if (state == State.RUNNING && local.isLeader()) {
        return hears() ? local.machine().tell(Envelope.decode(envelope)) : null;
      }
      RaftPeerId other = whomToAsk(local);
      if (other == null) {
        return null;
      }
      Message question = message(local.machine().question(envelope).encode());
      return answersIn(
          ask(tellingRemote, question, RaftClientRequest.readRequestType(), local, other),
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

  private RaftClientReply ask(
      Remote by, Message what, RaftClientRequest.Type type, LocalServer local, RaftPeerId other)
      throws IOException, InterruptedException {
    return by.send(
        what,
        type,
        local.peers(RaftPeerRole.FOLLOWER),
        other,
        () -> ending.getCount() > 0 && other.equals(whomToAsk(local)));
  }

  private void unanswered(String what, Exception why) {
    turn.incrementAndGet();
    // A leader that has just been elected is ready a moment later: nothing to tell anybody.
    if (ending.getCount() > 0 && !(why instanceof LeaderNotReadyException)) {
      reports.seldom(
          Kind.FAILURE,
          Severity.WARNING,
          "%s was not answered and is sent again: %s".formatted(what, why));
    }
  }

  /** The leader; but a member whose log has failed knows no more: it asks one after the other. */
  private @Nullable RaftPeerId whomToAsk(LocalServer local) {
    if (state == State.RUNNING) {
      RaftPeerId leader = local.leader();
      return leader == null || isSelf(leader.toString()) ? null : leader;
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

  private void watch() {
    try {
      while (ending.getCount() > 0) {
        try {
          if (news.tryAcquire(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
            news.drainPermits();
          }
          look();
        } catch (RuntimeException e) {
          reports.seldom(Kind.FAILURE, Severity.ERROR, "a fault in Sedge while watching it: " + e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws InterruptedException {
    disk.check();
    server.keepConnections();
    if (state == State.RUNNING && !server.isAlive()) {
      fail("the server has ended");
    }
    if (state != State.RUNNING) {
      server.close(); // Above all it must not go on to lead.
    }
    if (state == State.FAILED && disk.hasRoom()) {
      reopen();
    }
    if (!disk.hasRoom() && isLeader()) {
      handOver();
      ending.await(HAND_OVER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
    stepDownIfStuck();
  }

  /**
   * A leader can begin when the first entry of its term is committed. If a voter has taken that and
   * its connection ends before it has answered, Ratis (3.3.0) does not send the entry again, and
   * heartbeats do not ask how far the voter is. Where the leader needs that voter for a majority
   * nothing would ever be committed; the next leader's first entry is a new one.
   */
  private void stepDownIfStuck() {
    electedOnly = server.isElectedOnly() ? electedOnly + 1 : 0;
    if (electedOnly * WATCH_MILLIS < BEGIN_PATIENCE.toMillis()) {
      return;
    }
    electedOnly = 0;
    reports.seldom(
        Kind.STUCK,
        Severity.WARNING,
        "this member was elected and cannot begin for %d s: it gives the lead up"
            .formatted(BEGIN_PATIENCE.toSeconds()));
    try {
      server.stepDown(HAND_OVER_TIMEOUT);
    } catch (IOException e) {
      reports.seldom(Kind.FAILURE, Severity.WARNING, "giving the lead up: " + e);
    }
  }

  /**
   * Lets another voter lead, if this one does: one that lacks least first, and a different one each
   * time if several do, as one may have room where another has not. Waits until one leads, or none
   * can, for twice {@link #HAND_OVER_TIMEOUT} at most.
   */
  public void handOver() {
    if (!isLeader()) {
      return;
    }
    long begin = System.nanoTime();
    List<String> failures = new ArrayList<>();
    for (RaftPeer next : server.successors(handOvers.getAndIncrement())) {
      if (System.nanoTime() - begin > HAND_OVER_TIMEOUT.toNanos()) {
        break;
      }
      String id = next.getId().toString();
      try {
        ask(
            client ->
                client.admin().transferLeadership(next.getId(), HAND_OVER_TIMEOUT.toMillis() / 2),
            "making member %s lead".formatted(id),
            HAND_OVER_TIMEOUT);
        nobodyTakesOver = false;
        return;
      } catch (LedgerException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    nobodyTakesOver = !failures.isEmpty();
    if (nobodyTakesOver) {
      reports.seldom(
          Kind.HAND_OVER,
          Severity.WARNING,
          "no other member takes the lead over: " + String.join("; ", failures));
    }
  }

  private synchronized void fail(String why) {
    if (state == State.RUNNING) {
      state = State.FAILED;
      news.release();
      reports.seldom(
          Kind.LOG,
          Severity.ERROR,
          "the log in %s: %s; it is opened again when there is room"
              .formatted(options.directory(), why));
    }
  }

  /** Makes the server anew, as after a crash: what was answered is on the disk. */
  private void reopen() throws InterruptedException {
    LocalServer failed = server;
    known = false; // What is read again begins with the members of before this one.
    try {
      server = startServer();
      moveWaiters(failed);
      synchronized (this) {
        state = state == State.FAILED ? State.RUNNING : state;
      }
      reports.seldom(Kind.LOG_OPENED, Severity.INFO, "the log was opened again");
    } catch (LedgerException e) {
      reports.seldom(Kind.LOG, Severity.ERROR, String.valueOf(e.getMessage()));
      ending.await(REOPEN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public boolean hasRoom() {
    return disk.hasRoom();
  }

  @Override
  public long snapshotBytes() {
    return options.snapshotBytes();
  }

  @Override
  public void logFailed(Throwable cause) {
    fail(cause.toString());
  }

  @Override
  public void mustStop(String why) {
    reports.always(Severity.ERROR, why);
    end(State.STOPPED);
  }

  @Override
  public void configurationChanged(RaftConfigurationProto configuration) {
    boolean belongs =
        Stream.concat(
                configuration.getPeersList().stream(), configuration.getListenersList().stream())
            .anyMatch(peer -> isSelf(peer.getId().toStringUtf8()));
    if (belongs) {
      known = true;
    } else if (known) {
      reports.always(
          Severity.WARNING,
          "this member was removed from the site; the device must join anew, with an empty"
              + " directory");
      end(State.REMOVED);
    }
  }

  @Override
  public void leaderChanged(String id) {
    led.add(id);
    news.release();
    alarm.run(); // And nothing else: it may lead before this member has its server.
  }

  private boolean isSelf(String id) {
    return identity.id().equals(id);
  }

  private synchronized void end(State last) {
    if (state == State.RUNNING || state == State.FAILED) {
      state = last;
    }
  }

  /** Hands the lead over first, so that the others need not find out that it is missing. */
  public void close() {
    ending.countDown();
    news.release();
    try {
      watch.join();
      if (!nobodyTakesOver) {
        handOver();
      }
      end(State.CLOSED);
      server.close(); // Answers what waits in it, so that the senders end.
      sender.close();
      telling.close();
      remote.close();
      tellingRemote.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.close();
    }
  }
}
