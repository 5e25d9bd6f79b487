package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.LogLine;
import io.sedge.site.SiteControl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that no flood fills. */
class DeviceLogTest {
  private static final long SECOND = 1_000_000_000;

  private final List<String> said = new ArrayList<>();
  private long now = Long.MAX_VALUE - 5 * SECOND; // It may overflow.
  private final DeviceLog log =
      new DeviceLog(() -> Instant.EPOCH, () -> now, line -> said.add(line.text()));

  private void pass(long seconds) {
    now += seconds * SECOND;
    log.tell();
  }

  private void add(String message) {
    log.add(Severity.WARNING, "plant/press", message);
  }

  @Test
  void repeatsAreToldOnceAndCounted() {
    for (int i = 0; i < 1_000; i++) {
      add("the broker is gone, tried again in %d s".formatted(i));
    }
    assertThat(said).containsExactly("the broker is gone, tried again in 0 s");
    assertThat(log.lines("plant", 0))
        .extracting(LogLine::text)
        .containsExactly("the broker is gone, tried again in 0 s (… 999 more like this)");
    pass(10);
    assertThat(said.getLast())
        .isEqualTo(
            "… 999 more like this in the last 10 s: the broker is gone, tried again in 999 s");
    add("the broker is gone, tried again in 7 s");
    pass(59);
    assertThat(said).hasSize(2);
    pass(1);
    assertThat(said.getLast())
        .isEqualTo("… 1 more like this in the last 60 s: the broker is gone, tried again in 7 s");
    assertThat(log.lines("plant", 0)).extracting(LogLine::repeats).containsExactly(0L, 999L, 1L);
    pass(60);
    assertThat(said).hasSize(3);
    add("the broker is gone, tried again in 1 s");
    assertThat(said.getLast()).isEqualTo("the broker is gone, tried again in 1 s");
    assertThat(log.count(Severity.WARNING)).isEqualTo(1_002);
  }

  @Test
  void whatIsSaidOfOthersIsNoRepeat() {
    add("device gateway-1 is gone");
    add("device gateway-2 is gone");
    log.add(Severity.WARNING, "plant/mill", "device gateway-1 is gone");
    log.add(Severity.ERROR, "plant/press", "device gateway-1 is gone");
    assertThat(said).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tried again in 30 s | tried again in # s",
        "after 12ms, (3 of 4) | after # # of #",
        "valid until 2026-11-21T12:00:00Z | valid until #",
        "1,024 rows, 12.5% | # rows, #",
        "refused 10.0.0.7:53422: late | refused 10.0.0.7: late",
        "refused 10.0.0.8: late | refused 10.0.0.8: late",
        "task plant/numbers/2 goes to d2 | task plant/numbers/2 goes to d2",
      })
  void onlyNumbersAreLeftOut(String message, String kind) {
    assertThat(MessageKind.of(Severity.INFO, "", message).text()).isEqualTo(kind);
  }

  @Test
  void aFloodOfDifferentMessagesIsCutAndCountedAndErrorsStillGetThrough() {
    for (int i = 0; i < 100_000; i++) {
      add("message of x" + i);
    }
    assertThat(said).hasSize(DeviceLog.BURST);
    log.add(Severity.ERROR, "", "something else");
    assertThat(said.getLast()).isEqualTo("something else");
    pass(60);
    assertThat(said.getLast())
        .isEqualTo("99,900 more messages were left out: too many different ones at a time");
    for (int i = 0; i < 100; i++) {
      add("later message of x" + i);
    }
    assertThat(said).as("one more a second").hasSize(DeviceLog.BURST + 2 + 60);
  }

  @Test
  void allOfItIsBounded() {
    for (int i = 0; i < 5_000; i++) {
      pass(1);
      add("x".repeat(10_000) + " y" + i);
      add("m" + i);
      add("m" + i);
    }
    List<LogLine> lines = log.lines("", 0);
    assertThat(lines).hasSize(SiteControl.MAX_LOG_LINES);
    assertThat(lines).allMatch(line -> line.message().length() <= DeviceLog.MAX_CHARACTERS + 1);
  }

  @Test
  void whatATaskComplainsOfIsKnownUntilItSaysSomethingGood() {
    add("cannot connect, next attempt in 1 s");
    add("cannot connect, next attempt in 2 s");
    assertThat(log.complaint("plant/press")).isEqualTo("cannot connect, next attempt in 2 s");
    assertThat(log.complaint("plant/mill")).isEmpty();
    log.add(Severity.INFO, "plant/press", "connected again");
    assertThat(log.complaint("plant/press")).isEmpty();
  }

  @Test
  void whatWasRepeatedIsToldAtTheEnd() {
    add("a");
    add("a");
    log.close();
    assertThat(said).containsExactly("a", "… 1 more like this in the last 1 s: a");
  }
}
