package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two files replayed in their own time, one reading a minute; positions lie inside batches. */
final class ReplayedSourceTest extends SourceConformance {
  private static final long MINUTE_MICROS = 60_000_000;
  private static final long FIRST_MICROS = 1_767_225_600_000_000L;

  @TempDir private Path directory;
  private TestContext context;
  private final List<List<Object>> expected = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    context = new TestContext(directory);
    for (int file = 0; file < 2; file++) {
      StringBuilder text = new StringBuilder("# made for the test\n");
      for (int i = file * 500; i < (file + 1) * 500; i++) {
        text.append("2026-01-01 %02d:%02d:00,%d%n".formatted(i / 60, i % 60, i));
        expected.add(List.of(FIRST_MICROS + i * MINUTE_MICROS, i));
      }
      Files.writeString(directory.resolve(file + ".csv"), text);
    }
  }

  @Override
  protected ConnectorFactory connector() {
    return new FilesystemConnector();
  }

  @Override
  protected TableDescriptor table() {
    return table("6000000");
  }

  private static TableDescriptor table(String speed) {
    return Tables.table(
        Schema.builder().add("ts", Type.timestamp(3)).add("value", Type.INT).build(),
        Map.of(
            "path", ".",
            "format", "csv",
            "csv.allow-comments", "true",
            "replay.speed", speed,
            "replay.time-column", "ts"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    return expected;
  }

  @Test
  void sixtyTimesAsFastAMinuteOfTheDataTakesASecond() {
    long second = 1_000_000_000;
    try (SourceReader reader = connector().source(table("60"), context).orElseThrow().open()) {
      int rows = 0;
      for (int now = 0; now < 1_000; now++) {
        Batch batch = reader.poll(now * second);
        assertThat(batch).as("second %d", now).isNotNull();
        rows += batch.rows();
        assertThat(reader.poll(now * second + second / 2)).isNull();
        assertThat(rows).isEqualTo(now + 1);
      }
      assertThat(reader.poll(2_000 * second)).isNull();
      assertThat(reader.finished()).isTrue();
    }
  }
}
