package io.sedge.cli.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FirstScriptTest {
  private static final Map<String, String> BROKER =
      Map.of("connector", "mqtt", "url", "mqtt://localhost:1883");
  private static final Map<String, String> SERVER =
      Map.of("connector", "opc-ua", "url", "opc.tcp://localhost:4840");

  private static final List<FirstScript.Goal> GOALS =
      List.of(
          new FirstScript.Readings(),
          new FirstScript.Windows(Duration.ofMinutes(1)),
          new FirstScript.Above(-1e10));

  /** The query, of a script that a person's compiler takes. */
  private static String query(Proposal proposal, FirstScript.Goal goal, Map<String, String> sink)
      throws SqlException {
    String query = FirstScript.of(proposal.largest(true), goal, sink);
    Connectors connectors = Connectors.installed(FirstScriptTest.class.getClassLoader());
    assertThat(
            new SqlCompiler(
                    connectors.byName(), connectors.formats().byName(), InstantSource.system())
                .compile("new.sql", proposal.statements() + query, Path.of("."))
                .sources())
        .hasSize(1);
    return query;
  }

  private static Sample sample(String name, String payload) {
    return new Sample(name, payload, 1);
  }

  @Test
  void namesThatAreHardToWriteAreQuoted() throws SqlException {
    Proposal proposal =
        Proposal.ofTopics(
            List.of(
                sample("a/1", "{\"mean\":1,\"readings\":2.5,\"x`y\":3,\"group\":true}"),
                sample("a/2", "{\"mean\":1,\"readings\":2.5,\"x`y\":3,\"group\":true}")),
            BROKER);
    for (FirstScript.Goal goal : GOALS) {
      query(proposal, goal, Map.of());
    }
    assertThat(query(proposal, new FirstScript.Readings(), Map.of()))
        .as("what is no number is a reading, too")
        .contains("`group`");
    assertThat(
            query(
                proposal,
                new FirstScript.Windows(Duration.ofMinutes(2)),
                Map.of("connector", "filesystem", "path", "it's", "format", "csv")))
        .contains("INTERVAL '2' MINUTE", "`mean_x``y` DOUBLE", "'path' = 'it''s'");
  }

  @Test
  void textsAndTruthValuesAreReadingsAndAreCounted() throws SqlException {
    Proposal texts =
        Proposal.ofTopics(List.of(sample("s/1", "open"), sample("s/2", "shut")), BROKER);
    assertThat(query(texts, new FirstScript.Readings(), Map.of())).contains("payload");
    assertThat(query(texts, new FirstScript.Windows(Duration.ofHours(1)), Map.of()))
        .contains("COUNT(*) AS readings")
        .doesNotContain("AVG");
    Proposal nodes =
        Proposal.ofNodes(
            List.of(sample("ns=2;s=a.on", "true"), sample("ns=2;s=b.on", "false")), SERVER);
    assertThat(query(nodes, new FirstScript.Readings(), Map.of())).contains("`value`");
    Proposal numbers =
        Proposal.ofNodes(
            List.of(sample("ns=2;s=a.flow", "1.5"), sample("ns=2;s=b.flow", "2")), SERVER);
    assertThat(query(numbers, new FirstScript.Above(80.5), Map.of()))
        .contains("WHERE `value` > 80.5");
  }

  @Test
  void theLimitIsThatOfOneColumnWhichIsNoCounter() throws SqlException {
    Proposal proposal =
        Proposal.ofTopics(
            List.of(
                sample("s/1", "{\"seq\":1,\"value\":1.5}"),
                sample("s/2", "{\"seq\":2,\"value\":2}")),
            BROKER);
    assertThat(query(proposal, new FirstScript.Above(80), Map.of()))
        .containsPattern("WHERE `?value`? > 80.0\\s+-- OR `?seq`? > 80.0");
  }

  @Test
  void theLargestTableWithNumbersIsTaken() {
    Proposal proposal =
        Proposal.ofTopics(
            List.of(
                sample("s/1", "open"),
                sample("s/2", "shut"),
                sample("s/3", "shut"),
                sample("v/1", "1.5")),
            BROKER);
    assertThat(proposal.largest(false).members()).isEqualTo(3);
    assertThat(proposal.largest(true).names()).isEqualTo("v/1");
    assertThat(proposal.largest(true).reads("v/1")).isTrue();
    assertThat(proposal.largest(true).reads("v/2")).isFalse();
  }

  @Test
  void aPayloadThatHasTheNamesOfWindowsIsKnown() {
    Proposal proposal =
        Proposal.ofTopics(List.of(sample("s", "{\"Window_End\":\"x\",\"v\":1}")), BROKER);
    assertThat(FirstScript.hasNamesOfWindows(proposal.largest(true))).isTrue();
  }

  @Test
  void anIntervalHasOneUnitAndTwoDigits() {
    assertThat(FirstScript.Windows.canBe(Duration.ofSeconds(99))).isTrue();
    assertThat(FirstScript.Windows.canBe(Duration.ofSeconds(100))).isFalse();
    assertThat(FirstScript.Windows.canBe(Duration.ofMinutes(2))).isTrue();
    assertThat(FirstScript.Windows.canBe(Duration.ofMillis(1_500))).isFalse();
    assertThat(FirstScript.Windows.canBe(Duration.ofHours(99))).isTrue();
    assertThat(FirstScript.Windows.canBe(Duration.ofHours(100))).isFalse();
  }
}
