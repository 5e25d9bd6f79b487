package io.sedge.replication.testkit;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerListener.Severity;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.MemberOptions;
import io.sedge.replication.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A site's members in this process, each with a directory and a port of its own. */
public final class Members implements AutoCloseable {
  public static final Duration TIMEOUT = Duration.ofSeconds(30);
  public static final String HOST = "127.0.0.1";

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final Path root;
  private final Map<String, MemberOptions> options = new HashMap<>();
  private final List<LedgerMember> open = new ArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private Optional<Tls> tls = Optional.empty();

  /** Less than by default: tests wait for elections. */
  private Duration electionTimeout = Duration.ofMillis(450);

  private long reserveBytes = 1;
  private long snapshotBytes = MemberOptions.DEFAULT_SNAPSHOT_BYTES;

  public Members(Path root) {
    this.root = root;
  }

  public Members withTls(Tls certificates) {
    tls = Optional.of(certificates);
    return this;
  }

  /** Of members that are made after this. */
  public Members withElectionTimeout(Duration timeout) {
    electionTimeout = timeout;
    return this;
  }

  public Members withReserveBytes(long bytes) {
    reserveBytes = bytes;
    return this;
  }

  public Members withSnapshotBytes(long bytes) {
    snapshotBytes = bytes;
    return this;
  }

  /**
   * Of those that systems give to nobody who connects, so that nobody takes it by chance. No two
   * askers get the same.
   */
  public static int freePort() {
    IOException last = new IOException("no port was tried");
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        if (GIVEN.add(port)) {
          return port;
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new UncheckedIOException(last);
  }

  public MemberOptions options(String name) {
    return options.computeIfAbsent(
        name,
        _ ->
            new MemberOptions(
                root.resolve(name),
                name,
                HOST,
                freePort(),
                tls,
                electionTimeout,
                MemberOptions.DEFAULT_OUTSTANDING_BYTES,
                reserveBytes,
                snapshotBytes,
                (severity, message) -> report(name, severity, message)));
  }

  private void report(String name, Severity severity, String message) {
    reports.add("%s %s %s".formatted(name, severity, message));
  }

  /** What the members have said. */
  public List<String> reports() {
    return List.copyOf(reports);
  }

  public LedgerMember found(String name) throws Exception {
    return leading(add(LedgerMember.found(options(name))));
  }

  public LedgerMember join(String name, LedgerMember through) throws Exception {
    LedgerMember newcomer = start(name, through.invite());
    through.add(newcomer.self(), TIMEOUT);
    return newcomer;
  }

  /** A newcomer that nobody has added. */
  public LedgerMember start(String name, Invitation invitation) throws Exception {
    return add(LedgerMember.join(options(name), invitation));
  }

  public LedgerMember open(String name) throws Exception {
    return add(LedgerMember.open(options(name)));
  }

  private LedgerMember add(LedgerMember member) {
    open.add(member);
    return member;
  }

  private static LedgerMember leading(LedgerMember member) throws Exception {
    Await.until("a site of one leads itself", member::isLeader);
    return member;
  }

  public LedgerMember leader() throws Exception {
    Await.until("one leads", () -> open.stream().anyMatch(LedgerMember::isLeader));
    return open.stream().filter(LedgerMember::isLeader).findFirst().orElseThrow();
  }

  public void close(LedgerMember member) {
    open.remove(member);
    member.close();
  }

  public static Answer ask(Ledger ledger, Command command) throws Exception {
    return ledger.submit(command).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  /** The index at which it was done. */
  public static Answer.Done done(Ledger ledger, Command command) throws Exception {
    Answer answer = ask(ledger, command);
    if (answer instanceof Answer.Done done) {
      return done;
    }
    throw new AssertionError(command + " was answered " + answer);
  }

  @Override
  public void close() {
    List.copyOf(open).reversed().forEach(this::close);
  }
}
