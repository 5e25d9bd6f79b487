package io.sedge.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.SourceReader;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.jdbc.testkit.TestTable;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values come back as they were written, whatever zone the machine has. */
final class JdbcTypesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Schema SCHEMA =
      Schema.builder()
          .add("k", Type.BIGINT.notNull())
          .add("flag", Type.BOOLEAN)
          .add("tiny", Type.TINYINT)
          .add("small", Type.SMALLINT)
          .add("whole", Type.INT)
          .add("single", Type.FLOAT)
          .add("dbl", Type.DOUBLE)
          .add("price", Type.decimal(12, 3))
          .add("name", Type.STRING)
          .add("code", Type.varchar(8))
          .add("day", Type.DATE)
          .add("at", Type.time(3))
          .add("ts", Type.timestamp(6))
          .add("ltz", Type.timestampLtz(3))
          .build();

  private final TimeZone zone = TimeZone.getDefault();
  @TempDir Path directory;
  private TestContext context;

  @BeforeEach
  void elsewhere() {
    context = TestContext.live(directory);
    TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
  }

  @AfterEach
  void back() {
    TimeZone.setDefault(zone);
  }

  private static @Nullable Object[][] rows() {
    return new @Nullable Object[][] {
      {
        1L,
        true,
        -128,
        32_767,
        Integer.MIN_VALUE,
        1.5f,
        -2.25e-300,
        new BigDecimal("123456789.125"),
        "größer 'x' \\ 温度",
        "a",
        20_484,
        86_399_999,
        1_767_225_600_123_456L,
        1_774_746_000_250_000L // In the hour that a change of clocks leaves out in some zones.
      },
      {2L, null, null, null, null, null, null, null, null, null, null, null, null, null},
      {
        Long.MAX_VALUE,
        false,
        127,
        -32_768,
        0,
        0f,
        0.1,
        new BigDecimal("-0.001"),
        "",
        "12345678",
        -1,
        0,
        -1_000L,
        1_000_000L
      },
    };
  }

  private List<List<@Nullable Object>> read(Place place, Schema schema) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (SourceReader reader =
        new JdbcConnector()
            .source(TestTable.of(schema, place, true, Map.of()), context)
            .orElseThrow()
            .open()) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!reader.finished() && System.nanoTime() < deadline) {
        Batch batch = reader.poll(System.nanoTime());
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          rows.add(batch.row(row));
        }
      }
    }
    return rows;
  }

  // The statement that a message proposes makes a table that fits.
  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void eachTypeComesBackAsItWasWritten(TestDatabase kind) {
    Place place = kind.fresh(directory);
    place.execute(proposed(place));
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (@Nullable Object[] row : rows()) {
      builder.addRow(row);
    }
    try (Feed sink =
        Feed.open(
            new JdbcConnector()
                .sink(TestTable.of(SCHEMA, place, true, Map.of()), context)
                .orElseThrow())) {
      sink.give(builder.build());
      sink.flushAll();
    }
    assertThat(context.malformed()).isEmpty();
    assertThat(read(place, SCHEMA))
        .isEqualTo(Arrays.stream(rows()).map(row -> Arrays.asList(row)).toList());
    assertThat(place.query("SELECT COUNT(*) FROM results WHERE ts > '2025-12-31 23:59:59'"))
        .containsExactly("1");
  }

  private String proposed(Place place) {
    try {
      new JdbcConnector()
          .sink(TestTable.of(SCHEMA, place, true, Map.of()), context)
          .orElseThrow()
          .open(Delivery.OF_A_RUN)
          .close();
      throw new AssertionError("there is a table already");
    } catch (ConnectorException e) {
      String message = String.valueOf(e.getMessage());
      return message.substring(message.indexOf("CREATE TABLE"));
    }
  }

  @Test
  void aRowThatDoesNotFitItsColumnsIsMalformedAndTheOthersAreRead() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute(
        "CREATE TABLE results (k, n, at)",
        "INSERT INTO results VALUES (1, 1, '2026-01-01T00:00:00Z'), (2, 'seven', NULL),"
            + " (3, 3000000000, NULL), (4, 4, 'noon'), (5, NULL, '2026-01-01 01:00:00+01:00')");
    Schema schema =
        Schema.builder()
            .add("k", Type.BIGINT)
            .add("n", Type.INT)
            .add("at", Type.timestampLtz(3))
            .build();
    assertThat(read(place, schema))
        .containsExactly(
            List.of(1L, 1, 1_767_225_600_000_000L),
            Arrays.asList(5L, null, 1_767_225_600_000_000L));
    assertThat(context.malformed())
        .extracting(row -> row.payload() + ": " + row.reason())
        .containsExactly(
            "2, seven, null: column n has the value 'seven', which is no INT",
            "3, 3000000000, null: column n has the value '3000000000', which is no INT",
            "4, 4, noon: column at has the value 'noon', which is no TIMESTAMP_LTZ(3)");
  }

  @Test
  void aNullWhereTheScriptSaysNotNullIsMalformed() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    place.execute(
        "CREATE TABLE results (k BIGINT, n INTEGER)",
        "INSERT INTO results VALUES (1, NULL), (2, 2)");
    Schema schema = Schema.builder().add("k", Type.BIGINT).add("n", Type.INT.notNull()).build();
    assertThat(read(place, schema)).containsExactly(List.of(2L, 2));
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::reason)
        .containsExactly("column n is NULL, but the column is NOT NULL");
  }
}
