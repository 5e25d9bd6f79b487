package io.sedge.replication.internal;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.SiteState;
import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.LogCounts;
import io.sedge.replication.MemberOptions;
import io.sedge.replication.internal.Reports.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * A member: Ratis's server in this process, a way to the leader, and a watch that looks at disk and
 * server some times a second.
 *
 * <p>States: RUNNING; FAILED when the log could not be written or the server has ended by itself:
 * it is made anew when there is room, at most once a second; REMOVED when a configuration was
 * applied in which this member is missing, STOPPED when it must not go on, CLOSED: these three are
 * final.
 */
public final class RatisMember implements ReplicatedMachine.Host {
  private static final long WATCH_MILLIS = 500;
  private static final long REOPEN_MILLIS = 1_000;

  private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(3);

  /** Longer than slow disks take for an entry; less than devices wait for the ledger. */
  private static final Duration BEGIN_PATIENCE = Duration.ofSeconds(2);

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
  private final LeaderClient leaderClient;
  private final Membership membership;
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
    Present present = new Now();
    this.leaderClient = new LeaderClient(identity, options, present, reports);
    this.membership = new Membership(identity, options, present, leaderClient, reports);
    this.watch =
        Thread.ofPlatform()
            .daemon()
            .name("sedge-ledger-watch-" + identity.id())
            .unstarted(this::watch);
    disk.check();
    this.server = startServer();
    this.shown = server.machine();
    leaderClient.start();
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
    return leaderClient.submit(command);
  }

  public CompletableFuture<Answer> tell(Command command) {
    return leaderClient.tell(command);
  }

  /** Who belongs. */
  public Membership membership() {
    return membership;
  }

  @Override
  public boolean hears() {
    return state == State.RUNNING
        && server.leadsMajority(options.electionTimeout().toMillis() * 3 / 2);
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

  public Optional<String> leader() {
    return Optional.ofNullable(server.leader()).map(RaftPeerId::toString);
  }

  public boolean isLeader() {
    return state == State.RUNNING && server.isLeader();
  }

  public boolean hasLed(String address) {
    return membership.members().stream()
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
        leaderClient.ask(
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
      server.close(); // Answers what waits in it, so that what sends ends.
      leaderClient.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.close();
    }
  }

  /** This member, to what acts for it. */
  private final class Now implements Present {
    @Override
    public LocalServer server() {
      return server;
    }

    @Override
    public boolean isRunning() {
      return state == State.RUNNING;
    }

    @Override
    public boolean hears() {
      return RatisMember.this.hears();
    }

    @Override
    public boolean goesOn() {
      State present = state;
      return present == State.RUNNING || present == State.FAILED;
    }

    @Override
    public boolean isClosing() {
      return ending.getCount() == 0;
    }

    @Override
    public boolean pause(Duration time) throws InterruptedException {
      return !ending.await(time.toMillis(), TimeUnit.MILLISECONDS) && goesOn();
    }
  }
}
