package io.sedge.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.SourceReader;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.jdbc.testkit.TestTable;
import io.sedge.connector.testkit.TestContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person reads when a table cannot be opened. */
final class JdbcMessagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private String opening(Place place, boolean keyed, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.putIfAbsent("connection.max-retry-timeout", "30 s");
    try {
      new JdbcConnector()
          .sink(TestTable.of(place, keyed, options), TestContext.live(directory))
          .orElseThrow()
          .open(Delivery.of(TestTable.WRITER, 1, 0))
          .close();
      return "";
    } catch (ConnectorException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private String opening(Place place, boolean keyed) {
    return opening(place, keyed, Map.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          POSTGRESQL ~ CREATE TABLE "results" ("number" INTEGER, "text" TEXT, PRIMARY KEY ("number"))
          MARIADB ~ CREATE TABLE `results` (`number` INTEGER, `text` TEXT, PRIMARY KEY (`number`)) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
          SQLITE ~ CREATE TABLE "results" ("number" INTEGER, "text" TEXT, PRIMARY KEY ("number"))
          """)
  void aMissingTableIsSaidWithTheStatementThatMakesIt(TestDatabase kind, String statement) {
    Place place = kind.fresh(directory);
    assertThat(opening(place, true))
        .startsWith("table readings: ")
        .endsWith(
            "there is no table results (upper and lower case count); make it there: " + statement);
    place.execute(statement);
    assertThat(opening(place, true)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          POSTGRESQL ~ number INTEGER ~ results has no column text, but number; add it there: ALTER TABLE "results" ADD COLUMN "text" TEXT
          MARIADB ~ number INTEGER ~ results has no column text, but number; add it there: ALTER TABLE `results` ADD COLUMN `text` TEXT
          SQLITE ~ number INTEGER ~ results has no column text, but number; add it there: ALTER TABLE "results" ADD COLUMN "text" TEXT
          POSTGRESQL ~ number TEXT, text TEXT ~ column number of results is text, which does not hold INT; it would be INTEGER
          MARIADB ~ number DATE, text TEXT ~ column number of results is DATE, which does not hold INT; it would be INTEGER
          POSTGRESQL ~ number INTEGER, text INTEGER ~ column text of results is int4, which does not hold STRING; it would be TEXT
          POSTGRESQL ~ number INTEGER, text TEXT ~ results has no unique index over ("number"), by which a row of a key is replaced; add it there: ALTER TABLE "results" ADD PRIMARY KEY ("number"), or CREATE UNIQUE INDEX
          MARIADB ~ number INTEGER UNIQUE, text VARCHAR(9), UNIQUE (number, text) ~ ``
          MARIADB ~ number INTEGER, text VARCHAR(9), UNIQUE (number, text) ~ results has no unique index over (`number`), by which
          SQLITE ~ number INTEGER, text TEXT ~ results has no unique index over ("number"), by which
          """)
  void aTableThatDoesNotFitIsSaidWithWhatToChange(TestDatabase kind, String columns, String said) {
    Place place = kind.fresh(directory);
    place.execute("CREATE TABLE results (%s)".formatted(columns));
    assertThat(opening(place, true)).contains(said);
  }

  @Test
  void anEngineWithoutTransactionsIsRefused() {
    Place place = TestDatabase.MARIADB.fresh(directory);
    place.execute("CREATE TABLE results (number INTEGER, text TEXT) ENGINE = MyISAM");
    assertThat(opening(place, false))
        .contains("results has the engine MyISAM, which has no transactions")
        .contains("ALTER TABLE `results` ENGINE = InnoDB");
    assertThat(opening(place, false, Map.of("sink.delivery-guarantee", "at-least-once"))).isEmpty();
  }

  // The password stays out of what is said.
  @ParameterizedTest
  @CsvSource({"MARIADB, sedge", "POSTGRESQL, nobody"})
  void aWrongLoginIsSaidAtOnce(TestDatabase kind, String user) {
    Place place = kind.fresh(directory);
    Place wrong = new Place(place.url(), user, "not-the-password");
    assertThat(opening(wrong, false))
        .contains("the login is refused")
        .doesNotContain("not-the-password");
  }

  @ParameterizedTest
  @CsvSource({"MARIADB", "POSTGRESQL"})
  void aDatabaseThatIsNotThereIsSaidAtOnce(TestDatabase kind) {
    Place place = kind.fresh(directory);
    Place wrong = new Place(place.url() + "x", place.user(), place.password());
    assertThat(opening(wrong, false))
        .containsPattern("Unknown database|database \"test\\d+x\" does not exist");
  }

  @Test
  void noServerIsSaidAfterTheTimeToWait() {
    Place place = new Place("jdbc:postgresql://127.0.0.1:1/results", "a", "b");
    assertThat(opening(place, false, Map.of("connection.max-retry-timeout", "500 ms")))
        .startsWith("table readings: PostgreSQL at 127.0.0.1:1/results: no connection");
  }

  // A user who may not make tables reads what somebody else has to type.
  @Test
  void aUserWhoMayMakeNoTableReadsWhatToDo() {
    Place place = TestDatabase.POSTGRESQL.fresh(directory);
    String user = place.url().replaceFirst(".*/", "writer_");
    place.execute(
        "CREATE TABLE results (number INTEGER, text TEXT)",
        "CREATE USER %s PASSWORD 'word'".formatted(user),
        "GRANT INSERT, SELECT ON results TO " + user);
    Place writer = new Place(place.url(), user, "word");
    assertThat(opening(writer, false))
        .contains("permission denied")
        .contains("let somebody who may type CREATE TABLE IF NOT EXISTS \"sedge_delivered\"")
        .contains("'sink.delivery-guarantee' = 'at-least-once'");
    assertThat(opening(writer, false, Map.of("sink.delivery-guarantee", "at-least-once")))
        .isEmpty();
  }

  @Test
  void filesThatAreNoDatabaseAreSaid() throws IOException {
    Place absent = new Place("jdbc:sqlite:" + directory.resolve("absent.db"), "", "");
    assertThat(opening(absent, false)).contains("there is no such file, or it may not be opened");
    Path text = directory.resolve("text.db");
    Files.writeString(text, "no database, but some text that is long enough to be read".repeat(9));
    assertThat(opening(new Place("jdbc:sqlite:" + text, "", ""), false))
        .contains("the file is not a database of SQLite");
  }

  @Test
  void aLockThatIsNotGivenBackIsSaid() throws SQLException {
    Place place = TestDatabase.SQLITE.fresh(directory);
    place.execute("CREATE TABLE results (number INTEGER, text TEXT)");
    try (Connection other = place.connect();
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN EXCLUSIVE");
      assertThat(opening(place, false, Map.of("connection.max-retry-timeout", "3 s")))
          .contains("another program holds the database's lock");
    }
  }

  @Test
  void aSourceWithoutItsTableFails() {
    Place place = TestDatabase.SQLITE.fresh(directory);
    try (SourceReader reader =
        new JdbcConnector()
            .source(TestTable.of(place, false, Map.of()), TestContext.live(directory))
            .orElseThrow()
            .open()) {
      assertThatThrownBy(
              () -> {
                long deadline = System.nanoTime() + PATIENCE.toNanos();
                while (System.nanoTime() < deadline) {
                  reader.poll(System.nanoTime());
                }
              })
          .isInstanceOf(ConnectorException.class)
          .hasMessageEndingWith("there is no table results (upper and lower case count)");
    }
  }
}
