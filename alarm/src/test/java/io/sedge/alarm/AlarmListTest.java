package io.sedge.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AlarmListTest {
  private static final AlarmCounts COUNTS = new AlarmCounts(70, 2, 3, 1, 12, true, 4, 500, 6);

  private static Alarm alarm(long id, AlarmState state) {
    return new Alarm(
        id,
        "plant",
        "hot",
        AlarmPriority.HIGH,
        "pump-" + id,
        state,
        3,
        1_000,
        2_000,
        id == 1 ? null : 81.5,
        "bearing \u6e29\u5ea6",
        5,
        6,
        state.isShelved() ? 9_000 : 0,
        "anna",
        "note");
  }

  @Test
  void bytesHaveAllOfIt() throws IOException {
    AlarmList list =
        new AlarmList(
            7, COUNTS, List.of(alarm(1, AlarmState.UNACKNOWLEDGED), alarm(2, AlarmState.SHELVED)));
    assertThat(AlarmList.of(list.bytes())).isEqualTo(list);
    assertThat(list.first(1).alarms()).containsExactly(list.alarms().getFirst());
    assertThat(list.first(1).counts()).isEqualTo(COUNTS);
    assertThat(list.first(2)).isSameAs(list);
  }

  @Test
  void bytesThatAreCutAnywhereAreRefused() {
    byte[] bytes = new AlarmList(7, COUNTS, List.of(alarm(1, AlarmState.RETURNED))).bytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> AlarmList.of(cut))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> AlarmList.of(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void countsAreThoseOfBoth() {
    AlarmCounts other = new AlarmCounts(1, 1, 1, 1, 1, false, 1, 1, 1);
    assertThat(COUNTS.plus(other)).isEqualTo(new AlarmCounts(71, 3, 4, 2, 13, true, 5, 501, 7));
    assertThat(AlarmCounts.NONE.plus(COUNTS)).isEqualTo(COUNTS);
  }
}
