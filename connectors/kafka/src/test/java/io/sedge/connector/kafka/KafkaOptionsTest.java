package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.Guarantee;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.connector.kafka.testkit.Topics;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said against tables, without a broker. */
final class KafkaOptionsTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("id", Type.INT.notNull())
          .add("text", Type.STRING)
          .add("part", Type.STRING)
          .add("place", Type.BIGINT)
          .build();

  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\""
          + " password=\"kept\";";

  private final TestContext context = new TestContext(Path.of("."));

  private static TableDescriptor table(List<Integer> key, Map<String, String> more) {
    Map<String, String> options = new HashMap<>();
    options.put("topic", "readings");
    options.put("properties.bootstrap.servers", "nowhere.invalid:9092");
    options.put("format", "json");
    options.putAll(more);
    options.values().removeIf(String::isEmpty);
    return Topics.table(SCHEMA, Map.of(2, "partition"), key, options);
  }

  /** The last option is given in the form {@code key=value}; an empty value takes it away. */
  private static Map<String, String> options(String text) {
    Map<String, String> options = new HashMap<>();
    for (String one : text.split("\\|", -1)) {
      int equals = one.indexOf('=');
      options.put(one.substring(0, equals), one.substring(equals + 1));
    }
    return options;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          scan.bounded.mode=unbounded ~ 'scan.startup.mode' = 'group-offsets' needs 'properties.group.id', whose offsets are meant; or set 'scan.startup.mode' = 'earliest-offset'
          scan.startup.mode=timestamp ~ 'scan.startup.mode' = 'timestamp' needs 'scan.startup.timestamp-millis' too
          scan.startup.mode=latest-offset|scan.startup.timestamp-millis=1 ~ 'scan.startup.timestamp-millis' = '1' needs 'scan.startup.mode' = 'timestamp'
          scan.startup.mode=specific-offsets|scan.startup.specific-offsets=0:1 ~ is not of the form partition:0,offset:42;partition:1,offset:300
          scan.startup.mode=specific-offsets|topic=a;b|scan.startup.specific-offsets=partition:0,offset:1 ~ is for one topic, and 'topic' has several
          topic=a b ~ 'topic' = 'a b' has 'a b'; a topic has 1 to 249 letters, digits, dots, _ and -
          topic=a;a ~ 'topic' = 'a;a' has a topic twice
          key.format=json ~ 'key.format' = 'json' needs 'key.fields' too
          key.fields=id ~ 'key.fields' = 'id' needs 'key.format' too
          key.fields=nothing|key.format=json ~ 'key.fields' = 'nothing' names 'nothing', but the columns are id, text, part, place
          key.fields=part|key.format=json ~ 'key.fields' = 'part' names 'part', but the columns are
          key.fields=id|key.format=json|key.fields-prefix=k_ ~ 'key.fields-prefix' = 'k_' needs 'value.fields-include' = 'EXCEPT_KEY'
          key.fields=id|key.format=json|key.fields-prefix=k_|value.fields-include=EXCEPT_KEY ~ does not begin the name of column
          value.format=json ~ 'value.format' = 'json' and 'format' both say how values are written; leave one out
          format=|value.format=yaml ~ 'value.format' = 'yaml' is not one of avro, avro-confluent, csv, debezium-json, influx-line, json, raw
          format=|value.format=raw ~ 'format' = 'raw' fills one column, but the payload would fill 3: id, text, place
          shard.by=text|shard.values=* ~ 'shard.by' = 'text' is no column that is METADATA FROM 'partition'
          shard.by=part ~ 'shard.by' = 'part' needs 'shard.values' too
          shard.by=part|shard.values=0;x ~ 'shard.values' = '0;x' has 'x'; a partition is a number from 0
          shard.by=part|shard.values=0;0 ~ 'shard.values' = '0;0' has 0 twice
          scan.queue-bytes=0 ~ 'scan.queue-bytes' = '0' is less than 1 byte
          properties.max.pol.records=5 ~ option 'properties.max.pol.records' is unknown: Kafka's clients have no option 'max.pol.records'; did you mean 'properties.max.poll.records'?
          properties.max.poll.records=many ~ option 'properties.max.poll.records' is wrong: Invalid value many
          properties.interceptor.classes=x.Y ~ option 'properties.interceptor.classes' is not allowed: it loads a class
          properties.sasl.kerberos.kinit.cmd=/bin/rm ~ option 'properties.sasl.kerberos.kinit.cmd' is not allowed
          properties.config.providers=file ~ option 'properties.config.providers' is not allowed
          properties.sasl.login.class=x.Y ~ option 'properties.sasl.login.class' is not allowed
          properties.sasl.oauthbearer.token.endpoint.url=file:/x ~ option 'properties.sasl.oauthbearer.token.endpoint.url' is not allowed
          properties.enable.auto.commit=true ~ option 'properties.enable.auto.commit' is not allowed: the group's offsets are written with each commit of the job
          properties.sasl.mechanism=GSSAPI|properties.security.protocol=SASL_SSL ~ 'properties.sasl.mechanism' = 'GSSAPI' is not one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512
          properties.sasl.mechanism=PLAIN ~ option 'properties.security.protocol' is missing or without SASL
          properties.bootstrap.servers=ann:hush@h:9092 ~ option 'properties.bootstrap.servers' has a login in it; write it as 'properties.sasl.jaas.config'
          properties.security.protocol=SASL_SSL|properties.sasl.mechanism=PLAIN ~ option 'properties.sasl.jaas.config' is missing; 'properties.security.protocol' = 'SASL_SSL' needs it
          """)
  void aSourceIsRefusedWithTheTableTheOptionAndWhatToDo(String given, String said) {
    Map<String, String> more = new HashMap<>(Map.of("scan.startup.mode", "earliest-offset"));
    more.putAll(options(given));
    if (said.contains("'group-offsets'")) {
      more.remove("scan.startup.mode");
    }
    assertThatThrownBy(() -> new KafkaConnector().source(table(List.of(), more), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          topic=a;b ~ 'topic' = 'a;b' has several topics; a sink writes to one
          properties.acks=1 ~ 'properties.acks' = '1' needs 'sink.delivery-guarantee' = 'none'
          properties.retries=0 ~ 'properties.retries' = '0' needs 'sink.delivery-guarantee' = 'none'
          properties.max.in.flight.requests.per.connection=6 ~ 'properties.max.in.flight.requests.per.connection' = '6' needs 'sink.delivery-guarantee' = 'none'
          properties.transaction.two.phase.commit.enable=true ~ 'properties.transaction.two.phase.commit.enable' = 'true' is not allowed
          topic=a ~ is METADATA FROM 'partition', which Kafka gives and cannot be written; declare it VIRTUAL
          """)
  void aSinkIsRefusedLikewise(String given, String said) {
    TableDescriptor declared = table(List.of(), options(given));
    TableDescriptor table =
        said.contains("VIRTUAL")
            ? declared
            : Topics.table(SCHEMA, Map.of(), List.of(), declared.options());
    assertThatThrownBy(() -> new KafkaConnector().sink(table, context))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(said);
  }

  @Test
  void whatALoginHoldsIsNotRepeated() {
    for (String login :
        List.of(
            "com.sun.security.auth.module.JndiLoginModule required password=\"kept\";",
            LOGIN + LOGIN,
            LOGIN.replace(";", " keyTab=\"/etc/kept\";"),
            "password=kept")) {
      Map<String, String> more =
          Map.of(
              "scan.startup.mode", "earliest-offset",
              "properties.security.protocol", "SASL_SSL",
              "properties.sasl.mechanism", "PLAIN",
              "properties.sasl.jaas.config", login);
      assertThatThrownBy(() -> new KafkaConnector().source(table(List.of(), more), context))
          .hasMessageContaining("option 'properties.sasl.jaas.config' is not understood")
          .hasMessageNotContaining("kept");
    }
  }

  @Test
  void filesAreAskedForBeforeTheyAreRead() {
    context.withFiles(
        (what, path, _) -> {
          throw new ConnectorException(
              ConnectorException.Kind.USER, what + " may not read " + path.getFileName());
        });
    Map<String, String> more =
        Map.of(
            "scan.startup.mode", "earliest-offset",
            "properties.security.protocol", "SSL",
            "properties.ssl.truststore.location", "trusted.p12");
    assertThatThrownBy(() -> new KafkaConnector().source(table(List.of(), more), context))
        .hasMessage(
            "table readings: 'properties.ssl.truststore.location' may not read trusted.p12");
  }

  @Test
  void aTableThatIsRightNeedsNoBrokerToBeChecked() {
    Map<String, String> more =
        Map.of(
            "scan.startup.mode", "earliest-offset",
            "format", "",
            "value.format", "json",
            "value.json.ignore-parse-errors", "true",
            "key.format", "csv",
            "key.csv.field-delimiter", ";",
            "key.fields", "id",
            "properties.security.protocol", "SASL_SSL",
            "properties.sasl.mechanism", "PLAIN",
            "properties.sasl.jaas.config", LOGIN);
    TableDescriptor table = table(List.of(), more);
    KafkaConnector kafka = new KafkaConnector();
    assertThat(connectors(kafka).problems(kafka, table)).isEmpty();
    var source = kafka.source(table, context).orElseThrow();
    assertThat(source.bounded()).isFalse();
    assertThat(source.division()).isEqualTo(Division.WHOLE);
    TableDescriptor wrong =
        table(
            List.of(), Map.of("format", "", "value.format", "json", "json.ignore-errors", "true"));
    assertThat(connectors(kafka).problems(kafka, wrong))
        .singleElement()
        .asString()
        .startsWith("table readings: option 'json.ignore-errors' is unknown");
  }

  @Test
  void whatASinkTakesAndPromisesFollowsFromItsOptions() {
    TableDescriptor plain =
        Topics.table(SCHEMA, Map.of(), List.of(), table(List.of(), Map.of()).options());
    var sink = new KafkaConnector().sink(plain, context).orElseThrow();
    assertThat(sink.changelogMode()).isEqualTo(ChangelogMode.INSERT_ONLY);
    assertThat(sink.guarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
    Map<String, String> changing =
        Map.of("format", "debezium-json", "sink.delivery-guarantee", "exactly-once");
    var changes =
        new KafkaConnector()
            .sink(
                Topics.table(SCHEMA, Map.of(), List.of(), table(List.of(), changing).options()),
                context)
            .orElseThrow();
    assertThat(changes.changelogMode()).isEqualTo(ChangelogMode.ALL);
    assertThat(changes.guarantee()).isEqualTo(Guarantee.EXACTLY_ONCE);
    assertThatThrownBy(
            () ->
                new KafkaConnector()
                    .sink(Topics.table(SCHEMA, Map.of(), List.of(0), plain.options()), context))
        .hasMessageContaining("leave out the PRIMARY KEY, or use 'connector' = 'upsert-kafka'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          none ~ value.format=json|key.format=json ~ connector 'upsert-kafka' needs a PRIMARY KEY
          id ~ key.format=json ~ option 'value.format' is missing
          id ~ value.format=json ~ option 'key.format' is missing
          id ~ value.format=debezium-json|key.format=json ~ writes each change, but 'upsert-kafka' keeps the last row of each key
          """)
  void anUpsertTableIsRefusedLikewise(String key, String given, String said) {
    Map<String, String> more = options(given);
    more.put("format", "");
    TableDescriptor table =
        Topics.table(
            SCHEMA,
            Map.of(),
            key.equals("none") ? List.of() : List.of(0),
            table(List.of(), more).options());
    assertThatThrownBy(() -> new UpsertKafkaConnector().sink(table, context))
        .hasMessageStartingWith("table readings: ")
        .hasMessageContaining(said);
  }

  private static Connectors connectors(ConnectorFactory connector) {
    return new Connectors(
        List.of(connector), Formats.installed(KafkaOptionsTest.class.getClassLoader()));
  }
}
