package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmList;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmState;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.uplink.SiteAlarmList;
import io.sedge.uplink.UplinkException;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The alarms of sites, in each database. */
class SiteAlarmsTest extends StoreTestBase {
  private static final Optional<String> ALL = Optional.empty();

  SiteAlarmsTest(TestDatabase database) {
    super(database);
  }

  private static Alarm alarm(
      long id, AlarmPriority priority, AlarmState state, long raisedAt, @Nullable Double value) {
    return new Alarm(
        id,
        "plant",
        "hot",
        priority,
        "pump-" + id,
        state,
        2,
        raisedAt,
        raisedAt + 1,
        value,
        "bearing \u6e29\u5ea6",
        0,
        0,
        state.isShelved() ? 99_000 : 0,
        "anna",
        "");
  }

  private static SiteAlarmList list(Alarm... alarms) {
    return list(1, alarms);
  }

  private static SiteAlarmList list(long index, Alarm... alarms) {
    return new SiteAlarmList(
        index,
        new AlarmList(
            1, new AlarmCounts(9, alarms.length, 1, 0, 12, true, 3, 40, 0), List.of(alarms)));
  }

  private List<String> shown(Optional<String> site, int limit) throws StoreException {
    return store.alarms().list(site, limit).stream()
        .map(one -> one.site() + "/" + one.alarm().id())
        .toList();
  }

  @Test
  void theMostUrgentOfAllSitesComeFirstAsASiteItselfSortsThem() throws Exception {
    store.sites().enrol("south", "ledger-south", "key-south");
    Alarm low = alarm(1, AlarmPriority.LOW, AlarmState.UNACKNOWLEDGED, 50, 81.5);
    Alarm seen = alarm(2, AlarmPriority.CRITICAL, AlarmState.ACKNOWLEDGED, 60, null);
    Alarm shelved = alarm(3, AlarmPriority.CRITICAL, AlarmState.SHELVED, 70, -1e300);
    store.alarms().tell(SITE, list(low, seen, shelved));
    Alarm over = alarm(1, AlarmPriority.HIGH, AlarmState.RETURNED, 10, 0.0);
    Alarm later = alarm(2, AlarmPriority.HIGH, AlarmState.UNACKNOWLEDGED, 11, 1.0);
    store.alarms().tell("south", list(over, later));
    reopen();
    assertThat(shown(ALL, 10))
        .containsExactly("south/2", "south/1", "north/1", "north/2", "north/3");
    assertThat(shown(ALL, 2)).containsExactly("south/2", "south/1");
    assertThat(store.alarms().list(Optional.of(SITE), 10))
        .extracting(SiteAlarms.OfSite::alarm)
        .isEqualTo(List.of(low, seen, shelved).stream().sorted(Alarm.BY_URGENCY).toList());
    assertThat(store.alarms().counts(ALL))
        .extracting(SiteAlarms.Told::site)
        .containsExactly(SITE, "south");
    assertThat(store.alarms().counts(Optional.of("south")).getFirst().counts())
        .isEqualTo(list(over, later).alarms().counts());

    store.sites().revoke("south");
    assertThat(shown(ALL, 10)).containsExactly("north/1", "north/2", "north/3");
    assertThat(store.alarms().counts(ALL)).hasSize(1);
  }

  @Test
  void whatASiteTellsStandsInPlaceOfWhatItToldBefore() throws Exception {
    store
        .alarms()
        .tell(
            SITE,
            list(
                LongStream.rangeClosed(1, 1_000)
                    .mapToObj(
                        id -> alarm(id, AlarmPriority.LOW, AlarmState.UNACKNOWLEDGED, id, 1.0))
                    .toArray(Alarm[]::new)));
    assertThat(shown(ALL, 2_000)).hasSize(SiteAlarms.OF_EACH);
    assertThat(shown(Optional.of(SITE), 2_000)).hasSize(1_000);
    assertThat(store.alarms().size(ALL)).isEqualTo(1_000);
    now = now.plusSeconds(5);
    Alarm left =
        new Alarm(
            7,
            "plant",
            "hot",
            AlarmPriority.LOW,
            "a\0b",
            AlarmState.RETURNED,
            3,
            4,
            5,
            Double.NaN,
            "",
            0,
            0,
            0,
            "",
            "");
    store.alarms().tell(SITE, list(left));
    assertThat(shown(ALL, 10)).containsExactly("north/7");
    assertThat(store.alarms().list(ALL, 10).getFirst().alarm().key()).isEqualTo("a b");
    assertThat(store.alarms().counts(ALL).getFirst().at()).isEqualTo(now);
    store.alarms().tell(SITE, list());
    assertThat(shown(ALL, 10)).isEmpty();
  }

  /** A leader that another one has followed, whose request was on its way for long. */
  @Test
  void whatIsOlderDoesNotReplaceWhatIsLaterUnlessTheSiteWasPutBack() throws Exception {
    store.alarms().tell(SITE, list(7));
    Alarm old = alarm(1, AlarmPriority.HIGH, AlarmState.UNACKNOWLEDGED, 1, 1.0);
    now = now.plusSeconds(60);
    refusedWith(Reason.BUSY, () -> store.alarms().tell(SITE, list(6, old)));
    assertThat(shown(ALL, 10)).isEmpty();
    now = now.plusSeconds(61);
    store.alarms().tell(SITE, list(6, old));
    assertThat(shown(ALL, 10)).containsExactly("north/1");
  }

  @Test
  void aFloodThatNobodySpeaksOfAnyMoreIsOver() throws Exception {
    store.alarms().tell(SITE, list());
    assertThat(store.alarms().counts(ALL).getFirst().counts().flood()).isTrue();
    now = now.plusSeconds(600);
    assertThat(store.alarms().counts(ALL).getFirst().counts().flood()).isFalse();
    assertThat(store.alarms().counts(ALL).getFirst().counts().raisedInTenMinutes()).isZero();
  }

  @Test
  void whatNoSiteCanHaveIsRefused() throws Exception {
    Alarm alarm = alarm(1, AlarmPriority.HIGH, AlarmState.RETURNED, 1, 1.0);
    assertThat(SiteAlarmList.read(list(alarm).bytes())).isEqualTo(list(alarm));
    AlarmCounts less = new AlarmCounts(9, -50, 1, 0, 0, false, 0, 0, 0);
    List<SiteAlarmList> wrong =
        List.of(
            list(alarm, alarm),
            list(alarm(1, AlarmPriority.HIGH, AlarmState.NORMAL, 1, 1.0)),
            new SiteAlarmList(1, new AlarmList(1, less, List.of())));
    for (SiteAlarmList one : wrong) {
      assertThatThrownBy(() -> SiteAlarmList.read(one.bytes()))
          .isInstanceOf(UplinkException.class)
          .extracting(e -> ((UplinkException) e).reason())
          .isEqualTo(UplinkException.Reason.MALFORMED);
    }
  }
}
