package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
}
