package io.sedge.connector.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmReport;
import io.sedge.alarm.AlarmState;
import io.sedge.alarm.Alarms;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of machines over time; event time is in seconds after the context's first moment. */
final class AlarmSinkTest {
  private static final long START = 1_767_225_600_000L;
  private static final Delivery.Writer WRITER =
      new Delivery.Writer("a site", "plant", "delivery", "hot");

  private final TestContext context = new TestContext(Path.of(""));
  private final FencedAlarms alarms = new FencedAlarms();
  private Map<String, String> options = Map.of();
  private @Nullable Sink sink;
  private long row;

  private Sink open() {
    return new AlarmConnector()
        .keptIn(alarms.next())
        .sink(TestTable.with(options), context)
        .orElseThrow()
        .open(Delivery.of(WRITER, 1, 0));
  }

  private Sink sink() {
    Sink open = sink;
    if (open == null) {
      open = open();
      row = open.flush();
      sink = open;
    }
    return open;
  }

  /** The device dies; another goes on. */
  private void die() {
    sink = null;
  }

  private void row(ChangeKind kind, String machine, @Nullable Double value, double seconds) {
    Sink open = sink();
    BatchBuilder builder = new BatchBuilder(TestTable.SCHEMA);
    Object[] values = {
      machine,
      value,
      value == null ? null : value > 80,
      "<b>" + machine,
      (long) (START * 1_000 + seconds * 1e6)
    };
    for (int column = 0; column < values.length; column++) {
      builder.column(column).add(values[column]);
    }
    builder.endRow(kind);
    assertThat(open.offer(new NumberedBatch(row + 1, builder.build()))).isTrue();
    row++;
    assertThat(open.flush()).isEqualTo(row);
  }

  private void row(double value, double seconds) {
    row(ChangeKind.INSERT, "pump-2", value, seconds);
  }

  private void pass(long seconds) {
    context.pass(seconds * 1_000);
    sink().flush();
  }

  private List<AlarmState> states() {
    return alarms.alarms.read(view -> view.list().stream().map(Alarm::state).toList());
  }

  private List<String> events() {
    return alarms.alarms.read(
        view ->
            view.table("plant", "hot").changesAfter(0).stream()
                .map(AlarmChange::event)
                .map(AlarmEvent::name)
                .toList());
  }

  // ISA-18.2: without a deadband a value that swings about its limit chatters.
  @Test
  void anAlarmClearsBelowItsLimitByTheDeadband() {
    options = Map.of("value-column", "v", "high-limit", "80", "deadband", "5");
    row(80, 0);
    assertThat(states()).isEmpty();
    row(80.5, 1);
    row(75.5, 2);
    row(79, 3);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    row(75, 4);
    assertThat(states()).containsExactly(AlarmState.RETURNED);
    assertThat(events()).containsExactly("RAISE", "CLEAR");
  }

  @Test
  void aLowLimitHasItsDeadbandAboveIt() {
    options = Map.of("value-column", "v", "low-limit", "10", "deadband", "2", "high-limit", "80");
    row(9.9, 0);
    row(11.9, 1);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    row(12, 2);
    assertThat(states()).containsExactly(AlarmState.RETURNED);
  }

  @Test
  void theConditionMustHoldForTheOnDelayByTheTimeOfRows() {
    options =
        Map.of("value-column", "v", "high-limit", "80", "on-delay", "10 s", "time-column", "ts");
    row(90, 0);
    row(90, 5);
    row(70, 6);
    row(90, 7);
    row(90, 16.9);
    assertThat(states()).isEmpty();
    row(91, 17);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    assertThat(alarms.alarms.<Alarm>read(view -> view.list().getFirst()))
        .returns(91.0, Alarm::value)
        .returns(START + 17_000, Alarm::raisedAtMillis);
  }

  // A sensor that reports changes alone says nothing while the value stays too high.
  @Test
  void theOnDelayIsOverTooWhenNoRowSaysOtherwise() {
    options = Map.of("value-column", "v", "high-limit", "80", "on-delay", "10 s");
    row(90, 0);
    pass(9);
    assertThat(states()).isEmpty();
    pass(1);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
  }

  @Test
  void theOffDelayKeepsAnAlarmThatComesBack() {
    options = Map.of("condition-column", "bad", "value-column", "v", "off-delay", "10 s");
    row(90, 0);
    row(70, 1);
    pass(5);
    row(90, 6);
    pass(60);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    row(70, 70);
    pass(10);
    assertThat(events()).containsExactly("RAISE", "CLEAR");
  }

  // Who goes on must not wait anew, or wait for a row that never comes.
  @Test
  void aDelayGoesOnWhereAnotherDeviceDoes() {
    options = Map.of("value-column", "v", "high-limit", "80", "on-delay", "10 s");
    row(90, 0);
    die();
    pass(6);
    assertThat(states()).isEmpty();
    pass(5);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
  }

  // After a pause the delay is over by the clock, and what is measured by now is on its way.
  @Test
  void aDelayThatIsOverWhenSomebodyGoesOnWaitsForWhatIsOnItsWay() {
    options = Map.of("value-column", "v", "high-limit", "80", "on-delay", "10 s");
    row(90, 0);
    die();
    pass(3_600);
    assertThat(states()).isEmpty();
    row(70, 3_600);
    pass(60);
    assertThat(events()).isEmpty();
  }

  @Test
  void timeEndsNoDelayWhileRowsWaitThatMaySayOtherwise() {
    options = Map.of("value-column", "v", "high-limit", "80", "on-delay", "10 s");
    row(90, 0);
    row(ChangeKind.INSERT, "pump-3", 90.0, 0);
    alarms.lastRow = 3;
    die();
    pass(60);
    pass(60);
    assertThat(states()).isEmpty();
    row(70, 5);
    pass(1);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    assertThat(alarms.alarms.<String>read(view -> view.list().getFirst().key()))
        .isEqualTo("pump-3");
  }

  @Test
  void rowsThatOnlyRaiseClearAfterATime() {
    options = Map.of("clear-after", "1 min");
    row(90, 0);
    pass(59);
    row(90, 59);
    pass(59);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    pass(1);
    assertThat(states()).containsExactly(AlarmState.RETURNED);
  }

  @Test
  void aRowThatGoesTakesItsAlarmBack() {
    row(ChangeKind.INSERT, "pump-2", 90.0, 0);
    row(ChangeKind.UPDATE_BEFORE, "pump-2", 90.0, 0);
    row(ChangeKind.UPDATE_AFTER, "pump-2", 91.0, 0);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    row(ChangeKind.DELETE, "pump-2", 91.0, 0);
    assertThat(states()).containsExactly(AlarmState.RETURNED);
  }

  @Test
  void aValueThatIsNoNumberSaysNothing() {
    options = Map.of("value-column", "v", "high-limit", "80");
    row(90, 0);
    row(ChangeKind.INSERT, "pump-2", null, 1);
    row(Double.NaN, 2);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
    row(Double.POSITIVE_INFINITY, 3);
    row(Double.NEGATIVE_INFINITY, 4);
    assertThat(states()).containsExactly(AlarmState.RETURNED);
  }

  @Test
  void shelvingEndsByItself() {
    row(90, 0);
    alarms.alarms.apply(
        new AlarmAction(
            AlarmEvent.SHELVE,
            List.of(new AlarmAction.Target(1, 1)),
            "ann",
            context.clock().millis(),
            context.clock().millis() + 60_000,
            ""));
    assertThat(states()).containsExactly(AlarmState.SHELVED);
    pass(59);
    assertThat(states()).containsExactly(AlarmState.SHELVED);
    pass(1);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
  }

  // Names come from the field: one that is far too long must not hold up all others.
  @Test
  void aKeyThatIsTooLongIsShortenedAndStillAnotherThanThoseThatBeginSo() {
    row(ChangeKind.INSERT, "x".repeat(5_000), 90.0, 0);
    row(ChangeKind.INSERT, "x".repeat(5_001), 90.0, 1);
    row(ChangeKind.INSERT, "x".repeat(199) + "\uD83D\uDD25".repeat(99), 90.0, 2);
    assertThat(
            alarms.alarms.<List<String>>read(view -> view.list().stream().map(Alarm::key).toList()))
        .doesNotHaveDuplicates()
        .hasSize(3)
        .allSatisfy(key -> assertThat(key).startsWith("xxx").hasSizeLessThan(256))
        .allSatisfy(key -> assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(key)).isTrue());
  }

  private void fill(AlarmEvent event, int from, int to) {
    for (int i = from; i < to; i += AlarmBatch.MAX_REPORTS) {
      List<AlarmReport> all =
          IntStream.range(i, Math.min(to, i + AlarmBatch.MAX_REPORTS))
              .mapToObj(one -> new AlarmReport(event, "k" + one, START, 0, null, ""))
              .toList();
      assertThat(alarms.alarms.of("other").commit(batch("all", all))).isCompletedWithValue(true);
    }
  }

  private static AlarmBatch batch(String table, List<AlarmReport> reports) {
    return new AlarmBatch(table, AlarmPriority.LOW, 1, 1, START, reports, Map.of());
  }

  // A sensor that reports changes alone says nothing more.
  @Test
  void whatTheSiteHadNoRoomForIsRaisedWhenThereIs() {
    fill(AlarmEvent.RAISE, 0, Alarms.MAX_ALARMS);
    row(90, 0);
    row(ChangeKind.INSERT, "pump-3", 91.0, 0);
    pass(11);
    assertThat(events()).isEmpty();
    alarms.alarms.apply(
        new AlarmAction(
            AlarmEvent.ACKNOWLEDGE,
            List.of(new AlarmAction.Target(1, 0), new AlarmAction.Target(2, 0)),
            "ann",
            START,
            0,
            ""));
    fill(AlarmEvent.CLEAR, 0, 2);
    pass(11);
    pass(11);
    assertThat(events()).containsExactly("RAISE", "RAISE");
  }

  @Test
  void aTableTooManyHoldsUpNothing() {
    for (int i = 0; i < Alarms.MAX_TABLES; i++) {
      assertThat(alarms.alarms.of("other").commit(batch("t" + i, List.of())))
          .isCompletedWithValue(true);
    }
    options = Map.of("webhook.url", "http://127.0.0.1:1/");
    row(90, 0);
    row(91, 1);
    pass(11);
    assertThat(events()).isEmpty();
    assertThat(context.reports())
        .anyMatch(report -> report.contains("there are 64 tables of alarms already: remove a job"));
  }

  // Between two limits with wide deadbands the value alone does not say which one was passed.
  @Test
  void whoGoesOnKnowsWhichLimitWasPassed() {
    options =
        Map.of(
            "value-column",
            "v",
            "high-limit",
            "80",
            "low-limit",
            "10",
            "deadband",
            "5",
            "off-delay",
            "10 s");
    row(90, 0);
    row(74, 1);
    die();
    row(78, 2);
    pass(60);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
  }

  @Test
  void keysOfSeveralColumnsThatReadAlikeAreTwo() {
    Sink open =
        new AlarmConnector()
            .keptIn(alarms.next())
            .sink(TestTable.with(options, List.of(0, 3)), context)
            .orElseThrow()
            .open(Delivery.of(WRITER, 1, 0));
    BatchBuilder builder = new BatchBuilder(TestTable.SCHEMA);
    builder.addRow("a / b", 90.0, true, "c", 0L);
    builder.addRow("a", 90.0, true, "b / c", 0L);
    builder.addRow("plant/line", 90.0, true, "c", 0L);
    assertThat(open.offer(new NumberedBatch(1, builder.build()))).isTrue();
    assertThat(states()).hasSize(3);
    assertThat(
            alarms.alarms.<List<String>>read(view -> view.list().stream().map(Alarm::key).toList()))
        .contains("plant/line / c");
  }

  @Test
  void rowsThatAreOfferedAgainRaiseNothing() {
    row(90, 0);
    row(ChangeKind.DELETE, "pump-2", 90.0, 1);
    row(90, 2);
    Sink first = sink();
    die();
    Sink second = sink();
    assertThat(second.flush()).as("what is there").isEqualTo(3);
    assertThat(events()).containsExactly("RAISE", "CLEAR", "RAISE");
    BatchBuilder builder = new BatchBuilder(TestTable.SCHEMA);
    builder.addRow("pump-3", 1.0, true, "", 0L);
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> first.offer(new NumberedBatch(4, builder.build())))
        .withMessage("table hot: alarms are not taken from here: another one goes on");
    assertThat(states()).hasSize(1);
  }

  @Test
  void whoeverWatchesTheLogLearnsOfAnAlarmOnce() {
    row(90, 0);
    pass(1);
    row(91, 2);
    pass(1);
    assertThat(context.reports()).containsExactly("WARNING table hot: alarm 1, medium: pump-2");
  }
}
