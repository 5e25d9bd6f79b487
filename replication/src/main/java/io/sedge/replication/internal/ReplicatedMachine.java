package io.sedge.replication.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.internal.Reports.Kind;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link StateMachine} behind Ratis's log. Ratis applies entries and takes snapshots in one
 * thread; whoever reads takes the lock for reading.
 *
 * <p>The leader decodes each envelope before it enters the log, and refuses what it cannot read,
 * what is too long, and everything while its disk is full. So a member that meets an entry of a
 * later version was left behind by an upgrade; it stops, as it would differ from the others if it
 * went on.
 */
final class ReplicatedMachine extends BaseStateMachine {
  /** Begins the message with which a leader refuses while its disk is full. */
  static final String NO_ROOM = "no room on the leader's disk";

  /** With which a leader refuses what it cannot take now. */
  static final String NOT_NOW = "the leader cannot take it now";

  /** What an entry counts beside its bytes. */
  private static final int ENTRY_OVERHEAD = 64;

  /**
   * Of a request that failed Ratis knows nothing, and takes no other one for so long. No multiple
   * of the time between commits, at which requests are made: see {@link #isTimeout}.
   */
  private static final long SNAPSHOT_TIMEOUT_MILLIS = 58_730;

  /** Between two snapshots, unless the log grows fast: each is forced to the disk. */
  static final long SNAPSHOT_GAP_NANOS = 10_000_000_000L;

  /** A log of so many times what calls for a snapshot does so at once, however short the gap. */
  private static final int MOST_LOG = 32;

  /** What of the member the machine talks to. */
  interface Host {
    boolean hasRoom();

    long snapshotBytes();

    /** Whether this member leads and a majority follows it, so that others may tell it things. */
    boolean hears();

    /** The log could not be written. */
    void logFailed(Throwable cause);

    /** This member must not go on. */
    void mustStop(String why);

    void configurationChanged(RaftConfigurationProto configuration);

    /** Another member, or this one, leads. */
    void leaderChanged(String id);
  }

  private record Waiter(Runnable action) {}

  private final Host host;
  private final Reports reports;
  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final NavigableMap<Long, List<Waiter>> waiters = new TreeMap<>();
  private final AtomicLong callIds = new AtomicLong();
  private final ClientId clientId = ClientId.randomId();

  /** Names this copy of what was told, among those of all processes. */
  private final long origin = new SecureRandom().nextLong();

  private StateMachine machine = new StateMachine();

  /** Whose copy of what was told this one has learned from, and up to which version. */
  private long toldBy;

  private long toldVersion;

  /** From {@link #initialize} on. */
  private @Nullable ConfigurationFile configurationFile;

  private volatile @Nullable SingleFileSnapshotInfo latestSnapshot;
  private long bytesSinceSnapshot;
  private long snapshotNanos = System.nanoTime();
  private volatile boolean stopped;

  ReplicatedMachine(Host host, Reports reports) {
    this.host = host;
    this.reports = reports;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage)
      throws IOException {
    super.initialize(server, groupId, raftStorage);
    getLifeCycle().transition(LifeCycle.State.STARTING);
    storage.init(raftStorage);
    configurationFile = new ConfigurationFile(raftStorage.getStorageDir().getCurrentDir().toPath());
    load();
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }

  @Override
  public SimpleStateMachineStorage getStateMachineStorage() {
    return storage;
  }

  /** Asked with every entry; where there is none yet, the storage would look for it each time. */
  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    return latestSnapshot;
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() throws IOException {
    storage.loadLatestSnapshot();
    load();
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  private void load() throws IOException {
    SingleFileSnapshotInfo snapshot = storage.getLatestSnapshot();
    latestSnapshot = snapshot;
    if (snapshot == null) {
      return;
    }
    File file = snapshot.getFile().getPath().toFile();
    StateMachine loaded = new StateMachine();
    try (InputStream input = new BufferedInputStream(new FileInputStream(file))) {
      loaded.readSnapshot(input);
    } catch (MalformedException e) {
      throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
    }
    lock.writeLock().lock();
    try {
      loaded.keepTold(machine);
      machine = loaded;
      bytesSinceSnapshot = 0;
      setLastAppliedTermIndex(snapshot.getTermIndex());
    } finally {
      lock.writeLock().unlock();
    }
    completeWaiters();
  }

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    ByteString bytes = request.getMessage().getContent();
    TransactionContext.Builder context =
        TransactionContext.newBuilder()
            .setStateMachine(this)
            .setClientRequest(request)
            .setLogData(bytes);
    try {
      return context.setStateMachineContext(take(bytes)).build();
    } catch (IOException e) {
      return refused(context, e);
    }
  }

  /**
   * What a member has sent to this leader.
   *
   * @throws IOException if it is refused, as there is no room, or it cannot be read
   */
  private Envelope take(ByteString bytes) throws IOException {
    if (!host.hasRoom()) {
      throw new IOException(NO_ROOM);
    }
    if (bytes.size() > Settings.ENTRY_BYTES) {
      throw new IOException(
          "an entry of %d bytes, at most %d are allowed"
              .formatted(bytes.size(), Settings.ENTRY_BYTES));
    }
    try {
      return Envelope.decode(bytes.toByteArray());
    } catch (MalformedException e) {
      reports.seldom(
          Kind.REFUSED, Severity.WARNING, "refused a malformed command: " + e.getMessage());
      throw new IOException("malformed: " + e.getMessage(), e);
    }
  }

  /** An exception thrown would leave the request unanswered in Ratis's retry cache. */
  private static TransactionContext refused(TransactionContext.Builder context, IOException why) {
    TransactionContext refused = context.build();
    refused.setException(why);
    return refused;
  }

  /**
   * Takes what another member tells, and answers with what all have told. Ratis hands a leader's
   * queries to its state machine; nothing enters the log.
   */
  @Override
  public CompletableFuture<Message> query(Message request) {
    try {
      Telling.Question question =
          Telling.Question.decode(request.getContent().asReadOnlyByteBuffer());
      Envelope envelope = take(UnsafeByteOperations.unsafeWrap(question.envelope()));
      if (!host.hears()) {
        return refusedQuery(NOT_NOW);
      }
      long known = question.origin() == origin ? question.version() : 0;
      return CompletableFuture.completedFuture(message(tell(envelope, known).encode()));
    } catch (IOException | MalformedException | IllegalArgumentException e) {
      return refusedQuery(String.valueOf(e.getMessage()));
    }
  }

  /** Takes what this member tells itself while it leads. */
  Answers tell(Envelope envelope) {
    return tell(envelope, Long.MAX_VALUE).answers();
  }

  private Telling.Reply tell(Envelope envelope, long known) {
    lock.writeLock().lock();
    try {
      List<Answer> answers = envelope.commands().stream().map(machine::tell).toList();
      long index = machine.state().appliedIndex();
      return new Telling.Reply(origin, new Answers(index, answers), machine.toldSince(known));
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** A question to the leader, for what this member does not know of what was told there. */
  Telling.Question question(byte[] envelope) {
    lock.readLock().lock();
    try {
      return new Telling.Question(toldBy, toldVersion, envelope);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Takes what the leader has answered. */
  void learn(Telling.Reply reply) throws MalformedException {
    lock.writeLock().lock();
    try {
      toldVersion = machine.learn(reply.told());
      toldBy = reply.origin();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private static CompletableFuture<Message> refusedQuery(String why) {
    return CompletableFuture.failedFuture(new StateMachineException(why));
  }

  private static Message message(byte[] bytes) {
    return Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes));
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    ByteString bytes = entry.getStateMachineLogEntry().getLogData();
    Message answers;
    lock.writeLock().lock();
    try {
      answers = apply(entry.getIndex(), transaction.getStateMachineContext(), bytes);
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    } catch (MalformedException e) {
      stopped = true;
      host.mustStop(
          "entry %d of the log cannot be read (%s): this device runs an older Sedge than the others, or the log is damaged"
              .formatted(entry.getIndex(), e.getMessage()));
      return CompletableFuture.failedFuture(e);
    } finally {
      lock.writeLock().unlock();
    }
    completeWaiters();
    count(bytes.size());
    return CompletableFuture.completedFuture(answers);
  }

  private Message apply(long index, @Nullable Object decoded, ByteString bytes)
      throws MalformedException {
    Envelope envelope =
        decoded instanceof Envelope known ? known : Envelope.decode(bytes.toByteArray());
    return message(machine.apply(index, envelope).encode());
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    lock.writeLock().lock();
    try {
      machine.advance(index);
      updateLastAppliedTermIndex(term, index);
    } finally {
      lock.writeLock().unlock();
    }
    completeWaiters();
    count(0);
  }

  /** Asks for a snapshot when the log since the last one has grown long. */
  private void count(int bytes) {
    bytesSinceSnapshot += bytes + ENTRY_OVERHEAD;
    long now = System.nanoTime();
    if (!isSnapshotDue(
        bytesSinceSnapshot, host.snapshotBytes(), length(latestSnapshot), now - snapshotNanos)) {
      return;
    }
    bytesSinceSnapshot = 0;
    snapshotNanos = now;
    RaftServer server = getServer().join();
    SnapshotManagementRequest request =
        SnapshotManagementRequest.newCreate(
            clientId,
            server.getId(),
            getGroupId(),
            callIds.incrementAndGet(),
            SNAPSHOT_TIMEOUT_MILLIS,
            1);
    var _ =
        server
            .snapshotManagementAsync(request)
            .whenComplete(
                (_, failure) -> {
                  if (failure != null && !isTimeout(failure)) {
                    reports.seldom(
                        Kind.SNAPSHOT, Severity.WARNING, "no snapshot was written: " + failure);
                  }
                });
  }

  /**
   * The timer of a request that was answered long ago fails the one that is under way then (Ratis
   * 3.3.0). Its snapshot is written all the same, or the next one is.
   */
  private static boolean isTimeout(Throwable failure) {
    return failure instanceof TimeoutIOException
        || failure.getCause() instanceof TimeoutIOException;
  }

  /**
   * Whether a snapshot is worth its while: it writes no more than the log did since the last one,
   * and whoever starts applies little.
   *
   * @param logBytes since the last snapshot
   * @param leastBytes of log for a snapshot
   * @param lastLength bytes of the last snapshot
   * @param sinceNanos how long ago the last one was asked for, or the start
   */
  static boolean isSnapshotDue(long logBytes, long leastBytes, long lastLength, long sinceNanos) {
    boolean worth = logBytes >= Math.max(leastBytes, lastLength);
    return (worth && sinceNanos >= SNAPSHOT_GAP_NANOS) || logBytes / MOST_LOG >= leastBytes;
  }

  private static long length(@Nullable SingleFileSnapshotInfo snapshot) {
    return snapshot == null ? 0 : snapshot.getFile().getFileSize();
  }

  /**
   * Writes one.
   *
   * @return up to which entry Ratis may remove the log: to the snapshot before this one, so that a
   *     member that lags a little need not be sent a snapshot for it
   */
  @Override
  public long takeSnapshot() throws IOException {
    TermIndex applied = getLastAppliedTermIndex();
    boolean replaced = getLifeCycleState() == LifeCycle.State.PAUSED; // By one that is received.
    if (stopped || replaced || applied.getIndex() < 1) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    SnapshotInfo before = latestSnapshot;
    File file = storage.getSnapshotFile(applied.getTerm(), applied.getIndex());
    File temporary = new File(file.getParentFile(), file.getName() + ".tmp");
    try {
      requireNonNull(configurationFile).ensure();
      write(temporary);
      Files.move(temporary.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
      SingleFileSnapshotInfo snapshot =
          new SingleFileSnapshotInfo(
              new FileInfo(file.toPath(), MD5FileUtil.computeAndSaveMd5ForFile(file)), applied);
      storage.updateLatestSnapshot(snapshot);
      latestSnapshot = snapshot;
    } catch (IOException | IllegalStateException e) {
      Files.deleteIfExists(temporary.toPath());
      reports.seldom(Kind.SNAPSHOT, Severity.WARNING, "no snapshot was written: " + e);
      throw new IOException(e); // Of others Ratis ends the server.
    }
    return before == null ? 0 : before.getIndex();
  }

  private void write(File file) throws IOException {
    lock.readLock().lock();
    try (FileOutputStream output = new FileOutputStream(file);
        OutputStream buffered = new BufferedOutputStream(output)) {
      machine.writeSnapshot(buffered);
      buffered.flush();
      output.getFD().sync();
    } finally {
      lock.readLock().unlock();
    }
  }

  <T> T read(Function<? super SiteState, ? extends T> query) {
    lock.readLock().lock();
    try {
      return query.apply(machine.state());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Runs an action once the log has been applied up to an entry; at once if it has been. */
  void whenApplied(long index, Runnable action) {
    synchronized (waiters) {
      if (getLastAppliedTermIndex().getIndex() < index) {
        waiters.computeIfAbsent(index, _ -> new ArrayList<>()).add(new Waiter(action));
        return;
      }
    }
    action.run();
  }

  private void completeWaiters() {
    List<Waiter> due = new ArrayList<>();
    synchronized (waiters) {
      if (waiters.isEmpty()) {
        return;
      }
      var passed = waiters.headMap(getLastAppliedTermIndex().getIndex(), true);
      passed.values().forEach(due::addAll);
      passed.clear();
    }
    due.forEach(waiter -> waiter.action().run());
  }

  /** Actions that still wait, for the machine that takes over. */
  NavigableMap<Long, List<Runnable>> takeWaiters() {
    NavigableMap<Long, List<Runnable>> taken = new TreeMap<>();
    synchronized (waiters) {
      waiters.forEach((index, all) -> taken.put(index, all.stream().map(Waiter::action).toList()));
      waiters.clear();
    }
    return taken;
  }

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
    host.logFailed(cause);
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto newConfiguration) {
    requireNonNull(configurationFile).written(term, index, newConfiguration);
    host.configurationChanged(newConfiguration);
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId groupMemberId, RaftPeerId newLeaderId) {
    boolean self = groupMemberId.getPeerId().equals(newLeaderId);
    host.leaderChanged(newLeaderId.toString());
    reports.seldom(
        Kind.LEADER,
        Severity.INFO,
        self ? "this member leads now" : "member %s leads now".formatted(newLeaderId));
  }

  @Override
  public void notifyFollowerSlowness(RoleInfoProto leaderInfo, RaftPeer slowFollower) {
    reports.seldom(
        Kind.SLOW_FOLLOWER,
        Severity.WARNING,
        "member %s at %s has not answered for 10 s; the site goes on without it while a majority does"
            .formatted(slowFollower.getId(), slowFollower.getAddress()));
  }

  @Override
  public void notifyExtendedNoLeader(RoleInfoProto roleInfoProto) {
    reports.seldom(
        Kind.NO_LEADER,
        Severity.ERROR,
        "no leader for 10 s, so nothing is committed; it takes a majority of the members that"
            + " vote");
  }
}
