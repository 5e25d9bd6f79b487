package io.sedge.flink.cluster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeZonesTest {
  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, Europe/Berlin",
    "Etc/GMT+2, Etc/GMT+2",
    "UTC, UTC",
    "GMT+02:00, GMT+02:00",
    "GMT+2, GMT+02:00",
    "UTC-00:30, GMT-00:30",
    "UT+1, GMT+01:00",
    "+02:00, GMT+02:00",
    "-0330, GMT-03:30",
    "Z, UTC",
    "+0, UTC",
    "UT, UTC",
  })
  void aZoneHasFlinksNameAndTheSameTime(String written, String flinks) {
    ZoneId zone = ZoneId.of(written);
    assertThat(TimeZones.ofFlink(zone)).hasValue(flinks);
    assertThat(isTaken(flinks)).isTrue();
    assertThat(ZoneId.of(flinks).getRules().getOffset(Instant.EPOCH))
        .isEqualTo(zone.getRules().getOffset(Instant.EPOCH));
  }

  /** What Flink checks: TableConfigValidation, 2.3.0. */
  private static boolean isTaken(String zone) {
    return TimeZone.getTimeZone(zone).toZoneId().equals(ZoneId.of(zone));
  }

  @Test
  void allNamesOfTheDatabaseAreTaken() {
    assertThat(ZoneId.getAvailableZoneIds())
        .allMatch(zone -> TimeZones.ofFlink(ZoneId.of(zone)).filter(zone::equals).isPresent())
        .allMatch(TimeZonesTest::isTaken);
  }

  @Test
  void anOffsetWithSecondsIsNone() {
    assertThat(TimeZones.ofFlink(ZoneId.of("+02:30:15"))).isEmpty();
    assertThat(TimeZones.ofFlink(ZoneId.of("GMT-00:00:01"))).isEmpty();
  }
}
