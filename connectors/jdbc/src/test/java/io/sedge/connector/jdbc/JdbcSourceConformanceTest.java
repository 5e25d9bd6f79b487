package io.sedge.connector.jdbc;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** A table is read whole, in parts, and from every position, with a key and without one. */
final class JdbcSourceConformanceTest {
  private static final int ROWS = 10_000;

  /** What a table says of its rows. */
  enum Kind {
    KEYED,
    WITHOUT_KEY,
    IN_PARTS
  }

  abstract static class Rows extends SourceConformance {
    private static final Schema SCHEMA =
        Schema.builder()
            .add("number", Type.BIGINT.notNull())
            .add("text", Type.STRING)
            .add("at", Type.timestamp(3))
            .build();

    private static final long PLACE_OF_ONE =
        BigInteger.valueOf(7919).modInverse(BigInteger.valueOf(ROWS)).longValueExact();

    private final TestDatabase database;
    private final Kind kind;
    private TestContext context;
    private Place place;

    Rows(TestDatabase database, Kind kind) {
      this.database = database;
      this.kind = kind;
    }

    @BeforeEach
    void begin(@TempDir Path directory) {
      context = TestContext.live(directory);
      place = database.fresh(directory);
      // Row 0 to the last, those in between in the order of a shuffle.
      place.execute(
          "CREATE TABLE input (number BIGINT NOT NULL%s, text VARCHAR(40), at %s)"
              .formatted(
                  kind == Kind.KEYED ? " PRIMARY KEY" : "",
                  database == TestDatabase.MARIADB ? "DATETIME(3)" : "TIMESTAMP(3)"),
          """
          INSERT INTO input
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
          SELECT (a.i * 100 + b.i) * 7919 %% %d,
            CASE WHEN b.i = 3 THEN NULL ELSE 'a text' END,
            '2026-01-01 00:00:00.250'
          FROM n a, n b\
          """
              .formatted(ROWS)
              .replace("'2026-01-01 00:00:00.250'", timestamp("'2026-01-01 00:00:00.250'")));
    }

    private String timestamp(String text) {
      return database == TestDatabase.POSTGRESQL ? "TIMESTAMP " + text : text;
    }

    @Override
    protected ConnectorFactory connector() {
      return new JdbcConnector();
    }

    @Override
    protected TableDescriptor table() {
      Map<String, String> options = new HashMap<>(place.options("input"));
      if (kind == Kind.IN_PARTS) {
        options.put("scan.partition.column", "number");
        options.put("scan.partition.num", "7");
        options.put("scan.partition.lower-bound", "100");
        options.put("scan.partition.upper-bound", "8999");
      }
      return new TableDescriptor(
          "readings",
          SCHEMA,
          Map.of(),
          kind == Kind.KEYED ? List.of(0) : List.of(),
          List.of(),
          options,
          "test.sql:1");
    }

    @Override
    protected TestContext context() {
      return context;
    }

    @Override
    protected List<List<Object>> expected() {
      List<List<Object>> rows = new ArrayList<>();
      int from = kind == Kind.IN_PARTS ? 100 : 0;
      int to = kind == Kind.IN_PARTS ? 9_000 : ROWS;
      for (long number = from; number < to; number++) {
        List<Object> row = new ArrayList<>();
        row.add(number);
        row.add(textOf(number));
        row.add(1_767_225_600_250_000L);
        rows.add(row);
      }
      return rows;
    }

    /** The inverse of the shuffle: NULL where the last two digits of the place were 03. */
    private static @Nullable String textOf(long number) {
      long place = number * PLACE_OF_ONE % ROWS;
      return place % 100 == 3 ? null : "a text";
    }
  }

  @Nested
  final class PostgresByKey extends Rows {
    PostgresByKey() {
      super(TestDatabase.POSTGRESQL, Kind.KEYED);
    }
  }

  @Nested
  final class PostgresWithoutKey extends Rows {
    PostgresWithoutKey() {
      super(TestDatabase.POSTGRESQL, Kind.WITHOUT_KEY);
    }
  }

  @Nested
  final class PostgresInParts extends Rows {
    PostgresInParts() {
      super(TestDatabase.POSTGRESQL, Kind.IN_PARTS);
    }
  }

  @Nested
  final class MariaDbByKey extends Rows {
    MariaDbByKey() {
      super(TestDatabase.MARIADB, Kind.KEYED);
    }
  }

  @Nested
  final class MariaDbInParts extends Rows {
    MariaDbInParts() {
      super(TestDatabase.MARIADB, Kind.IN_PARTS);
    }
  }

  @Nested
  final class SqliteByKey extends Rows {
    SqliteByKey() {
      super(TestDatabase.SQLITE, Kind.KEYED);
    }
  }

  @Nested
  final class SqliteInParts extends Rows {
    SqliteInParts() {
      super(TestDatabase.SQLITE, Kind.IN_PARTS);
    }
  }
}
