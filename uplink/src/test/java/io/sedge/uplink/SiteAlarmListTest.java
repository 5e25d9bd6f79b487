package io.sedge.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmList;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmState;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteAlarmListTest {
  private static Alarm alarm(long id, int length) {
    return new Alarm(
        id,
        "plant",
        "hot",
        AlarmPriority.HIGH,
        "pump-" + id,
        AlarmState.UNACKNOWLEDGED,
        1,
        id,
        id,
        81.5,
        "x".repeat(length),
        0,
        0,
        0,
        "",
        "");
  }

  /** The center takes no more bytes, nor more alarms; the counts stay those of all. */
  @ParameterizedTest
  @CsvSource({"3, 10, 3", "1000, 10, 1000", "1500, 10, 1000", "1500, 3000, 500", "900, 3000, 450"})
  void asManyOfTheMostUrgentTravelAsFit(int many, int length, int told) throws Exception {
    List<Alarm> alarms = LongStream.rangeClosed(1, many).mapToObj(id -> alarm(id, length)).toList();
    AlarmCounts counts = new AlarmCounts(9, many, many, 0, many, true, 3, 40, 0);
    byte[] bytes = new SiteAlarmList(7, new AlarmList(1, counts, alarms)).fitting();
    assertThat(bytes).hasSizeLessThanOrEqualTo(Uplink.MAX_ALARMS_BYTES);
    SiteAlarmList read = SiteAlarmList.read(bytes);
    assertThat(read.index()).isEqualTo(7);
    assertThat(read.alarms().counts()).isEqualTo(counts);
    assertThat(read.alarms().alarms()).isEqualTo(alarms.subList(0, told));
  }
}
