package io.sedge.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Explorer;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Columns;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.Findings.Unread;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What there is in a database, for people who have no table yet. */
@Timeout(120)
final class DatabaseExplorerTest {
  private static final int MOST = 20;

  @TempDir Path directory;

  private Findings explored(Place place, Optional<String> name) {
    return explored(place, name, Duration.ofSeconds(10));
  }

  private Findings explored(Place place, Optional<String> name, Duration atMost) {
    Explorer explorer = new JdbcConnector().explorer().orElseThrow();
    assertThat(explorer.isFor(place.url())).isTrue();
    Map<String, String> options = new HashMap<>(place.options("x"));
    options.remove("table-name");
    assertThat(explorer.connection(place.url())).isEqualTo(Map.of("url", place.url()));
    return explorer.explore(
        new Explorer.Search(
            new TableDescriptor(
                "found", Schema.builder().build(), Map.of(), List.of(), List.of(), options, ""),
            name,
            MOST,
            atMost),
        TestContext.live(directory));
  }

  private static String message(Runnable action) {
    try {
      action.run();
      return "";
    } catch (ConnectorException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static List<String> columns(Found found) {
    return ((Columns) found.content())
        .columns().stream().map(column -> column.name() + " " + column.type()).toList();
  }

  @Test
  void columnsOfPostgresHaveTheTypesThatTheyAreReadAs() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    place.execute(
        "CREATE TYPE mood AS ENUM ('good', 'bad')",
        "CREATE SCHEMA plant",
        """
        CREATE TABLE plant.readings (
          id BIGINT, machine VARCHAR(20), ok BOOLEAN NOT NULL, small SMALLINT, n INTEGER,
          single REAL, twice DOUBLE PRECISION, price NUMERIC(10, 2), anything NUMERIC,
          big NUMERIC(50, 2), day DATE, at TIME, ts TIMESTAMP(3), zoned TIMESTAMPTZ, extra JSONB,
          code UUID, feeling mood, photo BYTEA, tags TEXT[], bits BIT(8), paid MONEY,
          PRIMARY KEY (machine, id))\
        """,
        "CREATE TABLE halls (name TEXT)",
        "CREATE VIEW north AS SELECT machine FROM plant.readings");
    Findings findings = explored(place, Optional.empty());
    assertThat(findings.title()).startsWith("PostgreSQL at localhost:");
    assertThat(findings.headings()).containsExactly("table", "columns");
    assertThat(findings.found())
        .extracting(found -> found.name() + " " + found.facts())
        .containsExactly("halls [1]", "north [1]", "plant.readings [21]");
    Found readings = findings.found().get(2);
    assertThat(readings.options()).isEqualTo(Map.of("table-name", "plant.readings"));
    assertThat(columns(readings))
        .containsExactly(
            "id BIGINT NOT NULL",
            "machine STRING NOT NULL",
            "ok BOOLEAN NOT NULL",
            "small SMALLINT",
            "n INT",
            "single FLOAT",
            "twice DOUBLE",
            "price DECIMAL(10, 2)",
            "anything DECIMAL(38, 18)",
            "big DOUBLE",
            "day DATE",
            "at TIME(3)",
            "ts TIMESTAMP(3)",
            "zoned TIMESTAMP_LTZ(6)",
            "extra STRING",
            "code STRING",
            "feeling STRING");
    assertThat(((Columns) readings.content()).key()).containsExactly("machine", "id");
    assertThat(((Columns) readings.content()).leftOut())
        .containsExactly(
            "photo is bytea, which no type of Sedge holds",
            "tags is _text, which no type of Sedge holds",
            "bits is bit, which no type of Sedge holds",
            "paid is money, which no type of Sedge holds");
  }

  @Test
  void columnsOfMariaDbHaveTheTypesThatTheyAreReadAs() {
    Place place = TestDatabase.MARIADB.fresh(directory);
    place.execute(
        """
        CREATE TABLE readings (
          id BIGINT UNSIGNED, machine VARCHAR(20) NOT NULL, ok BOOLEAN, tiny TINYINT,
          utiny TINYINT UNSIGNED, usmall SMALLINT UNSIGNED, n INT, un INT UNSIGNED, single FLOAT,
          twice DOUBLE, price DECIMAL(10, 2), long_text LONGTEXT, kind ENUM('a', 'b'), day DATE,
          at TIME(3), plain DATETIME(3), instant TIMESTAMP(6) NULL, photo BLOB, hash BINARY(4),
          PRIMARY KEY (id))\
        """);
    Found readings = explored(place, Optional.of("readings")).found().getFirst();
    assertThat(columns(readings))
        .containsExactly(
            "id DECIMAL(20, 0) NOT NULL",
            "machine STRING NOT NULL",
            "ok BOOLEAN",
            "tiny TINYINT",
            "utiny SMALLINT",
            "usmall INT",
            "n INT",
            "un BIGINT",
            "single FLOAT",
            "twice DOUBLE",
            "price DECIMAL(10, 2)",
            "long_text STRING",
            "kind STRING",
            "day DATE",
            "at TIME(3)",
            "plain TIMESTAMP(3)",
            "instant TIMESTAMP_LTZ(6)");
    assertThat(((Columns) readings.content()).key()).containsExactly("id");
    assertThat(((Columns) readings.content()).leftOut())
        .containsExactly(
            "photo is BLOB, which no type of Sedge holds",
            "hash is BINARY, which no type of Sedge holds");
  }

  @Test
  void valuesOfSqliteTellTheTypesOfItsColumns() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute(
        """
        CREATE TABLE readings (
          id INTEGER PRIMARY KEY, machine TEXT NOT NULL, v REAL, price DECIMAL(8, 2), ok BOOLEAN,
          ts TEXT, fine TEXT, local DATETIME, ms TIMESTAMP, day DATE, note, photo BLOB, any_text TEXT,
          mixed INT)\
        """,
        "INSERT INTO readings VALUES (1, 'press', 1.5, '10.25', 1, '2026-01-31 10:02:13.250Z',"
            + " '2026-01-31T10:02:13.250125', '2026-01-31 10:02:13', 1764000000000, '2026-01-31',"
            + " 7, x'00', 'ok', 1)",
        "INSERT INTO readings VALUES (2, 'saw', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 'x',"
            + " NULL, '2026-01-31 10:02:13', 1.5)",
        "CREATE TABLE sedge_delivered (writer TEXT)");
    Findings findings = explored(place, Optional.empty());
    assertThat(findings.found().get(1).content()).as("Sedge's own").isEqualTo(new Unread(""));
    Found readings = findings.found().getFirst();
    assertThat(readings.facts()).containsExactly("14");
    assertThat(columns(readings))
        .containsExactly(
            "id BIGINT",
            "machine STRING NOT NULL",
            "v DOUBLE",
            "price DECIMAL(8, 2)",
            "ok BOOLEAN",
            "ts TIMESTAMP_LTZ(3)",
            "fine TIMESTAMP(6)",
            "local TIMESTAMP(3)",
            "ms BIGINT",
            "day DATE",
            "note STRING",
            "any_text STRING",
            "mixed DOUBLE");
    assertThat(((Columns) readings.content()).key()).containsExactly("id");
    assertThat(((Columns) readings.content()).leftOut())
        .containsExactly("photo is BLOB, which no type of Sedge holds");
  }

  /** What is proposed is what the connector reads. */
  private static List<List<@Nullable Object>> read(Place place, Found found, TestContext context) {
    Schema.Builder schema = Schema.builder();
    ((Columns) found.content())
        .columns()
        .forEach(column -> schema.add(column.name(), column.type()));
    Map<String, String> options = new HashMap<>(place.options("x"));
    options.putAll(found.options());
    TableDescriptor table =
        new TableDescriptor(
            "found", schema.build(), Map.of(), List.of(), List.of(), options, "test.sql:1");
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (SourceReader reader = new JdbcConnector().source(table, context).orElseThrow().open()) {
      while (!reader.finished()) {
        Batch batch = reader.poll(System.nanoTime());
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          rows.add(batch.row(row));
        }
      }
    }
    return rows;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          POSTGRESQL ~ a BIGINT, b TEXT, c BOOLEAN, d NUMERIC, e NUMERIC(50, 2), f TIME, g TIMESTAMPTZ, h JSONB, i UUID, j INTERVAL, k TIMESTAMP(0), l "char", m INET ~ 1, 'x', TRUE, 1.5, 2.5, '10:00', '2026-01-31 10:00Z', '{}', '123e4567-e89b-12d3-a456-426614174000', '1 hour', '2026-01-31 10:00', 'y', '10.0.0.1'
          MARIADB ~ a BIGINT UNSIGNED, b TINYINT UNSIGNED, c BOOLEAN, d DECIMAL(60, 2), e YEAR, f TIME(3), g DATETIME(6), h JSON, i SET('a', 'b'), j TIMESTAMP NULL, k BIT(1), l CHAR(3) ~ 18446744073709551615, 255, TRUE, 1.5, 2026, '10:00:00.5', '2026-01-31 10:00:00', '{}', 'a', '2026-01-31 10:00:00', 1, 'x'
          SQLITE ~ a INTEGER, b NUMERIC(8, 2), c BOOLEAN, d TEXT, e DATE, f TIME, g TIMESTAMP, h ~ 1, 1.5, 1, '2026-01-31T10:00:00+01:00', '2026-01-31', '10:00:00', 1764000000, 'x'
          """)
  void whatIsProposedIsRead(TestDatabase kind, String columns, String values) {
    Place place = kind.fresh(directory);
    place.execute(
        "CREATE TABLE readings (%s)".formatted(columns),
        "INSERT INTO readings VALUES (%s)".formatted(values));
    Found found = explored(place, Optional.of("readings")).found().getFirst();
    assertThat(((Columns) found.content()).leftOut()).isEmpty();
    TestContext context = TestContext.live(directory);
    assertThat(read(place, found, context))
        .hasSize(1)
        .first()
        .asInstanceOf(LIST)
        .doesNotContainNull();
    assertThat(context.malformed()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void aTableThatIsNotThereIsSaidWithTheNearest(TestDatabase kind) {
    Place place = kind.fresh(directory);
    place.execute("CREATE TABLE readings (id INTEGER)");
    assertThatThrownBy(() -> explored(place, Optional.of("reading")))
        .isInstanceOf(ConnectorException.class)
        .hasMessageEndingWith(
            "there is no table reading (upper and lower case count), or this user may not see it;"
                + " did you mean readings?");
  }

  @Test
  void aTableThatMayNotBeReadIsSaidAndTheOthersAreThere() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    String user = place.url().replaceFirst(".*/", "reader_");
    place.execute(
        "CREATE TABLE a (number INTEGER)",
        "CREATE TABLE b (number INTEGER)",
        "CREATE TABLE c (number INTEGER)",
        "CREATE USER %s PASSWORD 'word'".formatted(user),
        "GRANT INSERT ON a TO " + user,
        "GRANT SELECT ON b TO " + user);
    Findings findings = explored(new Place(place.url(), user, "word"), Optional.empty());
    assertThat(findings.found()).extracting(Found::name).containsExactly("a", "b");
    assertThat(findings.found().getFirst().content())
        .isEqualTo(new Unread("ERROR: permission denied for table a"));
    assertThat(columns(findings.found().get(1))).containsExactly("number INT");
  }

  /** The time-out of a statement of SQLite's driver is that of a lock. */
  @Test
  void aViewOfSqliteThatNeverEndsIsGivenUpAndTheOthersAreRead() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute(
        "CREATE TABLE b (number INTEGER)",
        "CREATE VIEW a AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
            + " SELECT COUNT(*) AS c FROM n");
    Findings findings = explored(place, Optional.empty(), Duration.ofSeconds(2));
    assertThat(findings.found()).extracting(Found::name).containsExactly("a", "b");
    assertThat(findings.found().getFirst().content()).isEqualTo(new Unread("it takes too long"));
    assertThat(columns(findings.found().get(1))).containsExactly("number BIGINT");
    assertThat(
            explored(place, Optional.of("a"), Duration.ofMillis(10)).found().getFirst().content())
        .isEqualTo(new Unread("it takes too long"));
  }

  /** SQLite waits for its lock all the same; a view has no say in that. */
  @Test
  void aLockOfSqliteIsWaitedForAndSaid() throws SQLException {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute("CREATE TABLE readings (id INTEGER)");
    try (Connection other = place.connect();
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN EXCLUSIVE");
      long begin = System.nanoTime();
      assertThat(message(() -> explored(place, Optional.of("readings"))))
          .endsWith("another program holds the database's lock");
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isGreaterThan(Duration.ofMillis(1500));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          POSTGRESQL ~ 1 ~ LOCK TABLE readings IN ACCESS EXCLUSIVE MODE
          MARIADB ~ 1000 ~ LOCK TABLES readings WRITE
          """)
  void aTableThatIsNotAnsweredForInTimeIsSaid(TestDatabase kind, String second, String lock)
      throws SQLException {
    Place place = kind.fresh(directory);
    place.execute("CREATE TABLE readings (id INTEGER)");
    try (Connection other = place.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(lock);
      assertThat(
              explored(place, Optional.of("readings"), Duration.ofSeconds(1))
                  .found()
                  .getFirst()
                  .content())
          .isEqualTo(new Unread("it takes too long"));
      Place hasty =
          new Place(place.url() + "?socketTimeout=" + second, place.user(), place.password());
      assertThat(message(() -> explored(hasty, Optional.of("readings"))))
          .endsWith(": no connection: an answer took longer than socketTimeout allows");
    }
  }

  @ParameterizedTest
  @CsvSource({"jdbc:postgresql, 1", "jdbc:mariadb, 1000"})
  void aPortWhereNobodyAnswersIsSaid(String scheme, String second) throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      String url =
          "%s://127.0.0.1:%d/x?socketTimeout=%s".formatted(scheme, silent.getLocalPort(), second);
      assertThat(message(() -> explored(place(url), Optional.empty())))
          .endsWith(": no connection: nobody answers there");
    }
  }

  /** More are not listed, but one of them can be asked for. */
  @Test
  void aTableIsFoundByItsNameAmongAnyNumber() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    List<String> statements = new ArrayList<>(List.of("BEGIN"));
    for (int i = 0; i <= Findings.MOST; i++) {
      statements.add("CREATE TABLE t%05d (id INTEGER)".formatted(i));
    }
    statements.add("COMMIT");
    place.execute(statements.toArray(String[]::new));
    String last = "t%05d".formatted(Findings.MOST);
    Findings findings = explored(place, Optional.of(last));
    assertThat(findings.found()).extracting(Found::name).containsExactly(last);
    assertThat(columns(findings.found().getFirst())).containsExactly("id BIGINT");
    assertThat(explored(place, Optional.empty()).leftOut()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"POSTGRESQL, public", "MARIADB, ''"})
  void aTableIsNamedWithItsSchemaOrWithout(TestDatabase kind, String schema) {
    Place place = kind.fresh(directory);
    place.execute("CREATE TABLE readings (id INTEGER)");
    String own = schema.isEmpty() ? place.url().replaceFirst(".*/", "") : schema;
    for (String name : List.of("readings", own + ".readings")) {
      assertThat(explored(place, Optional.of(name)).found())
          .extracting(Found::name)
          .containsExactly("readings");
    }
  }

  @Test
  void allThatCanBeReadInPostgresIsListedAndNoPartition() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    place.execute(
        "CREATE TABLE readings (id INTEGER, day DATE) PARTITION BY RANGE (id)",
        "CREATE TABLE readings_1 PARTITION OF readings FOR VALUES FROM (1) TO (9)",
        "CREATE MATERIALIZED VIEW means AS SELECT id FROM readings",
        "CREATE FOREIGN DATA WRAPPER files",
        "CREATE SERVER far FOREIGN DATA WRAPPER files",
        "CREATE FOREIGN TABLE far_away (id INTEGER) SERVER far");
    Findings findings = explored(place, Optional.empty());
    assertThat(findings.found())
        .extracting(found -> found.name() + " " + found.facts())
        .containsExactly("far_away [1]", "means [1]", "readings [2]");
    assertThat(columns(findings.found().get(1))).containsExactly("id INT");
    assertThat(columns(explored(place, Optional.of("readings_1")).found().getFirst()))
        .containsExactly("id INT", "day DATE");
  }

  @Test
  void aNameWithADotIsSaid() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute("CREATE TABLE \"a.b\" (number INTEGER)");
    assertThat(explored(place, Optional.empty()).found().getFirst().content())
        .isEqualTo(
            new Unread("its name has a dot, which 'table-name' takes for the end of a schema"));
  }

  @Test
  void aTableWithoutAColumnThatCanBeIsThere() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute("CREATE TABLE photos (photo BLOB PRIMARY KEY)");
    Columns content = (Columns) explored(place, Optional.of("photos")).found().getFirst().content();
    assertThat(content.columns()).isEmpty();
    assertThat(content.key()).isEmpty();
    assertThat(content.leftOut())
        .containsExactly(
            "photo is BLOB, which no type of Sedge holds",
            "the primary key (photo), which needs a column of these");
  }

  // Nothing of it is made: neither the file nor one beside it.
  @Test
  void aFileOfSqliteThatIsNotThereIsNotMade() throws IOException {
    Path absent = directory.resolve("absent.db");
    assertThat(message(() -> explored(place("jdbc:sqlite:" + absent), Optional.empty())))
        .isEqualTo("SQLite at %s: there is no such file, or it may not be opened", absent);
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
    Path text = directory.resolve("text.db");
    Files.writeString(text, "no database, but some text that is long enough to be read".repeat(9));
    assertThat(message(() -> explored(place("jdbc:sqlite:" + text), Optional.empty())))
        .isEqualTo("SQLite at %s: the file is not a database of SQLite", text);
  }

  private static Place place(String url) {
    return new Place(url, "", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          jdbc:postgresql://nowhere.invalid:5432/plant ~ PostgreSQL at nowhere.invalid:5432/plant: no connection: the name of the host is not known
          jdbc:mariadb://nowhere.invalid:3306/plant ~ MariaDB at nowhere.invalid:3306/plant: no connection: the name of the host is not known
          jdbc:postgresql://127.0.0.1:1/plant ~ PostgreSQL at 127.0.0.1:1/plant: no connection: nothing listens there (connection refused)
          jdbc:mariadb://127.0.0.1:1/plant ~ MariaDB at 127.0.0.1:1/plant: no connection: nothing listens there (connection refused)
          jdbc:oracle:thin:plant ~ table found: 'url' = 'jdbc:oracle:thin:plant' is not jdbc:postgresql://host:5432/name, jdbc:mariadb://host:3306/name, jdbc:mysql://host:3306/name or jdbc:sqlite:file.db
          jdbc:postgresql://plant/x?password=hidden ~ table found: 'url' has the parameter 'password', which is not one of ApplicationName, connectTimeout, currentSchema, socketTimeout, sslcert, sslkey, sslmode, sslrootcert, targetServerType; a login is 'username' and 'password'
          """)
  void whatIsWrongWithAnAddressIsSaid(String url, String said) {
    assertThat(message(() -> explored(place(url), Optional.empty()))).isEqualTo(said);
  }

  @Test
  void whatIsWrongWithALoginOrWithTlsIsSaid() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    assertThat(
            message(() -> explored(new Place(place.url(), "nobody", "hidden"), Optional.empty())))
        .contains(": the login is refused (FATAL: ")
        .doesNotContain("hidden");
    assertThat(
            message(
                () ->
                    explored(
                        new Place(place.url() + "x", place.user(), place.password()),
                        Optional.empty())))
        .containsPattern(": FATAL: database \"test\\d+x\" does not exist");
    assertThat(
            message(
                () ->
                    explored(
                        new Place(place.url() + "?sslmode=require", place.user(), place.password()),
                        Optional.empty())))
        .endsWith(
            ": the server has no TLS: leave sslmode (MariaDB: sslMode) out of the URL, or switch"
                + " TLS on there");
  }

  @Test
  void whatIsWrongWithALoginOrWithTlsOfMariaDbIsSaid() {
    Place place = TestDatabase.MARIADB.fresh(directory);
    assertThat(message(() -> explored(new Place(place.url(), "sedge", "hidden"), Optional.empty())))
        .contains(": the login is refused (")
        .doesNotContain("hidden");
    assertThat(
            message(
                () ->
                    explored(
                        new Place(
                            place.url() + "?sslMode=verify-full", place.user(), place.password()),
                        Optional.empty())))
        .endsWith(
            ": the server has no TLS: leave sslmode (MariaDB: sslMode) out of the URL, or switch"
                + " TLS on there");
  }
}
