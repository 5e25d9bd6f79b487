package io.sedge.alarm;

import static io.sedge.alarm.AlarmEvent.ACKNOWLEDGE;
import static io.sedge.alarm.AlarmEvent.CLEAR;
import static io.sedge.alarm.AlarmEvent.RAISE;
import static io.sedge.alarm.AlarmEvent.SETTLE;
import static io.sedge.alarm.AlarmEvent.SHELVE;
import static io.sedge.alarm.AlarmEvent.UNSHELVE;
import static io.sedge.alarm.AlarmEvent.WAIT;
import static io.sedge.alarm.AlarmState.ACKNOWLEDGED;
import static io.sedge.alarm.AlarmState.NORMAL;
import static io.sedge.alarm.AlarmState.RETURNED;
import static io.sedge.alarm.AlarmState.SHELVED;
import static io.sedge.alarm.AlarmState.SHELVED_NORMAL;
import static io.sedge.alarm.AlarmState.UNACKNOWLEDGED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state diagram of ANSI/ISA-18.2, arrow by arrow. */
final class AlarmStateTest {
  private static final List<AlarmEvent> EVENTS =
      List.of(RAISE, CLEAR, ACKNOWLEDGE, SHELVE, UNSHELVE);

  private static List<Optional<AlarmState>> of(Object... states) {
    return Arrays.stream(states)
        .map(
            state ->
                state instanceof AlarmState known
                    ? Optional.of(known)
                    : Optional.<AlarmState>empty())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(AlarmState.class)
  void eachEventLeadsWhereTheStandardSays(AlarmState from) {
    String no = "refused";
    List<Optional<AlarmState>> expected =
        switch (from) {
          case NORMAL -> of(UNACKNOWLEDGED, NORMAL, no, no, no);
          case UNACKNOWLEDGED -> of(UNACKNOWLEDGED, RETURNED, ACKNOWLEDGED, SHELVED, no);
          case ACKNOWLEDGED -> of(ACKNOWLEDGED, NORMAL, ACKNOWLEDGED, SHELVED, no);
          case RETURNED -> of(UNACKNOWLEDGED, RETURNED, NORMAL, SHELVED_NORMAL, no);
          case SHELVED -> of(SHELVED, SHELVED_NORMAL, no, SHELVED, UNACKNOWLEDGED);
          case SHELVED_NORMAL -> of(SHELVED, SHELVED_NORMAL, no, SHELVED_NORMAL, NORMAL);
        };
    assertThat(EVENTS.stream().map(from::after).toList()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(AlarmState.class)
  void delaysChangeNoState(AlarmState from) {
    assertThat(from.after(WAIT)).contains(from);
    assertThat(from.after(SETTLE)).contains(from);
  }

  // Bytes in ledgers have them.
  @Test
  void codesStayWhatTheyAre() {
    assertThat(Arrays.stream(AlarmState.values()).map(AlarmState::code))
        .containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(Arrays.stream(AlarmEvent.values()).map(AlarmEvent::code))
        .containsExactly(1, 2, 3, 4, 5, 6, 7);
    assertThat(Arrays.stream(AlarmPriority.values()).map(AlarmPriority::code))
        .containsExactly(1, 2, 3, 4);
  }
}
