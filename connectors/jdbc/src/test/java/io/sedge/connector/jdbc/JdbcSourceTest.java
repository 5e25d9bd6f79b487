package io.sedge.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.jdbc.testkit.PostgresServer;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.jdbc.testkit.TestTable;
import io.sedge.connector.jdbc.testkit.Wire;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of reading when the link breaks, or the table changes meanwhile. */
final class JdbcSourceTest {
  private static final int ROWS = 60_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private TestContext context;

  @BeforeEach
  void begin() {
    context = TestContext.live(directory);
  }

  private static void fill(Place place) {
    place.execute(
        "CREATE TABLE results (number INTEGER NOT NULL PRIMARY KEY, text VARCHAR(40))",
        "INSERT INTO results WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT a.i * 1000 + b.i, 'a text that takes some room' FROM n a, n b WHERE a.i < %d"
            .formatted(ROWS / 1_000));
  }

  private SourceReader open(Place place, boolean keyed, Map<String, String> more) {
    return new JdbcConnector()
        .source(TestTable.of(place, keyed, more), context)
        .orElseThrow()
        .open();
  }

  private static @Nullable Batch next(SourceReader reader) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!reader.finished() && System.nanoTime() < deadline) {
      Batch batch = reader.poll(System.nanoTime());
      if (batch != null) {
        return batch;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return null;
  }

  private static void append(@Nullable Batch batch, List<Integer> numbers) {
    for (int row = 0; batch != null && row < batch.rows(); row++) {
      numbers.add((Integer) batch.row(row).getFirst());
    }
  }

  @ParameterizedTest
  @CsvSource({"POSTGRESQL, true", "POSTGRESQL, false", "MARIADB, true", "MARIADB, false"})
  void readingGoesOnBehindTheLastRowWhenTheLinkBreaks(TestDatabase kind, boolean keyed) {
    Place place = kind.fresh(directory);
    fill(place);
    try (Wire wire = new Wire(place.port());
        SourceReader reader =
            open(place.through(wire.port()), keyed, Map.of("scan.fetch-size", "500"))) {
      List<Integer> numbers = new ArrayList<>();
      append(next(reader), numbers);
      append(next(reader), numbers);
      wire.down();
      wire.up();
      for (Batch batch = next(reader); batch != null; batch = next(reader)) {
        append(batch, numbers);
      }
      assertThat(reader.finished()).isTrue();
      assertThat(numbers).isEqualTo(IntStream.range(0, ROWS).boxed().toList());
      assertThat(context.reports()).anyMatch(said -> said.contains("it is tried again"));
    }
  }

  // Rows that come and go before the position move none of those behind it.
  @Test
  void aPositionIsTheKeyOfTheLastRowNotItsPlace() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    fill(place);
    List<Integer> numbers = new ArrayList<>();
    byte[] position;
    try (SourceReader reader = open(place, true, Map.of())) {
      append(next(reader), numbers);
      position = reader.position();
    }
    place.execute("DELETE FROM results WHERE number < 1000");
    try (SourceReader reader = open(place, true, Map.of())) {
      reader.seek(position);
      for (Batch batch = next(reader); batch != null; batch = next(reader)) {
        append(batch, numbers);
      }
    }
    assertThat(numbers).isEqualTo(IntStream.range(0, ROWS).boxed().toList());
  }

  @Test
  void aServerThatStaysAwayFailsTheJobAfterTheTimeToWait() {
    try (PostgresServer server = PostgresServer.start(directory);
        SourceReader reader =
            open(server.place(), true, Map.of("connection.max-retry-timeout", "300 ms"))) {
      server.stop();
      assertThatThrownBy(() -> next(reader))
          .isInstanceOf(ConnectorException.class)
          .hasMessageStartingWith("table readings: PostgreSQL at localhost:")
          .hasMessageContaining("no connection");
      server.restart();
    }
  }
}
