package io.sedge.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TopicRouteTest {
  private static final TopicRoute ROUTE =
      new TopicRoute(
          "north",
          "plant.",
          Map.of(
              "bootstrap.servers",
              "a:9092,b:9092",
              "sasl.jaas.config",
              "PlainLoginModule required username=\"plant\" password=\"p\\#!= ü\";",
              "ssl.truststore.certificates",
              "-----BEGIN CERTIFICATE-----\nMIIB\nAA==\n-----END CERTIFICATE-----"));

  private static TableDescriptor table(List<Integer> key) {
    Schema schema = Schema.builder().add("v", Type.DOUBLE).add("machine", Type.STRING).build();
    return new TableDescriptor(
        "machines", schema, Map.of(), key, List.of(), Map.of("credential", "x"), "test.sql:1");
  }

  @Test
  void itsTextGivesItBack() {
    assertThat(TopicRoute.find(ROUTE.text())).contains(ROUTE);
    assertThat(ROUTE.servers()).isEqualTo("a:9092,b:9092");
  }

  /** A device that is upgraded must not take one for the other. */
  @Test
  void otherTextsAreNone() {
    assertThat(TopicRoute.find("center: 10.0.0.2:7440\nsite: north\nlimit: 0\n-----BEGIN X-----"))
        .isEmpty();
    assertThat(TopicRoute.find("a password: \\u12")).isEmpty();
    assertThat(TopicRoute.find("sedge.route=kafka\nsedge.site=north")).isEmpty();
  }

  @Test
  void noPasswordIsInWhatIsShownOfIt() {
    assertThat(ROUTE.toString()).contains("north", "sasl.jaas.config").doesNotContain("password");
  }

  @Test
  void aTableWithoutAKeyKeepsTheOrderOfItsRows() {
    TableDescriptor topic = ROUTE.table(table(List.of()), "m", 4_096);
    assertThat(TopicRoute.connector(table(List.of()))).isEqualTo("kafka");
    assertThat(topic.schema().names())
        .containsExactly("_site", "_job", "_stream", "_seq", "v", "machine");
    assertThat(topic.options())
        .containsEntry("topic", "plant.m")
        .containsEntry("format", "json")
        .containsEntry("sink.partitioner", "fixed")
        .containsEntry("sink.delivery-guarantee", "exactly-once")
        .containsEntry("sink.queue-bytes", "4096 b")
        .containsEntry("properties.bootstrap.servers", "a:9092,b:9092")
        .doesNotContainKey("credential");
  }

  @Test
  void theKeyOfATableBeginsWithTheSite() {
    TableDescriptor topic = ROUTE.table(table(List.of(1)), "m", 4_096);
    assertThat(TopicRoute.connector(table(List.of(1)))).isEqualTo("upsert-kafka");
    assertThat(topic.primaryKey()).containsExactly(0, 5);
    assertThat(topic.options())
        .containsEntry("key.format", "json")
        .containsEntry("value.format", "json")
        .doesNotContainKey("format");
  }
}
