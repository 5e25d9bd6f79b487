package io.sedge.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class AlarmsTest {
  private static final long MINUTE = 60_000;
  private static final long NOW = 1_767_225_600_000L;

  private final Alarms alarms = new Alarms();
  private long row;

  private void report(long atMillis, AlarmEvent event, String key) {
    report("hot", atMillis, List.of(new AlarmReport(event, key, atMillis - 5, 0, 81.5, "too hot")));
  }

  private void report(String table, long atMillis, List<AlarmReport> reports) {
    row++;
    assertThat(
            alarms.apply(
                "plant",
                new AlarmBatch(table, AlarmPriority.HIGH, row, row, atMillis, reports, Map.of())))
        .isTrue();
  }

  private int act(AlarmEvent event, long id, long raised, long untilMillis) {
    return alarms.apply(
        new AlarmAction(
            event, List.of(new AlarmAction.Target(id, raised)), "ann", NOW, untilMillis, "seen"));
  }

  private Alarm only() {
    assertThat(alarms.list()).hasSize(1);
    return alarms.list().getFirst();
  }

  @Test
  void anAlarmLivesFromRaisedToAcknowledgedToCleared() {
    report(NOW, AlarmEvent.RAISE, "pump-2");
    assertThat(only())
        .isEqualTo(
            new Alarm(
                1,
                "plant",
                "hot",
                AlarmPriority.HIGH,
                "pump-2",
                AlarmState.UNACKNOWLEDGED,
                1,
                NOW - 5,
                NOW,
                81.5,
                "too hot",
                0,
                0,
                0,
                "",
                ""));
    assertThat(act(AlarmEvent.ACKNOWLEDGE, 1, 1, 0)).isOne();
    assertThat(only().state()).isEqualTo(AlarmState.ACKNOWLEDGED);
    assertThat(only().by()).isEqualTo("ann");
    report(NOW + 1, AlarmEvent.CLEAR, "pump-2");
    assertThat(alarms.list()).isEmpty();
    assertThat(alarms.history(1))
        .extracting(AlarmChange::event, AlarmChange::state, AlarmChange::by)
        .containsExactly(
            tuple(AlarmEvent.RAISE, AlarmState.UNACKNOWLEDGED, ""),
            tuple(AlarmEvent.ACKNOWLEDGE, AlarmState.ACKNOWLEDGED, "ann"),
            tuple(AlarmEvent.CLEAR, AlarmState.NORMAL, ""));
  }

  // Whoever acknowledges what he saw must not silence what he has not seen.
  @Test
  void anAlarmThatWasRaisedAgainIsNotAcknowledgedByWhoSawTheOneBefore() {
    report(NOW, AlarmEvent.RAISE, "pump-2");
    report(NOW, AlarmEvent.CLEAR, "pump-2");
    report(NOW, AlarmEvent.RAISE, "pump-2");
    assertThat(only().raised()).isEqualTo(2);
    assertThat(act(AlarmEvent.ACKNOWLEDGE, 1, 1, 0)).isZero();
    assertThat(only().state()).isEqualTo(AlarmState.UNACKNOWLEDGED);
    assertThat(act(AlarmEvent.ACKNOWLEDGE, 1, 2, 0)).isOne();
    assertThat(act(AlarmEvent.ACKNOWLEDGE, 1, 2, 0)).as("a second time").isZero();
  }

  @Test
  void aNumberIsNeverGivenToAnotherAlarm() {
    report(NOW, AlarmEvent.RAISE, "pump-2");
    act(AlarmEvent.ACKNOWLEDGE, 1, 0, 0);
    report(NOW, AlarmEvent.CLEAR, "pump-2");
    report(NOW, AlarmEvent.RAISE, "pump-2");
    assertThat(only().id()).isEqualTo(2);
  }

  @Test
  void aShelvedAlarmComesBackUnacknowledgedIfItsConditionHolds() {
    report(NOW, AlarmEvent.RAISE, "pump-2");
    assertThat(act(AlarmEvent.SHELVE, 1, 0, NOW + MINUTE)).isOne();
    assertThat(only().shelvedUntilMillis()).isEqualTo(NOW + MINUTE);
    unshelve(NOW + MINUTE);
    assertThat(only().state()).isEqualTo(AlarmState.UNACKNOWLEDGED);
    assertThat(only().message()).isEqualTo("too hot");
    assertThat(only().shelvedUntilMillis()).isZero();
  }

  private void unshelve(long untilMillis) {
    AlarmReport over =
        new AlarmReport(AlarmEvent.UNSHELVE, "pump-2", untilMillis, untilMillis, null, "");
    report("hot", untilMillis, List.of(over));
  }

  // Whoever saw that its time is over may be late.
  @Test
  void anAlarmThatWasShelvedAnewStaysSo() {
    report(NOW, AlarmEvent.RAISE, "pump-2");
    act(AlarmEvent.SHELVE, 1, 0, NOW + MINUTE);
    act(AlarmEvent.SHELVE, 1, 0, NOW + 2 * MINUTE);
    unshelve(NOW + MINUTE);
    assertThat(only().state()).isEqualTo(AlarmState.SHELVED);
  }

  @Test
  void aPriorityThatIsChangedIsThatOfAlarmsThatThereAre() {
    report(NOW, AlarmEvent.RAISE, "pump-2");
    AlarmBatch batch =
        new AlarmBatch("hot", AlarmPriority.CRITICAL, 2, 2, NOW, List.of(), Map.of());
    assertThat(alarms.apply("plant", batch)).isTrue();
    assertThat(only().priority()).isEqualTo(AlarmPriority.CRITICAL);
  }

  // A device without a clock of its own begins in another year.
  @Test
  void aClockThatWasFarAheadHoldsUpNoCounting() {
    report(NOW + 1_000 * MINUTE, AlarmEvent.RAISE, "pump-0");
    for (int i = 1; i < 12; i++) {
      report(NOW, AlarmEvent.RAISE, "pump-" + i);
    }
    assertThat(alarms.counts(NOW).raisedInTenMinutes()).isEqualTo(11);
    assertThat(alarms.counts(NOW + 11 * MINUTE).raisedInTenMinutes()).isZero();
  }

  @Test
  void shelvingHasAnEnd() {
    for (long until : new long[] {NOW, NOW - 1, NOW + AlarmAction.MAX_SHELVED.toMillis() + 1}) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> act(AlarmEvent.SHELVE, 1, 0, until))
          .withMessage("alarms are shelved for a time above zero and of 7 days at most");
    }
  }

  @Test
  void whatWaitsToBeRaisedIsKeptButNotListed() {
    report("hot", NOW, List.of(new AlarmReport(AlarmEvent.WAIT, "p", NOW, NOW + 9, 1.0, "")));
    assertThat(alarms.list()).isEmpty();
    assertThat(alarms.table("plant", "hot").alarms()).hasSize(1);
    report(NOW, AlarmEvent.SETTLE, "p");
    assertThat(alarms.table("plant", "hot").alarms()).isEmpty();
    assertThat(alarms.history(1)).isEmpty();
  }

  // EEMUA 191: more than 10 in 10 minutes for one operator.
  @Test
  void moreThanTenAlarmsInTenMinutesAreAFlood() {
    for (int i = 0; i < 10; i++) {
      report(NOW + i, AlarmEvent.RAISE, "k" + i);
    }
    assertThat(alarms.counts(NOW).flood()).isFalse();
    report(NOW + 9 * MINUTE, AlarmEvent.RAISE, "k10");
    AlarmCounts counts = alarms.counts(NOW + 9 * MINUTE);
    assertThat(counts.flood()).isTrue();
    assertThat(counts.floods()).isOne();
    assertThat(counts.raisedInTenMinutes()).isEqualTo(11);
    assertThat(alarms.counts(NOW + 10 * MINUTE).flood()).as("when it is over").isFalse();
    report(NOW + 11 * MINUTE, AlarmEvent.RAISE, "k11");
    assertThat(alarms.counts(NOW + 11 * MINUTE).floods()).isOne();
    assertThat(alarms.counts(NOW + 11 * MINUTE).raised()).isEqualTo(12);
  }

  @Test
  void aClockThatIsSetBackCountsOn() {
    for (int i = 0; i < 11; i++) {
      report(NOW - MINUTE / 2 * i, AlarmEvent.RAISE, "k" + i);
    }
    assertThat(alarms.counts(NOW - 5 * MINUTE).raisedInTenMinutes()).isEqualTo(11);
    assertThat(alarms.counts(NOW + 300 * MINUTE).raisedInTenMinutes()).isZero();
  }

  @Test
  void whatIsBeyondTheMostIsRefusedAndCounted() {
    List<AlarmReport> reports = new ArrayList<>();
    for (int i = 0; i < Alarms.MAX_ALARMS + 3; i++) {
      reports.add(new AlarmReport(AlarmEvent.RAISE, "k" + i, NOW, 0, null, ""));
      if (reports.size() == AlarmBatch.MAX_REPORTS) {
        report("t" + i / AlarmBatch.MAX_REPORTS % 2, NOW, reports);
        reports.clear();
      }
    }
    report("t", NOW, reports);
    assertThat(alarms.list()).hasSize(Alarms.MAX_ALARMS);
    assertThat(alarms.counts(NOW).refused()).isEqualTo(3);
    assertThat(alarms.table("plant", "t0").changesAfter(0)).hasSize(AlarmTable.MAX_CHANGES);
    assertThat(alarms.bytes().length).isLessThan(2 << 20);
  }

  @Test
  void thereAreSoManyTablesAndNoMore() {
    AlarmBatch batch = new AlarmBatch("t", AlarmPriority.LOW, 1, 1, NOW, List.of(), Map.of());
    for (int i = 0; i < Alarms.MAX_TABLES; i++) {
      assertThat(alarms.apply("job" + i, batch)).isTrue();
    }
    assertThat(alarms.apply("another", batch)).isFalse();
    alarms.keepTables("job0", List.of());
    assertThat(alarms.apply("another", batch)).isTrue();
  }

  @Test
  void thoseThatAskForAttentionComeFirstThenTheMostSevereThenTheNewest() {
    report(NOW, AlarmEvent.RAISE, "seen");
    act(AlarmEvent.ACKNOWLEDGE, 1, 0, 0);
    report(NOW + 1, AlarmEvent.RAISE, "old");
    report(NOW + 2, AlarmEvent.RAISE, "new");
    alarms.apply(
        "plant",
        new AlarmBatch(
            "worse",
            AlarmPriority.CRITICAL,
            9,
            9,
            NOW,
            List.of(new AlarmReport(AlarmEvent.RAISE, "worst", NOW, 0, null, "")),
            Map.of()));
    assertThat(alarms.list()).extracting(Alarm::key).containsExactly("worst", "new", "old", "seen");
  }

  // Members compare snapshots by their bytes.
  @Test
  void bytesAreReadAsTheyWereWritten() throws IOException {
    long seed = Long.getLong("sedge.seed", System.nanoTime());
    Random random = new Random(seed);
    AlarmEvent[] events = AlarmEvent.values();
    for (int i = 0; i < 400; i++) {
      AlarmEvent event = events[random.nextInt(events.length)];
      if (event.isOperators()) {
        act(event, random.nextInt(20), 0, event == AlarmEvent.SHELVE ? NOW + 1 : 0);
      } else {
        report(NOW + i * 1_000L, event, "é" + random.nextInt(10));
      }
    }
    byte[] bytes = alarms.bytes();
    Alarms read = Alarms.of(bytes);
    assertThat(read.bytes()).as("seed %d", seed).isEqualTo(bytes);
    assertThat(read.list()).isEqualTo(alarms.list());
    assertThat(read.counts(NOW)).isEqualTo(alarms.counts(NOW));
    for (int length = 0; length < bytes.length; length += 97) {
      byte[] torn = Arrays.copyOf(bytes, length);
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> Alarms.of(torn));
    }
  }

  @Test
  void longTextsAreCutAndNoCharacterIsTorn() {
    String long512 = "a".repeat(510) + "\uD83D\uDD25\uD83D\uDD25";
    AlarmReport report = new AlarmReport(AlarmEvent.RAISE, "k", 0, 0, null, long512);
    assertThat(report.message()).isEqualTo("a".repeat(510) + "…");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new AlarmReport(AlarmEvent.RAISE, "k".repeat(257), 0, 0, null, ""))
        .withMessage("a key of 257 characters; 256 are allowed");
  }
}
