package io.sedge.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Figures of programs that compute different things mean nothing. Each contender's process runs all
 * workloads, over two windows.
 */
class ContendersTest {
  private static final long READINGS = 1_010_007;
  private static final int PACED = 5000;
  private static final int PACED_WARM_UP = 1000;

  private static final List<String> RUNS =
      List.of(
          "W1:0:" + READINGS,
          "W2:0:" + READINGS,
          "W3:0:" + READINGS,
          "W4:%d:%d:20000".formatted(PACED_WARM_UP, PACED));

  /** Mean and deviation of one sum in two orders. */
  private static final double ROUNDING = 1e-9;

  @TempDir private static Path logs;

  private static ContenderProcess processes;
  private static List<List<String>> expected;

  @BeforeAll
  static void runTheLoop() throws Exception {
    processes = new ContenderProcess(ClassPath.read(Path.of("target")), logs);
    expected = rows(lines(Entry.named("loop")));
  }

  private static List<String> lines(Entry entry) throws Exception {
    return processes.lines(entry, List.of("--rows"), RUNS);
  }

  /** ROW, workload, then the parts of a {@link WindowResult}. */
  private static List<List<String>> rows(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("ROW "))
        .map(line -> List.of(line.split(" ", -1)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void everyContenderGivesTheRowsOfTheLoop(Entry entry) throws Exception {
    List<String> lines = lines(entry);
    List<List<String>> rows = rows(lines);
    // 1,000 sensors in 2 tumbling windows, in 7 hopping ones, and in 2 tumbling ones.
    assertThat(rows.size()).isEqualTo(11_000).isEqualTo(expected.size());
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      assertThat(row.subList(0, 7)).isEqualTo(expected.get(i).subList(0, 7));
      for (int column : new int[] {7, 8}) {
        assertThat(Double.parseDouble(row.get(column)))
            .as("%s", row)
            .isCloseTo(Double.parseDouble(expected.get(i).get(column)), within(ROUNDING * 100));
      }
    }
    List<Report> reports = ContenderProcess.reports(lines);
    assertThat(reports.size()).isEqualTo(RUNS.size());
    Readings readings = new Readings();
    assertThat(reports.getLast().figure(Report.ROWS))
        .isEqualTo((double) (readings.passing(PACED) - readings.passing(PACED_WARM_UP)));
    assertThat(reports.getLast().figure(Report.P50)).isPositive();
  }

  static Stream<Entry> entries() {
    return Entry.ALL.stream();
  }
}
