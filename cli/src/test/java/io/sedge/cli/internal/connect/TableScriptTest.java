package io.sedge.cli.internal.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Column;
import io.sedge.connector.Findings.Columns;
import io.sedge.connector.Findings.Content;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.Findings.Payload;
import io.sedge.connector.Findings.Records;
import io.sedge.connector.Findings.Unread;
import io.sedge.engine.type.Type;
import io.sedge.sql.Job;
import io.sedge.sql.ScriptVariables;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableScriptTest {
  private static final Map<String, String> BROKER =
      Map.of("connector", "kafka", "properties.bootstrap.servers", "localhost:9092");
  private static final Map<String, String> DATABASE =
      Map.of("connector", "jdbc", "url", "jdbc:sqlite:plant.db");

  private static TableScript topics(Found... found) {
    return TableScript.of(
        new Findings(
            "Kafka at localhost:9092",
            List.of("topic", "partitions", "records"),
            List.of(found),
            0),
        BROKER);
  }

  private static Found topic(String name, Content content) {
    return new Found(
        name,
        List.of("1", "3"),
        Map.of("topic", name, "scan.startup.mode", "earliest-offset"),
        content);
  }

  private static Found texts(String name, String... values) {
    return topic(
        name,
        new Records(
            Stream.of(values).map(value -> new Payload(Optional.empty(), bytes(value))).toList(),
            "timestamp",
            0));
  }

  private static Found keyed(String name, String... keysAndValues) {
    return topic(
        name,
        new Records(
            Stream.of(keysAndValues)
                .map(pair -> pair.split("=", 2))
                .map(pair -> new Payload(Optional.of(bytes(pair[0])), bytes(pair[1])))
                .toList(),
            "timestamp",
            0));
  }

  private static Found binary(String name, byte[]... values) {
    return topic(
        name,
        new Records(
            Stream.of(values).map(value -> new Payload(Optional.empty(), value)).toList(),
            "timestamp",
            0));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] framed(int schema, int... rest) {
    ByteBuffer bytes = ByteBuffer.allocate(5 + rest.length).put((byte) 0).putInt(schema);
    for (int value : rest) {
      bytes.put((byte) value);
    }
    return bytes.array();
  }

  private static Found table(String name, Content content) {
    return new Found(name, List.of("2"), Map.of("table-name", name), content);
  }

  private static TableScript tables(Found... found) {
    return TableScript.of(
        new Findings("SQLite at plant.db", List.of("table", "columns"), List.of(found), 0),
        DATABASE);
  }

  /** Compiles it as a person's script is. */
  private static Job compiled(TableScript script) throws SqlException {
    Connectors connectors = Connectors.installed(TableScriptTest.class.getClassLoader());
    String resolved = ScriptVariables.resolve(script.text(), _ -> Optional.empty()).text();
    return new SqlCompiler(
            connectors.byName(), connectors.formats().byName(), InstantSource.system())
        .compile("found.sql", resolved, Path.of("."));
  }

  @Test
  void objectsOfJsonBecomeColumnsOfAllRecords() throws SqlException {
    TableScript script =
        topics(
            texts(
                "plant.readings",
                "{\"machine\":\"press\",\"ts\":1764000000000,\"v\":null}",
                "{\"machine\":\"saw\",\"ts\":1764000000001,\"v\":2.5,\"on\":true}"));
    assertThat(script.lines()).containsExactly("JSON, 4 columns");
    assertThat(script.text())
        .startsWith(
            """
            -- plant.readings, partitions: 1, records: 3
            CREATE TABLE plant_readings_topic (
              `machine` STRING,
              `ts` BIGINT,
              `v` DOUBLE,
              `on` BOOLEAN,
              event_time AS TO_TIMESTAMP_LTZ(`ts`, 3),
              WATERMARK FOR event_time AS event_time - INTERVAL '2' SECOND
            ) WITH (
            """)
        .contains("'topic' = 'plant.readings'", "'scan.startup.mode' = 'earliest-offset'")
        .contains("'format' = 'json'")
        .endsWith("SELECT * FROM plant_readings_topic;\n");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void aKeyThatValuesDoNotRepeatIsAColumn() throws SqlException {
    TableScript script =
        topics(
            keyed("a", "press={\"v\":1}", "saw={\"v\":2,\"record_key\":1}"),
            keyed("b", "press={\"m\":\"press\",\"v\":1}", "saw={\"m\":\"saw\",\"v\":2}"),
            keyed("c", "press=1;2", "saw=1;3"));
    assertThat(script.text())
        .contains("record_key_ STRING,\n  `v` DOUBLE")
        .contains(
            "'key.format' = 'raw',\n  'key.fields' = 'record_key_',\n  'value.format' = 'json',\n"
                + "  'value.fields-include' = 'EXCEPT_KEY'")
        .contains("CREATE TABLE b_topic (\n  `m` STRING,\n  `v` DOUBLE,\n")
        .contains("'value.csv.field-delimiter' = ';'")
        .contains("event_time TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'");
    assertThat(compiled(script).sources()).hasSize(1);
    assertThat(all(script)).hasSize(3);
  }

  /** Each query runs, not the first alone. */
  private static Map<String, Job.SourceTable> all(TableScript script) throws SqlException {
    Connectors connectors = Connectors.installed(TableScriptTest.class.getClassLoader());
    return new SqlCompiler(
            connectors.byName(), connectors.formats().byName(), InstantSource.system())
        .compile("found.sql", script.text().replace("-- SELECT", "SELECT"), Path.of("."))
        .sources();
  }

  @Test
  void linesOfCsvNumbersAndTextsAreTold() throws SqlException {
    TableScript script =
        topics(
            texts("csv", "1764000000000,press,1.5,", "1764000000001,saw,2,x"),
            texts("numbers", "21.5", " 22 "),
            texts("texts", "open, for now", "shut"),
            texts("sentences", "hello, world", "well, then"));
    assertThat(script.lines()).containsExactly("CSV, 4 columns", "numbers", "text", "text");
    assertThat(script.text())
        .contains(
            """
              `f1` BIGINT,
              `f2` STRING,
              `f3` DOUBLE,
              `f4` STRING,
              event_time AS TO_TIMESTAMP_LTZ(`f1`, 3),
            """)
        .contains("TRY_CAST(payload AS DOUBLE)")
        .contains(
            "CREATE TABLE sentences_topic (\n  payload STRING,\n  event_time TIMESTAMP_LTZ(3)");
    assertThat(all(script)).hasSize(4);
  }

  @Test
  void aTextThatIsATimeIsTheTimeOfTheRecord() throws SqlException {
    TableScript script =
        topics(
            keyed(
                "readings",
                "press={\"at\":\"2026-01-31T10:02:13Z\",\"v\":1,\"note\":\"2026-01-31T10:02:13Z\"}",
                "saw={\"at\":\"2026-01-31T11:02:13.250+01:00\",\"v\":2,\"note\":\"none\"}"));
    assertThat(script.text())
        .contains("`at` TIMESTAMP_LTZ(3),", "`note` STRING", "event_time AS `at`,\n  WATERMARK")
        .contains("'value.json.timestamp-format.standard' = 'ISO-8601'");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void namesWithoutEndBecomeNoColumnsWithoutEnd() throws SqlException {
    String fields =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "\"m%d\":1".formatted(i))
            .collect(Collectors.joining(","));
    TableScript script = topics(texts("readings", "{" + fields + "}"));
    assertThat(script.text())
        .contains("-- left out: 800 columns more", "`m199` DOUBLE")
        .doesNotContain("`m200`");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  @Test
  void aFewBrokenRecordsHideNoFormat() throws SqlException {
    String[] values = new String[20];
    Arrays.fill(values, "{\"v\":1}");
    values[7] = "{\"v\":";
    values[13] = "\u0000\u0001";
    TableScript script = topics(texts("readings", values));
    assertThat(script.lines()).containsExactly("JSON, 1 column; 2 of those looked at are not");
    assertThat(compiled(script).sources()).hasSize(1);
  }

  // What a frame holds is only likely; which schema it names is sure.
  @Test
  void recordsOfARegistryAreNamedWithTheirSchemas() {
    TableScript script =
        topics(
            binary("avro", framed(7, 0x0a, 'p', 'r', 'e', 's', 's'), framed(9, 0x02, 'x')),
            binary("proto", framed(3, 0, 0x0a, 2, 'o', 'k', 0x10, 5), framed(3, 0, 0x10, 0x96, 1)),
            binary("json", framed(4, '{', '}')),
            binary("bytes", new byte[] {(byte) 0x81, (byte) 0xa1, 'v', 1}),
            binary("zeros", new byte[] {0, 0, 0, 0, 0, 1}));
    assertThat(script.hasTables()).isFalse();
    assertThat(script.lines())
        .containsExactly(
            "Avro with schema 7, 9 of a registry (Confluent)",
            "Protobuf with schema 3 of a registry (Confluent)",
            "JSON with schema 4 of a registry (Confluent)",
            "no text; they do not tell their format",
            "no text; they do not tell their format");
    assertThat(script.text())
        .contains(
            "-- avro: declare the columns of that schema, with 'format' = 'avro-confluent',"
                + " 'avro-confluent.url' = 'http://REGISTRY:8081'")
        .contains("-- proto: no format takes such a frame off")
        .contains("-- bytes: declare the columns, with 'format' = 'avro', 'protobuf', 'cbor'");
  }

  @Test
  void whatHasNoColumnsIsSaid() {
    TableScript script =
        topics(
            topic("empty", new Records(List.of(), "timestamp", 0)),
            topic("gone", new Records(List.of(), "timestamp", 1_200)),
            topic("later", new Unread("")),
            topic("secret", new Unread("this user may not read it: it needs the right READ")));
    assertThat(script.hasTables()).isFalse();
    assertThat(script.text()).isEmpty();
    assertThat(script.lines())
        .containsExactly(
            "no record came, so no columns are known",
            "1,200 records have no value, so no columns are known",
            "not looked at",
            "this user may not read it: it needs the right READ");
  }

  @Test
  void tablesHaveTheirTypesAndTheirKey() throws SqlException {
    TableScript script =
        tables(
            table(
                "plant.machines",
                new Columns(
                    List.of(
                        new Column("id", Type.BIGINT.notNull()),
                        new Column("order", Type.STRING),
                        new Column("price", Type.decimal(10, 2)),
                        new Column("at", Type.time(3)),
                        new Column("ts", Type.timestamp(6)),
                        new Column("zoned", Type.timestampLtz(3).notNull()),
                        new Column("day", Type.DATE),
                        new Column("x\n-- y", Type.DATE)),
                    List.of("id"),
                    List.of("photo is BLOB, which no type of Sedge holds"))),
            table(
                "machines", new Columns(List.of(new Column("n", Type.INT)), List.of(), List.of())),
            table("blobs", new Columns(List.of(), List.of(), List.of("photo is BLOB"))));
    assertThat(script.text())
        .startsWith(
            """
            -- plant.machines, columns: 2
            -- left out: photo is BLOB, which no type of Sedge holds
            -- left out: a column whose name cannot be written
            CREATE TABLE plant_machines_table (
              `id` BIGINT NOT NULL,
              `order` STRING,
              `price` DECIMAL(10, 2),
              `at` TIME(3),
              `ts` TIMESTAMP(6),
              `zoned` TIMESTAMP_LTZ(3) NOT NULL,
              `day` DATE,
              PRIMARY KEY (`id`) NOT ENFORCED
            ) WITH (
            """)
        .contains("'table-name' = 'plant.machines'");
    assertThat(script.lines())
        .containsExactly(
            "left out: photo is BLOB, which no type of Sedge holds; a column whose name cannot be"
                + " written",
            "",
            "no column that can be read");
    assertThat(all(script)).hasSize(2);
  }

  /** A name is text from outside: it neither ends a literal nor begins a line of its own. */
  @Test
  void aHostileNameStaysAName() throws SqlException {
    Columns one = new Columns(List.of(new Column("n", Type.INT)), List.of(), List.of());
    TableScript script =
        tables(
            table(
                "a') -- it's",
                new Columns(
                    List.of(new Column("n`", Type.INT), new Column("${HOME}", Type.INT)),
                    List.of("n`"),
                    List.of("x\ny"))),
            table("12", one),
            table("a\nDROP", one),
            table("${HOME}", one));
    assertThat(script.text())
        .contains("CREATE TABLE a_it_s_table (\n  `n``` INT,\n  PRIMARY KEY (`n```) NOT ENFORCED")
        .contains("'table-name' = 'a'') -- it''s'", "CREATE TABLE found_table")
        .doesNotContain("DROP", "HOME", "x\ny");
    assertThat(script.lines()).endsWith("its name cannot be written in a script");
    assertThat(compiled(script).sources()).hasSize(1);
  }
}
