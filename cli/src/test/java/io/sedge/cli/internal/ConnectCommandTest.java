package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ConnectCommandTest {
  @TempDir private Path directory;

  private CommandRunner runner() {
    return new CommandRunner(directory);
  }

  private String written(String name, String script) throws IOException {
    Files.writeString(directory.resolve(name), script);
    return name;
  }

  private String retained(EmbeddedBroker broker) throws IOException {
    return written(
        "given.sql",
        """
        CREATE TABLE given (zone STRING, machine STRING, ts BIGINT, v DOUBLE)
        WITH ('connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:%d', 'topic' = 'hall/{zone}/{machine}/state',
              'format' = 'json', 'retain' = 'true');
        INSERT INTO given VALUES
          ('a', 'press', 1764000000000, 1.5), ('a', 'saw', 1764000000001, 2), ('b', 'press', 1764000000002, 3.25);
        """
            .formatted(broker.port()));
  }

  @Test
  void whatABrokerHasBecomesAScriptWhoseTablesGiveRows() throws IOException {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      assertThat(runner().run("run", retained(broker))).isZero();
      String url = "mqtt://127.0.0.1:" + broker.port();
      CommandRunner browse = runner();
      assertThat(browse.run("connect", "browse", url, "--time", "5s")).as(browse.err()).isZero();
      assertThat(browse.err()).contains("hall/a/press/state", "hall/b/press/state");
      assertThat(browse.out())
          .contains("-- 3 topics, such as hall/a/press/state")
          .contains("'topic' = 'hall/{level2}/{level3}/state'")
          .contains("TO_TIMESTAMP_LTZ(`ts`, 3)");
      CommandRunner test = runner();
      assertThat(test.run("connect", "test", written("found.sql", browse.out()), "--time", "30s"))
          .as(test.out() + test.err())
          .isZero();
      assertThat(test.out()).contains("state_topics (mqtt): ok").contains("level3=saw");
    }
  }

  @Test
  void aBrokerWithoutMessagesIsSaidToHaveNone() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      CommandRunner browse = runner();
      String url = "mqtt://127.0.0.1:" + broker.port();
      assertThat(browse.run("connect", "browse", url, "--time", "1s")).isEqualTo(3);
      assertThat(browse.err()).contains("nothing came on '#'", "--time 1min");
      assertThat(browse.out()).isEmpty();
    }
  }

  @Test
  void eachTableIsTriedThoughAnotherFails() throws IOException {
    written("rows.csv", "1,2.5\n2,3.5\n");
    String script =
        written(
            "two.sql",
            """
            CREATE TABLE away (v DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'away.csv', 'format' = 'csv');
            CREATE TABLE here (n INT, v DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'rows.csv', 'format' = 'csv');
            SELECT v FROM away UNION ALL SELECT v FROM here;
            """);
    CommandRunner test = runner();
    assertThat(test.run("connect", "test", script)).isEqualTo(3);
    assertThat(test.out())
        .contains("away (filesystem): FAILED", "away.csv")
        .contains("here (filesystem): ok", "n=1 v=2.5");
  }

  /** Whoever reads the exit code takes 0 for a connection that works. */
  @Test
  void whatCannotBeTriedIsNoSuccess() throws IOException {
    CommandRunner none = runner();
    assertThat(none.run("connect", "test", written("none.sql", "SELECT 1 AS n;"))).isEqualTo(2);
    assertThat(none.err()).contains("nothing was tried: the queries of none.sql read no table");
    CommandRunner hook = runner();
    String script =
        written(
            "hook.sql",
            """
            CREATE TABLE orders (id STRING) WITH ('connector' = 'webhook', 'listen' = '127.0.0.1:0', 'format' = 'json');
            SELECT * FROM orders;
            """);
    assertThat(hook.run("connect", "test", script)).as(hook.err()).isEqualTo(3);
    assertThat(hook.out()).contains("orders (webhook): NOT TRIED");
  }

  @Test
  void aBrokerThatDoesNotAnswerIsAFailure() {
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", "mqtt://127.0.0.1:1", "--time", "1s")).isEqualTo(3);
    assertThat(browse.err().strip().lines().toList().getLast())
        .startsWith("sedge: error: nothing was found at mqtt://127.0.0.1:1 in 1.0 s: ")
        .contains("nobody listens there (EXTERNAL CONNECTION_FAILED)");
    assertThat(browse.out()).isEmpty();
  }

  @Test
  void aPasswordIsNoArgument() {
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", "mqtt://127.0.0.1:1", "--option", "password=abc"))
        .isEqualTo(2);
    assertThat(browse.err()).contains("password=${secret:NAME}").doesNotContain("abc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mqtt://ann:abc@127.0.0.1:1", "http://ann:abc@127.0.0.1"})
  void aLoginInAnAddressIsRefusedAndNotShownAgain(String url) {
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", url)).isEqualTo(2);
    assertThat(browse.err()).contains("an address has no login").doesNotContain("abc");
  }

  @Test
  void theNameOfAJobsClientIsNotTaken() {
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", "mqtt://127.0.0.1:1", "--option", "client-id=line3"))
        .isEqualTo(2);
    assertThat(browse.err()).contains("client-id", "lose its messages");
  }

  /** What the script says for its session holds no test back. */
  @Test
  void aTableOfMqtt3WithASessionIsTried() throws IOException {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      assertThat(runner().run("run", retained(broker))).isZero();
      String script =
          written(
              "old.sql",
              """
              CREATE TABLE states (zone STRING, machine STRING, v DOUBLE)
              WITH ('connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:%d', 'topic' = 'hall/{zone}/{machine}/state',
                    'format' = 'json', 'version' = '3.1.1', 'client-id' = 'line-3');
              SELECT * FROM states;
              """
                  .formatted(broker.port()));
      CommandRunner test = runner();
      assertThat(test.run("connect", "test", script, "--time", "30s")).as(test.out()).isZero();
    }
  }

  @Test
  void anotherAddressIsRefusedWithWhatCanBeBrowsed() {
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", "modbus://10.0.0.1")).isEqualTo(2);
    assertThat(browse.err()).contains("opc.tcp://HOST:4840", "sedge connect test");
  }

  private String database(String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("plant.db"));
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
    return "jdbc:sqlite:plant.db";
  }

  @Test
  void whatADatabaseHasBecomesAScriptWhoseTablesGiveRows() throws IOException, SQLException {
    String url =
        database(
            "CREATE TABLE machines (id INTEGER PRIMARY KEY, hall TEXT, since TEXT, photo BLOB)",
            "INSERT INTO machines VALUES (1, 'north', '2026-01-31 10:02:13', NULL)",
            "CREATE TABLE halls (name TEXT)");
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", url)).as(browse.err()).isZero();
    assertThat(browse.err())
        .contains("looking at jdbc:sqlite:plant.db …", "SQLite at ", "halls           1")
        .contains("machines        4  left out: photo is BLOB, which no type of Sedge holds");
    assertThat(browse.out())
        .contains("`id` BIGINT", "`since` TIMESTAMP(3)", "PRIMARY KEY (`id`) NOT ENFORCED")
        .contains("'url' = 'jdbc:sqlite:plant.db'");

    CommandRunner one = runner();
    assertThat(one.run("connect", "browse", url, "--table", "machines")).as(one.err()).isZero();
    assertThat(one.out()).doesNotContain("halls");
    CommandRunner test = runner();
    assertThat(test.run("connect", "test", written("found.sql", one.out())))
        .as(test.out())
        .isZero();
    assertThat(test.out()).contains("machines_table (jdbc): ok", "hall=north");
    CommandRunner run = runner();
    assertThat(run.run("run", "found.sql")).as(run.err()).isZero();
  }

  @Test
  void whatIsNotThereIsSaidWithTheNearestName() throws SQLException {
    String url = database("CREATE TABLE machines (id INTEGER PRIMARY KEY)");
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", url, "--table", "machine")).isEqualTo(3);
    assertThat(browse.err()).contains("there is no table machine", "did you mean machines?");
    assertThat(browse.out()).isEmpty();
    CommandRunner absent = runner();
    assertThat(absent.run("connect", "browse", "jdbc:sqlite:absent.db")).isEqualTo(3);
    assertThat(absent.err()).contains("there is no such file, or it may not be opened");
    assertThat(directory.resolve("absent.db")).doesNotExist();
  }

  @Test
  void aDatabaseWithoutTablesIsSaidToHaveNone() throws SQLException {
    CommandRunner browse = runner();
    assertThat(browse.run("connect", "browse", database("PRAGMA user_version = 1"))).isEqualTo(3);
    assertThat(browse.err()).contains("there is no table that this user may see");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kafka://127.0.0.1:1 | 3 | Kafka at 127.0.0.1:1: nothing listens at 127.0.0.1:1 (connection refused)
          kafka://plant | 2 | kafka://plant is not kafka://HOST:9092
          kafka://ann:abc@plant:9092 | 2 | an address has no login
          kafka://127.0.0.1:1 --option properties.group.id=line3 | 2 | a job of that name could lose its messages
          kafka://127.0.0.1:1 --option topic=a | 2 | --option topic=… cannot be given here: --topic says it
          kafka://127.0.0.1:1 --option properties.securty.protocol=SSL | 2 | option 'properties.securty.protocol' is unknown
          kafka://127.0.0.1:1 --option qos=1 | 2 | option 'qos' is unknown
          kafka://127.0.0.1:1 --option properties.sasl.jaas.config=abc | 2 | write password="${secret:NAME}" in it
          kafka://127.0.0.1:1 --option properties.ssl.truststore.password=abc | 2 | write --option 'properties.ssl.truststore.password=${secret:NAME}'
          kafka://127.0.0.1:1 --option properties.ssl.truststore.password=${secret:store} | 2 | the secret store, which has no value
          jdbc:postgresql://127.0.0.1:1/plant | 3 | PostgreSQL at 127.0.0.1:1/plant: no connection: nothing listens there (connection refused)
          jdbc:postgresql://127.0.0.1:1/plant?password=abc | 2 | a login is 'username' and 'password'
          jdbc:oracle:thin:plant | 2 | is not jdbc:postgresql://host:5432/name
          """)
  void whatIsWrongWithAnAddressOrAnOptionIsSaid(String arguments, int code, String said) {
    CommandRunner browse = runner();
    assertThat(browse.run(("connect browse " + arguments).split(" "))).isEqualTo(code);
    assertThat(browse.err()).contains(said).doesNotContain("abc");
    assertThat(browse.out()).isEmpty();
  }
}
