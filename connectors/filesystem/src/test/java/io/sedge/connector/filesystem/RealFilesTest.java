package io.sedge.connector.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.testkit.SharedData;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Public data sets as they were published: all of each file is read, value for value. */
final class RealFilesTest {
  /** Reads a table of files and compares counts and sums with a plain reading of the lines. */
  private static void check(TableDescriptor table, Path directory, String delimiter, int column)
      throws IOException {
    TestContext context = new TestContext(directory);
    long rows = 0;
    double sum = 0;
    try (SourceReader reader =
        new FilesystemConnector().source(table, context).orElseThrow().open()) {
      while (!reader.finished()) {
        Batch batch = reader.poll(0);
        if (batch != null) {
          rows += batch.rows();
          DoubleColumn values = (DoubleColumn) batch.column(1);
          assertThat(values.nulls()).isNull();
          for (int i = 0; i < batch.rows(); i++) {
            sum += values.values()[i];
          }
        }
      }
    }
    long expectedRows = 0;
    double expectedSum = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> sorted = files.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
      assertThat(sorted).isNotEmpty();
      for (Path file : sorted) {
        for (String line : SharedData.lines(file)) {
          expectedRows++;
          expectedSum += Double.parseDouble(line.split(delimiter, -1)[column]);
        }
      }
    }
    assertThat(context.malformed()).isEmpty();
    assertThat(rows).isEqualTo(expectedRows).isPositive();
    assertThat(sum).isCloseTo(expectedSum, org.assertj.core.data.Percentage.withPercentage(1e-9));
  }

  @Test
  void allOfNabIsRead() throws IOException {
    Path nab = SharedData.path("nab/data");
    check(
        Tables.table(
            Schema.builder().add("timestamp", Type.timestamp(0)).add("value", Type.DOUBLE).build(),
            Map.of("path", nab.toString(), "format", "csv", "csv.header", "true")),
        nab,
        ",",
        1);
  }

  @Test
  void allOfSkabIsRead() throws IOException {
    for (String part : List.of("valve1", "valve2", "anomaly-free")) {
      Path skab = SharedData.path("skab/" + part);
      check(
          Tables.table(
              Schema.builder()
                  .add("datetime", Type.timestamp(0))
                  .add("Volume Flow RateRMS", Type.DOUBLE)
                  .build(),
              Map.of(
                  "path", skab.toString(),
                  "format", "csv",
                  "csv.header", "true",
                  "csv.field-delimiter", ";")),
          skab,
          ";",
          8);
    }
  }
}
