package io.sedge.connector.jdbc;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Each row is there once, whoever dies when, with a key and without one. */
final class JdbcSinkConformanceTest {
  abstract static class Rows extends SinkConformance {
    private static final Schema SCHEMA =
        Schema.builder().add("number", Type.INT).add("text", Type.STRING).build();

    private final TestDatabase database;
    private final boolean keyed;
    private TestContext context;
    private Place place;

    Rows(TestDatabase database, boolean keyed) {
      this.database = database;
      this.keyed = keyed;
    }

    @BeforeEach
    void begin(@TempDir Path directory) {
      context = TestContext.live(directory);
      place = database.fresh(directory);
      place.execute(
          "CREATE TABLE results (number INTEGER%s, text VARCHAR(40))"
              .formatted(keyed ? " NOT NULL PRIMARY KEY" : ""));
    }

    @Override
    protected ConnectorFactory connector() {
      return new JdbcConnector();
    }

    @Override
    protected TableDescriptor table() {
      Map<String, String> options = new HashMap<>(place.options("results"));
      return new TableDescriptor(
          "readings",
          SCHEMA,
          Map.of(),
          keyed ? List.of(0) : List.of(),
          List.of(),
          options,
          "test.sql:1");
    }

    @Override
    protected TestContext context() {
      return context;
    }

    @Override
    protected Object[] row(int number) {
      return new Object[] {number, "row " + number};
    }

    @Override
    protected String expected(int number) {
      return "%d row %d".formatted(number, number);
    }

    @Override
    protected List<String> written() {
      return place.query("SELECT number, text FROM results");
    }

    @Override
    protected int writtenOfARemovedKey() {
      return 0;
    }
  }

  @Nested
  final class AppendToPostgres extends Rows {
    AppendToPostgres() {
      super(TestDatabase.POSTGRESQL, false);
    }
  }

  @Nested
  final class UpsertToPostgres extends Rows {
    UpsertToPostgres() {
      super(TestDatabase.POSTGRESQL, true);
    }
  }

  @Nested
  final class AppendToMariaDb extends Rows {
    AppendToMariaDb() {
      super(TestDatabase.MARIADB, false);
    }
  }

  @Nested
  final class UpsertToMariaDb extends Rows {
    UpsertToMariaDb() {
      super(TestDatabase.MARIADB, true);
    }
  }

  @Nested
  final class AppendToSqlite extends Rows {
    AppendToSqlite() {
      super(TestDatabase.SQLITE, false);
    }
  }

  @Nested
  final class UpsertToSqlite extends Rows {
    UpsertToSqlite() {
      super(TestDatabase.SQLITE, true);
    }
  }
}
