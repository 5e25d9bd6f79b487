package io.sedge.site.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.task.FailureCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SiteLogReaderTest {
  private final List<String> questions = new ArrayList<>();

  private static LogLine line(long number, long atMillis) {
    return new LogLine(number, atMillis, Severity.INFO, "", "x", 0, 0);
  }

  private static DeviceLogs page(String device, boolean more, LogLine... lines) {
    return new DeviceLogs(
        device, new LogPage(List.of(lines), "after " + lines[lines.length - 1].number(), more), "");
  }

  private static DeviceLogs away(String device) {
    return new DeviceLogs(device, new LogPage(List.of(), "", false), "it is down");
  }

  private SiteLogReader reader(List<List<DeviceLogs>> answers) {
    return new SiteLogReader(
        (job, devices, marks) -> {
          questions.add("%s %s %s".formatted(job, Set.copyOf(devices), Map.copyOf(marks)));
          return answers.get(questions.size() - 1);
        },
        "plant");
  }

  /** A clock that is set back must not mix up what the device did first. */
  @Test
  void linesOfADeviceStayInTheirOrder() throws Exception {
    SiteLogReader reader =
        reader(
            List.of(
                List.of(
                    page("a", false, line(1, 100), line(2, 50), line(3, 120)),
                    page("b", false, line(1, 10), line(2, 110)))));
    assertThat(reader.read(Set.of()))
        .extracting(said -> said.device() + said.line().number())
        .containsExactly("b1", "a1", "a2", "b2", "a3");
    assertThat(questions).containsExactly("plant [] {}");
  }

  @Test
  void pagesAreReadToTheirEndOfWhoHasMoreAlone() throws Exception {
    SiteLogReader reader =
        reader(
            List.of(
                List.of(page("a", true, line(1, 1)), page("b", false, line(1, 2)), away("c")),
                List.of(page("a", false, line(2, 3))),
                List.of(page("c", false, line(7, 9)))));
    assertThat(reader.read(Set.of()))
        .extracting(said -> said.line().number())
        .containsExactly(1L, 1L, 2L);
    assertThat(questions.getLast())
        .isEqualTo("plant [a] " + Map.of("a", "after 1", "b", "after 1"));
    assertThat(reader.heard()).containsExactlyInAnyOrder("a", "b");
    assertThat(reader.missing()).isEqualTo(Map.of("c", "it is down"));
    assertThat(reader.read(Set.of("c")))
        .extracting(SiteLogReader.SiteLine::device)
        .containsExactly("c");
    assertThat(reader.missing()).isEmpty();
  }

  /** One that is removed between two pages has no further ones; one that never was is an error. */
  @Test
  void aDeviceThatGoesAwayAmidItsPagesEndsThem() throws Exception {
    List<Set<String>> asked = new ArrayList<>();
    SiteLogReader reader =
        new SiteLogReader(
            (_, devices, _) -> {
              asked.add(devices);
              if (!devices.isEmpty()) {
                throw new SiteException(FailureCode.UNKNOWN_NAME, "there is no such device");
              }
              return List.of(page("a", true, line(1, 1)));
            },
            "");
    assertThat(reader.read(Set.of())).hasSize(1);
    assertThat(asked).containsExactly(Set.of(), Set.of("a"));
    assertThatThrownBy(() -> reader.read(Set.of("x"))).hasMessage("there is no such device");
  }
}
