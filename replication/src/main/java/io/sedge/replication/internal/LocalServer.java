package io.sedge.replication.internal;

import io.sedge.ledger.LaterFormatException;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.ListenException;
import io.sedge.replication.LogCounts;
import io.sedge.replication.MemberOptions;
import io.sedge.replication.PortCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;

/** One life of Ratis's server in this process; after a failure another one is made. */
final class LocalServer {
  private static final String LOG_DIRECTORY = "log";

  /** A voter that has been silent for longer is not asked to lead. */
  private static final long ANSWERING_MILLIS = 1_000;

  /** An election takes less, as a rule. */
  private static final Duration SHORTEST_TURN = Duration.ofMillis(150);

  private final RaftGroupId group;
  private final RaftServer server;
  private final ReplicatedMachine machine;
  private final PeerConnections connections;
  private final ClientId clientId = ClientId.randomId();
  private final AtomicLong callIds = new AtomicLong();

  private LocalServer(RaftGroupId group, RaftServer server, ReplicatedMachine machine) {
    this.group = group;
    this.server = server;
    this.machine = machine;
    this.connections =
        new PeerConnections(
            server.getServerRpc(), RaftGroupMemberId.valueOf(server.getId(), group));
  }

  static RaftPeer peer(String id, String address) {
    return RaftPeer.newBuilder().setId(id).setAddress(address).build();
  }

  /**
   * Whether a member has ever written to its log there. A snapshot that is installed may leave no
   * segment of the log; then there is a configuration.
   */
  static boolean hasBegunIn(Path directory, Identity identity) throws LedgerException {
    Path storage = directory.resolve(LOG_DIRECTORY);
    try {
      return ConfigurationFile.exists(current(storage, identity)) || LogSegments.exist(storage);
    } catch (IOException e) {
      throw new LedgerException("reading the log in %s: %s".formatted(storage, e), e);
    }
  }

  /**
   * Starts from what is on the disk.
   *
   * @param connectionEnded when a connection has ended that a member had made to this one; must
   *     return at once
   */
  static LocalServer start(
      Identity identity,
      MemberOptions options,
      ReplicatedMachine machine,
      Runnable connectionEnded,
      Reports reports)
      throws LedgerException {
    Path storage = options.directory().resolve(LOG_DIRECTORY);
    boolean fresh = identity.founder() && !hasBegunIn(options.directory(), identity);
    long cut = LogSegments.cutTornTail(storage, Settings.RAW_ENTRY_BYTES);
    if (cut > 0) {
      reports.always(
          Severity.WARNING,
          "the last write to the log was torn, %d bytes of it were cut off; they had not been answered"
              .formatted(cut));
    }
    VoteFile.mend(storage, Settings.RAW_ENTRY_BYTES, System.currentTimeMillis())
        .ifPresent(
            term ->
                reports.always(
                    Severity.WARNING,
                    "what it voted for could not be read, as after a full disk; it goes on in term %d"
                        .formatted(term)));
    RaftGroupId group = RaftGroupId.valueOf(identity.site());
    PortWatch port = new PortWatch(reports);
    RaftServer server = null;
    try {
      Files.createDirectories(storage);
      server =
          RaftServer.newBuilder()
              .setServerId(RaftPeerId.valueOf(identity.id()))
              .setGroup(RaftGroup.valueOf(group, firstPeers(identity, options, storage)))
              .setOption(RaftStorage.StartupOption.RECOVER)
              .setProperties(Settings.server(options, storage))
              .setParameters(Settings.listening(options, port))
              .setStateMachineRegistry(_ -> machine)
              .build();
      server.start();
      Duration half = options.electionTimeout().dividedBy(2);
      Duration turn = half.compareTo(SHORTEST_TURN) < 0 ? SHORTEST_TURN : half;
      LeaderLoss loss = new LeaderLoss(server, group, PortCheck::overTcp, turn, reports);
      port.onEnd(
          () -> {
            loss.connectionEnded();
            connectionEnded.run();
          });
      return new LocalServer(group, server, machine);
    } catch (IOException | RuntimeException e) {
      closeQuietly(server);
      LedgerException failure = failure(e, options);
      if (fresh && failure instanceof ListenException) {
        forget(storage);
      }
      throw failure;
    }
  }

  /**
   * Ratis begins the group before it listens, so that of one member may have written its address to
   * its log, on a slow machine, when the port is found to be taken. Nobody has been answered: what
   * was written goes, and the member {@linkplain #hasBegunIn has not begun}.
   */
  private static void forget(Path storage) {
    try (Stream<Path> written = Files.walk(storage)) {
      for (Path path : written.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException | UncheckedIOException ignored) {
      // Then it has begun, and keeps its port.
    }
  }

  /** Where Ratis keeps what it knows of the group. */
  private static Path current(Path storage, Identity identity) {
    return storage.resolve(identity.site().toString()).resolve("current");
  }

  /**
   * Whom the member knows of until a configuration is on its disk, which says it from then on;
   * there may have been starts before that.
   */
  private static List<RaftPeer> firstPeers(Identity identity, MemberOptions options, Path storage) {
    boolean configured = ConfigurationFile.exists(current(storage, identity));
    if (configured || (identity.voter() && !identity.founder())) {
      return List.of();
    }
    return List.of(
        RaftPeer.newBuilder()
            .setId(identity.id())
            .setAddress(options.address())
            .setStartupRole(identity.voter() ? RaftPeerRole.FOLLOWER : RaftPeerRole.LISTENER)
            .build());
  }

  private static LedgerException failure(Exception e, MemberOptions options) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      boolean unusable =
          cause instanceof BindException
              || String.valueOf(cause.getMessage()).contains("Address already in use")
              || String.valueOf(cause.getMessage()).contains("Cannot assign requested address");
      if (unusable) {
        return new ListenException(
            "cannot listen at %s (%s): is another one running, or is the address of another device?"
                .formatted(options.address(), cause.getMessage()),
            e);
      }
      if (cause instanceof LaterFormatException) {
        return new LedgerException(
            "the ledger in %s does not start: %s"
                .formatted(options.directory(), cause.getMessage()),
            e);
      }
    }
    return new LedgerException(
        "the ledger in %s does not start: %s. If its files are damaged, remove this member and let the device join anew"
            .formatted(options.directory(), e),
        e);
  }

  private static void closeQuietly(@Nullable RaftServer server) {
    if (server != null) {
      try {
        server.close();
      } catch (IOException | RuntimeException ignored) {
        // It is being given up; why is told by whoever gave it up.
      }
    }
  }

  LogCounts logCounts() {
    return LogMetrics.counts(RaftGroupMemberId.valueOf(server.getId(), group));
  }

  RaftServer.Division division() throws IOException {
    return server.getDivision(group);
  }

  ReplicatedMachine machine() {
    return machine;
  }

  boolean isAlive() {
    try {
      return server.getLifeCycleState().isRunning() && division().getInfo().isAlive();
    } catch (IOException e) {
      return false;
    }
  }

  boolean isLeader() {
    try {
      DivisionInfo info = division().getInfo();
      return info.isLeader() && info.isLeaderReady();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it was elected and cannot begin yet: the first entry of its term is not committed. */
  boolean isElectedOnly() {
    try {
      DivisionInfo info = division().getInfo();
      return info.isLeader() && !info.isLeaderReady();
    } catch (IOException e) {
      return false;
    }
  }

  /** Gives the lead up, so that there is another election; any voter may win it. */
  void stepDown(Duration timeout) throws IOException {
    var _ =
        server.transferLeadershipAsync(
            new TransferLeadershipRequest(
                clientId,
                server.getId(),
                group,
                callIds.incrementAndGet(),
                null,
                timeout.toMillis()));
  }

  /** Changes who belongs, through this server, which leads: no address is needed for that. */
  void setConfiguration(SetConfigurationRequest.Arguments arguments) throws IOException {
    RaftClientReply reply =
        server.setConfiguration(
            new SetConfigurationRequest(
                clientId, server.getId(), group, callIds.incrementAndGet(), arguments));
    if (!reply.isSuccess()) {
      throw new IOException(reply.getException());
    }
  }

  long term() {
    try {
      return division().getInfo().getCurrentTerm();
    } catch (IOException e) {
      return 0;
    }
  }

  @Nullable RaftPeerId leader() {
    try {
      return division().getInfo().getLeaderId();
    } catch (IOException e) {
      return null;
    }
  }

  Collection<RaftPeer> peers(RaftPeerRole role) {
    try {
      return division().getRaftConf().getAllPeers(role);
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Who belongs, as far as this member knows; empty while that is being changed. */
  Optional<Roles> roles() {
    try {
      RaftConfiguration now = division().getRaftConf();
      return now.getPreviousPeers().isEmpty()
          ? Optional.of(
              new Roles(
                  Set.copyOf(now.getCurrentPeers(RaftPeerRole.FOLLOWER)),
                  Set.copyOf(now.getCurrentPeers(RaftPeerRole.LISTENER))))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  List<RaftPeerId> otherVoters() {
    return peers(RaftPeerRole.FOLLOWER).stream()
        .map(RaftPeer::getId)
        .filter(id -> !id.equals(server.getId()))
        .toList();
  }

  /**
   * The other voters that have answered this leader lately, those that have committed most first:
   * one that has just come back may not take the lead over in time. None if it does not lead.
   *
   * @param turn which one is first of those that have committed as much
   */
  List<RaftPeer> successors(int turn) {
    Set<RaftPeerId> lately = answeredWithin(_ -> ANSWERING_MILLIS);
    List<RaftPeer> successors =
        peers(RaftPeerRole.FOLLOWER).stream()
            .filter(peer -> lately.contains(peer.getId()))
            .toList();
    return inTurn(successors, committed(), turn);
  }

  static List<RaftPeer> inTurn(List<RaftPeer> voters, Map<RaftPeerId, Long> committed, int turn) {
    List<RaftPeer> sorted = new ArrayList<>(voters);
    Collections.rotate(sorted, turn);
    sorted.sort(
        Comparator.comparing((RaftPeer peer) -> committed.getOrDefault(peer.getId(), 0L))
            .reversed());
    return sorted;
  }

  /** How far each member has committed, as far as this one knows. */
  private Map<RaftPeerId, Long> committed() {
    try {
      return division().getCommitInfos().stream()
          .collect(
              Collectors.toMap(
                  info -> RaftPeerId.valueOf(info.getServer().getId()),
                  CommitInfoProto::getCommitIndex,
                  Math::max));
    } catch (IOException e) {
      return Map.of();
    }
  }

  /**
   * Whether this member leads and a majority has answered it lately, so that nobody else can have
   * been elected for longer than that.
   *
   * @param lately milliseconds
   */
  boolean leadsMajority(long lately) {
    if (!isLeader()) {
      return false;
    }
    Set<RaftPeerId> answered = answeredWithin(_ -> lately);
    Collection<RaftPeer> voters = peers(RaftPeerRole.FOLLOWER);
    long there =
        voters.stream()
            .map(RaftPeer::getId)
            .filter(id -> id.equals(server.getId()) || answered.contains(id))
            .count();
    return 2 * there > voters.size();
  }

  /**
   * All others that have answered this leader since it was elected; none if it does not lead. Who
   * was added since is taken to have answered.
   */
  List<RaftPeer> answered() {
    Set<RaftPeerId> since = answeredWithin(RoleInfoProto::getRoleElapsedTimeMs);
    return Stream.of(RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)
        .flatMap(role -> peers(role).stream())
        .filter(peer -> since.contains(peer.getId()))
        .toList();
  }

  private Set<RaftPeerId> answeredWithin(ToLongFunction<RoleInfoProto> millis) {
    try {
      RoleInfoProto role = division().getInfo().getRoleInfoProto();
      return role.getLeaderInfo().getFollowerInfoList().stream()
          .filter(follower -> follower.getLastRpcElapsedTimeMs() < millis.applyAsLong(role))
          .map(follower -> RaftPeerId.valueOf(follower.getId().getId()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      return Set.of();
    }
  }

  /**
   * Keeps the connections open to those whom this member will ask for their votes when the leader
   * is gone. A leader talks to all of them anyway, and who does not vote to none.
   */
  void keepConnections() {
    RaftPeerId leader = leader();
    List<RaftPeerId> others = otherVoters();
    boolean votes = others.size() < peers(RaftPeerRole.FOLLOWER).size();
    if (votes && leader != null && !leader.equals(server.getId())) {
      connections.keepOpen(
          others.stream().filter(other -> !other.equals(leader)).toList(), System.nanoTime());
    }
  }

  /** Hands a command to this server, past the network; it answers at once if it does not lead. */
  CompletableFuture<RaftClientReply> submit(Message message) throws IOException {
    return server.submitClientRequestAsync(
        RaftClientRequest.newBuilder()
            .setClientId(clientId)
            .setServerId(server.getId())
            .setGroupId(group)
            .setCallId(callIds.incrementAndGet())
            .setMessage(message)
            .setType(RaftClientRequest.writeRequestType())
            .build());
  }

  void close() {
    closeQuietly(server);
  }
}
