package io.sedge.connector.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.UplinkException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of rows when the center, or the way to it, is not as it should be. */
final class CenterSinkTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("value", Type.DOUBLE).build();
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();
  private static final int KIB = 1_024;

  @TempDir private Path directory;
  private final CenterConnector connector = new CenterConnector();

  @SuppressWarnings("NullAway.Init") // Before each test.
  private FakeCenter center;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private TestContext context;

  @BeforeEach
  void start() throws IOException, GeneralSecurityException {
    center = new FakeCenter(directory);
    context = TestContext.live(directory);
  }

  @AfterEach
  void stop() {
    center.close();
  }

  private Sink open(String table, long recoveryPoint, String... options) throws Exception {
    Map<String, String> all = new HashMap<>(Map.of("credential", center.credential(0)));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    TableDescriptor descriptor =
        new TableDescriptor(table, SCHEMA, Map.of(), List.of(), List.of(), all, "test.sql:1");
    return connector
        .sink(descriptor, context)
        .orElseThrow()
        .open(
            Delivery.of(new Delivery.Writer("site", "plant", "delivery", table), 1, recoveryPoint));
  }

  private static NumberedBatch row(long sequence) {
    return new NumberedBatch(sequence, batch("m" + sequence, (double) sequence));
  }

  private static Batch batch(String machine, double value) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    builder.addRow(machine, value);
    return builder.build();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void rowsWaitWhileTheCenterIsAwayAndTheJobGoesOn() throws Exception {
    center.refuse(Reason.STORE_UNAVAILABLE);
    try (Sink sink = open("machines", 0)) {
      assertThat(sink.offer(row(1))).isTrue();
      await("a report", () -> !context.reports().isEmpty());
      assertThat(sink.flush()).isZero();
      center.refuse(null);
      await("delivery", () -> sink.flush() == 1);
    }
    assertThat(center.rows()).containsExactly("m1,1.0");
    assertThat(context.reports().getFirst())
        .isEqualTo(
            "WARNING table machines: as the test has it; rows wait, and are sent when it takes"
                + " them");
    assertThat(context.reports().getLast()).startsWith("INFO table machines: the center at 127.");
  }

  // Sites may be upgraded first, by mistake. A later version asks for paths that the center lacks.
  @Test
  void rowsWaitForACenterThatIsOlderThanTheSite() throws Exception {
    center.beOlder(true);
    try (Sink sink = open("machines", 0)) {
      sink.offer(row(1));
      await("a report", () -> !context.reports().isEmpty());
      assertThat(context.reports().getFirst())
          .isEqualTo(
              "ERROR table machines: the center does not know this version of the uplink: upgrade"
                  + " the center first; rows wait, and are sent when it takes them");
      center.beOlder(false);
      await("delivery", () -> sink.flush() == 1);
    }
    assertThat(center.rows()).containsExactly("m1,1.0");
  }

  @Test
  void bytesAreThoseOfTheLink() throws Exception {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int row = 0; row < 1_000; row++) {
      builder.addRow("a machine with a long name " + row % 10, 20 + row % 7 / 10.0);
    }
    try (Sink sink = open("machines", 0)) {
      sink.offer(new NumberedBatch(1, builder.build()));
      await("delivery", () -> sink.flush() == 1_000);
      assertThat(sink.bytes()).isEqualTo(center.rowsBytes()).isBetween(100L, 10_000L);
    }
  }

  // A proxy in between, or a center with a fault: rows are kept until they are stored.
  @Test
  void rowsThatTheCenterHasNotStoredAreNotForgotten() throws Exception {
    center.denyRows(true);
    try (Sink sink = open("machines", 0)) {
      sink.offer(row(1));
      await("a report", () -> !context.reports().isEmpty());
      assertThat(sink.flush()).isZero();
      assertThat(context.reports().getFirst())
          .startsWith("ERROR table machines: an answer that the rows up to sequence 0 are stored");
      center.denyRows(false);
      await("delivery", () -> sink.flush() == 1);
    }
    assertThat(center.rows()).containsExactly("m1,1.0");
  }

  // The center has stored them, but the site does not know: they come again, and once they stand.
  @Test
  void lostAnswersGiveNoDoubles() throws Exception {
    center.loseAnswers(3);
    try (Sink sink = open("machines", 0)) {
      sink.offer(row(1));
      sink.offer(row(2));
      await("delivery", () -> sink.flush() == 2);
    }
    assertThat(center.rows()).containsExactly("m1,1.0", "m2,2.0");
  }

  // The ledger that was put back gives the sequences of rows that the center has to other rows.
  @Test
  void aSiteThatWasPutBackIsRefusedAndNothingIsOverwritten() throws Exception {
    try (Sink sink = open("machines", 0)) {
      sink.offer(row(1));
      await("delivery", () -> sink.flush() == 1);
    }
    try (Sink sink = open("machines", 0)) {
      sink.offer(new NumberedBatch(1, batch("another", 7)));
      await("a report", () -> !context.reports().isEmpty());
      assertThat(context.reports().getFirst()).startsWith("ERROR table machines: other rows");
      assertThat(sink.flush()).isZero();
    }
    assertThat(center.rows()).containsExactly("m1,1.0");
  }

  @Test
  void aFullBufferRefusesRowsWhereTheyAreToWait() throws Exception {
    center.refuse(Reason.BUSY);
    try (Sink sink = open("machines", 0, "buffer.max-size", "1 kb")) {
      long taken = fill(sink);
      assertThat(taken).isLessThan(KIB);
      assertThat(sink.flush()).isZero();
      center.refuse(null);
      await("delivery", () -> sink.flush() == taken);
      assertThat(sink.offer(row(taken + 1))).isTrue();
    }
  }

  private static long fill(Sink sink) {
    long taken = 0;
    while (taken < KIB && sink.offer(row(taken + 1))) {
      taken++;
    }
    return taken;
  }

  // What is dropped is confirmed, so that the outbox has room, and is counted, so that it is known.
  @Test
  void aFullBufferDropsTheOldestWhereTheScriptSaysSo() throws Exception {
    center.refuse(Reason.BUSY);
    try (Sink sink = open("machines", 0, "buffer.max-size", "1 kb", "when-full", "drop-oldest")) {
      for (long sequence = 1; sequence <= KIB; sequence++) {
        long next = sequence;
        await("room", () -> sink.offer(row(next)));
      }
      await("room in the outbox", () -> sink.flush() > KIB / 2);
      center.refuse(null);
      await("delivery", () -> sink.flush() == KIB);
    }
    assertThat(center.rows()).last().isEqualTo("m1024,1024.0");
    assertThat(center.rows()).hasSizeLessThan(KIB / 2);
    assertThat(context.reports()).anyMatch(report -> report.contains("rows were dropped so far"));
  }

  @Test
  void rowsOfUrgentTablesGoFirst() throws Exception {
    center.refuse(Reason.BUSY);
    try (Sink normal = open("machines", 0);
        Sink urgent = open("alarms", 0, "priority", "urgent")) {
      // Many requests of the one, so that the other finds some before itself.
      Batch large = batch("x".repeat(700 * KIB), 0);
      for (int i = 1; i <= 5; i++) {
        normal.offer(new NumberedBatch(i, large));
      }
      await("a report", () -> !context.reports().isEmpty());
      urgent.offer(row(1));
      center.refuse(null);
      await("delivery", () -> urgent.flush() == 1);
      await("delivery", () -> normal.flush() == 5);
    }
    assertThat(center.order()).contains("alarms", "machines");
    assertThat(center.order()).last().isEqualTo("machines");
  }

  // Only a person can help, who may have the site report anew: the job must then get to know it.
  @Test
  void aCredentialThatIsNoMoreTakenIsAskedForAnew() throws Exception {
    TestContext standing = new TestContext(directory);
    context = standing;
    center.refuse(Reason.REVOKED);
    try (Sink sink = open("machines", 0)) {
      sink.offer(row(1));
      await("a report", () -> !standing.reports().isEmpty());
      assertThat(sink.flush()).isZero();
      standing.pass(Duration.ofMinutes(11).toMillis());
      assertThatThrownBy(() -> await("a failure", () -> sink.flush() > 0))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("as the test has it");
    }
  }

  @Test
  void whatIsNoCredentialIsRefusedWithoutQuotingIt() {
    assertThatThrownBy(() -> open("machines", 0, "credential", "hunter2"))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("'credential' is not what `sedge site report` sets")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void rowsOfARunAreOfAStreamOfTheirOwn() throws Exception {
    TableDescriptor table =
        new TableDescriptor(
            "machines",
            SCHEMA,
            Map.of(),
            List.of(),
            List.of(),
            Map.of("credential", center.credential(0)),
            "test.sql:1");
    for (int run = 0; run < 2; run++) {
      try (Sink sink = connector.sink(table, context).orElseThrow().open(Delivery.OF_A_RUN)) {
        sink.offer(row(1));
        await("delivery", () -> sink.flush() == 1);
      }
    }
    assertThat(center.rows()).containsExactly("m1,1.0", "m1,1.0");
  }

  @Test
  void onlyATableWithAKeyTakesUpdates() throws Exception {
    TableDescriptor keyed =
        new TableDescriptor(
            "machines",
            SCHEMA,
            Map.of(),
            List.of(0),
            List.of(),
            Map.of("credential", center.credential(0)),
            "test.sql:1");
    assertThat(connector.sink(keyed, context).orElseThrow().changelogMode())
        .isEqualTo(ChangelogMode.UPSERT);
  }

  @Test
  void aLimitedLinkGetsRowsThroughInSmallRequests() throws Exception {
    String limited = center.credential(400L * KIB);
    try (Sink sink = open("machines", 0, "credential", limited)) {
      for (int i = 1; i <= 4; i++) {
        sink.offer(new NumberedBatch(i, batch("x".repeat(150 * KIB) + i, i)));
      }
      await("delivery", () -> sink.flush() == 4);
    }
    assertThat(center.requests()).isGreaterThanOrEqualTo(4);
    assertThat(center.rows()).hasSize(4);
  }
}
