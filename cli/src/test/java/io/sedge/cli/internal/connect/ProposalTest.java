package io.sedge.cli.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.sql.Job;
import io.sedge.sql.ScriptVariables;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProposalTest {
  private static final Map<String, String> BROKER =
      Map.of("connector", "mqtt", "url", "mqtt://localhost:1883");
  private static final Map<String, String> SERVER =
      Map.of("connector", "opc-ua", "url", "opc.tcp://localhost:4840");

  private static Sample sample(String name, String payload) {
    return new Sample(name, payload, 1);
  }

  /** Compiles it as a person's script is. */
  private static Job compiled(String script) throws SqlException {
    Connectors connectors = Connectors.installed(ProposalTest.class.getClassLoader());
    String resolved = ScriptVariables.resolve(script, _ -> Optional.empty()).text();
    return new SqlCompiler(
            connectors.byName(), connectors.formats().byName(), InstantSource.system())
        .compile("found.sql", resolved, Path.of("."));
  }

  @Test
  void topicsThatDifferInALevelAreOneTable() throws SqlException {
    String script =
        Proposal.ofTopics(
                List.of(
                    sample("plant/a/pump/flow", "{\"ts\":1764000000000,\"v\":1}"),
                    sample("plant/a/saw/load", "{\"ts\":1764000000000,\"v\":1.5}"),
                    sample("plant/b/pump/flow", "{\"ts\":1764000000000,\"v\":2}"),
                    sample("office/door", "open")),
                BROKER)
            .script();
    assertThat(script)
        .contains("'topic' = 'plant/{level2}/{level3}/{level4}'")
        .contains("'topic' = 'office/door'")
        .contains("`v` DOUBLE")
        .contains("payload STRING");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void columnsOfAllPayloadsAreThere() throws SqlException {
    String script =
        Proposal.ofTopics(
                List.of(
                    sample(
                        "m/1",
                        "{\"time\":1764000000,\"p\":{\"l1\":1,\"group\":true},\"level2\":1}"),
                    sample(
                        "m/2",
                        "{\"time\":1764000000,\"p\":{\"l1\":1,\"group\":true},\"level2\":\"x\"}")),
                BROKER)
            .script();
    assertThat(script)
        .contains("`p` ROW<`l1` DOUBLE, `group` BOOLEAN>")
        .as("of two types")
        .contains("`level2` STRING")
        .as("the topic's part has another name")
        .contains("'m/{level2_}'")
        .contains("TO_TIMESTAMP_LTZ(`time`, 0)");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void numbersAreNumbers() throws SqlException {
    String script =
        Proposal.ofTopics(List.of(sample("t/1", "21.5"), sample("t/2", " 22 ")), BROKER).script();
    assertThat(script).contains("TRY_CAST(payload AS DOUBLE)").contains("'format' = 'raw'");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void aTextThatIsATimeIsTheTimeOfTheReading() throws SqlException {
    String script =
        Proposal.ofTopics(
                List.of(sample("t/1", "{\"at\":\"2026-01-31T10:02:13.5Z\",\"v\":1}")), BROKER)
            .script();
    assertThat(script)
        .contains("`at` TIMESTAMP_LTZ(3)", "event_time AS `at`")
        .contains("'json.timestamp-format.standard' = 'ISO-8601'");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  /** A name is text from outside: it neither ends a literal nor begins a line of its own. */
  @Test
  void aHostileNameStaysAName() throws SqlException {
    String script =
        Proposal.ofTopics(
                List.of(
                    sample("a') -- it's", "1"),
                    sample("b\nSELECT 1;", "x"),
                    sample("${HOME}/x", "x")),
                BROKER)
            .script();
    assertThat(script)
        .contains("'topic' = 'a'') -- it''s'")
        .doesNotContain("SELECT 1")
        .doesNotContain("HOME");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  /** As a person has given them, with --option. */
  @Test
  void anOptionEndsNoLiteral() throws SqlException {
    Map<String, String> connection = new HashMap<>(BROKER);
    connection.put("username", "o'neil', 'qos' = '7");
    String script = Proposal.ofTopics(List.of(sample("a", "1")), connection).script();
    assertThat(script).contains("'username' = 'o''neil'', ''qos'' = ''7'");
    assertThat(compiled(script).sources().values())
        .singleElement()
        .satisfies(
            source ->
                assertThat(source.table().options())
                    .containsEntry("username", "o'neil', 'qos' = '7")
                    .doesNotContainKey("qos"));
    assertThat(TableOptions.text(Map.of("a' = 'b", "c")))
        .isEqualTo("WITH (\n  'a'' = ''b' = 'c'\n)");
  }

  /** A pattern that fits topics of another table would read their messages as well. */
  @Test
  void topicsOfOnePatternAndTwoKindsOfPayloadAreListed() throws SqlException {
    String script =
        Proposal.ofTopics(
                List.of(
                    sample("plant/a/flow", "{\"v\":1}"),
                    sample("plant/b/load", "{\"v\":1}"),
                    sample("plant/a/state", "{\"on\":true}"),
                    sample("plant/b/mode", "{\"on\":true}")),
                BROKER)
            .script();
    assertThat(script)
        .contains("'topic' = 'plant/a/flow;plant/b/load'")
        .contains("'topic' = 'plant/a/state;plant/b/mode'")
        .contains("topic STRING METADATA");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void namesThatCannotBeShownOrFormattedDoNoHarm() throws SqlException {
    String script =
        Proposal.ofTopics(
                List.of(
                    sample("t/x", "{\"t%\":1764000000000,\"\":1,\"a\\u001b[31m\":2,\"ok\":3}"),
                    sample("t/\u202egnp", "1"),
                    sample("t/\u009b31m", "1")),
                BROKER)
            .script();
    assertThat(script)
        .contains("TO_TIMESTAMP_LTZ(`t%`, 3)", "`ok` DOUBLE")
        .doesNotContain("\u001b", "\u202e", "\u009b");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void nodesWithLikeIdentifiersAreOneTable() throws SqlException {
    String script =
        Proposal.ofNodes(
                List.of(
                    sample("ns=1;s=tank-1.level", "1.5"),
                    sample("ns=1;s=tank-2.level", "0.25"),
                    sample("ns=1;s=tank-1.pump", "true"),
                    sample("ns=2;i=7", "3"),
                    sample("ns=2;i=8", "4")),
                SERVER)
            .script();
    assertThat(script)
        .contains("'nodes' = 'ns=1;s={level1}.level'")
        .contains("'nodes' = 'ns=1;s=tank-1.pump'")
        .contains("'nodes' = 'ns=2;i=7;ns=2;i=8'")
        .contains("`value` BOOLEAN");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void thereAreNoMoreTablesThanAPersonReads() throws SqlException {
    List<Sample> many = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      many.add(sample("root" + i + "/x", "1"));
    }
    String script = Proposal.ofTopics(many, BROKER).script();
    assertThat(script.split("CREATE TABLE", -1)).hasSize(21);
    assertThat(script).contains("-- And 10 more:");
    assertThat(compiled(script).sources()).hasSize(1);
  }
}
