package io.sedge.format.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Avro's own writer writes is read, and the other way round. */
final class AvroFormatTest {
  private static final Map<String, String> TODAY = Map.of("avro.timestamp_mapping.legacy", "false");

  private static final Schema ALL =
      Schema.builder()
          .add("on", Type.BOOLEAN)
          .add("tiny", Type.TINYINT)
          .add("small", Type.SMALLINT)
          .add("number", Type.INT.notNull())
          .add("large", Type.BIGINT)
          .add("single", Type.FLOAT)
          .add("reading", Type.DOUBLE)
          .add("price", Type.decimal(20, 2))
          .add("text", Type.STRING)
          .add("code", Type.character(3))
          .add("day", Type.DATE)
          .add("at", Type.time(3))
          .add("local3", Type.timestamp(3))
          .add("local6", Type.timestamp(6))
          .add("ts3", Type.timestampLtz(3))
          .add("ts6", Type.timestampLtz(6))
          .add("list", Type.array(Type.DOUBLE))
          .add(
              "inner",
              Type.row(
                  List.of("a", "b"),
                  List.of(Type.STRING.notNull(), Type.array(Type.timestampLtz(6).notNull()))))
          .build();

  private static final @Nullable Object[] VALUES = {
    true,
    -128,
    32767,
    7,
    Long.MIN_VALUE,
    1.5f,
    -0.1,
    new BigDecimal("-123456789012345678.90"),
    "ä\u0000€😀",
    "abc",
    20_484,
    86_399_999,
    1_769_860_800_123_000L,
    -1L,
    -1_000L,
    1_769_860_800_123_456L,
    Arrays.asList(1.0, null, Double.NaN),
    Arrays.asList("x", List.of(1L, 2L)),
  };

  private static RowDecoder decoder(Schema schema, Map<String, String> options) {
    return new AvroFormat().decoder(schema, Payloads.columns(schema), options);
  }

  private static byte[] encode(
      Schema schema, Map<String, String> options, @Nullable Object... row) {
    return Encoded.row(
        schema, new AvroFormat().encoder(schema, Payloads.columns(schema), options), row);
  }

  private static Map<String, String> with(Map<String, String> options, String key, String value) {
    Map<String, String> both = new HashMap<>(options);
    both.put(key, value);
    return both;
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "json"})
  void everyTypeComesBackAsItWas(String encoding) throws MalformedPayloadException {
    Map<String, String> options = with(TODAY, "avro.encoding", encoding);
    byte[] payload = encode(ALL, options, VALUES);
    assertThat(Payloads.decode(ALL, decoder(ALL, options), payload)).containsExactly(VALUES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "json"})
  void everythingThatMayBeNullComesBackAsNull(String encoding) throws MalformedPayloadException {
    Map<String, String> options = with(TODAY, "avro.encoding", encoding);
    @Nullable Object[] nulls = new Object[ALL.size()];
    nulls[3] = 7;
    byte[] payload = encode(ALL, options, nulls);
    assertThat(Payloads.decode(ALL, decoder(ALL, options), payload)).containsExactly(nulls);
  }

  @Test
  void aRecordIsReadAsOftenAsItComes() throws MalformedPayloadException {
    RowDecoder decoder = decoder(ALL, TODAY);
    byte[] payload = encode(ALL, TODAY, VALUES);
    byte[] broken = Arrays.copyOf(payload, payload.length / 2);
    for (int i = 0; i < 3; i++) {
      assertThat(Payloads.decode(ALL, decoder, payload)).containsExactly(VALUES);
      assertThatThrownBy(() -> Payloads.decode(ALL, decoder, broken))
          .isInstanceOf(MalformedPayloadException.class);
    }
  }

  private static final String PLANT =
      """
      {"type": "record", "name": "Reading", "namespace": "com.plant", "fields": [
        {"name": "machine", "type": "string"},
        {"name": "unknown", "type": {"type": "map", "values": ["null", "long"]}},
        {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["OFF", "ON"]}},
        {"name": "count", "type": "int"},
        {"name": "level", "type": ["float", "null"]},
        {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "nanos", "type": {"type": "long", "logicalType": "timestamp-nanos"}},
        {"name": "at", "type": {"type": "long", "logicalType": "time-micros"}},
        {"name": "price", "type": {"type": "fixed", "name": "Price", "size": 6,
          "logicalType": "decimal", "precision": 12, "scale": 4}},
        {"name": "inner", "type": {"type": "record", "name": "Inner", "fields": [
          {"name": "more", "type": "string"},
          {"name": "x", "type": "double"}]}},
        {"name": "tags", "type": {"type": "array", "items": "State"}}]}
      """;

  private static final Schema EVOLVED =
      Schema.builder()
          .add("price", Type.decimal(10, 2))
          .add("inner", Type.row(List.of("x", "y"), List.of(Type.DOUBLE, Type.INT)))
          .add("added", Type.STRING)
          .add("state", Type.STRING)
          .add("count", Type.BIGINT)
          .add("level", Type.DOUBLE)
          .add("ts", Type.timestamp(3))
          .add("nanos", Type.timestamp(3))
          .add("at", Type.time(0))
          .add("tags", Type.array(Type.STRING))
          .add("machine", Type.STRING)
          .build();

  private static GenericRecord plant() {
    org.apache.avro.Schema schema = new org.apache.avro.Schema.Parser().parse(PLANT);
    org.apache.avro.Schema state = schema.getField("state").schema();
    GenericData.EnumSymbol on = new GenericData.EnumSymbol(state, "ON");
    GenericData.Fixed price =
        new GenericData.Fixed(
            schema.getField("price").schema(), HexFormat.of().parseHex("fffffffeb704"));
    return new GenericRecordBuilder(schema)
        .set("machine", "press-1")
        .set("unknown", Map.of("a", 1L))
        .set("state", on)
        .set("count", -7)
        .set("level", 2.5f)
        .set("ts", 1_769_860_800_123_456L)
        .set("nanos", 1_769_860_800_123_456_789L)
        .set("at", 1_500_999L)
        .set("price", price)
        .set(
            "inner",
            new GenericRecordBuilder(schema.getField("inner").schema())
                .set("more", "m")
                .set("x", 0.5)
                .build())
        .set("tags", List.of(on))
        .build();
  }

  /** Names, order, widths, units and scales are the writer's: Flink would misread the units. */
  @Test
  void aRecordOfAnotherSchemaIsReadByItsOwnUnits() throws IOException, MalformedPayloadException {
    RowDecoder decoder = decoder(EVOLVED, Map.of("avro.schema", PLANT));
    assertThat(Payloads.decode(EVOLVED, decoder, Payloads.written(plant())))
        .containsExactly(
            new BigDecimal("-8.42"),
            Arrays.asList(0.5, null),
            null,
            "ON",
            -7L,
            2.5,
            1_769_860_800_123_000L,
            1_769_860_800_123_000L,
            1_500,
            List.of("ON"),
            "press-1");
  }

  private static final String TARGET =
      """
      {"type": "record", "name": "Reading", "fields": [
        {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-nanos"}},
        {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["OFF", "ON"]}},
        {"name": "level", "type": ["double", "null"]},
        {"name": "price", "type": {"type": "fixed", "name": "Price", "size": 6,
          "logicalType": "decimal", "precision": 12, "scale": 4}},
        {"name": "inner", "type": {"type": "record", "name": "Inner", "fields": [
          {"name": "y", "type": "long"}, {"name": "x", "type": "string"}]}}]}
      """;

  private static final Schema WRITTEN =
      Schema.builder()
          .add("level", Type.FLOAT)
          .add("state", Type.STRING.notNull())
          .add("ts", Type.timestampLtz(3).notNull())
          .add("price", Type.decimal(10, 2).notNull())
          .add(
              "inner",
              Type.row(List.of("x", "y"), List.of(Type.STRING.notNull(), Type.INT.notNull()))
                  .notNull())
          .build();

  @Test
  void rowsAreWrittenInTheSchemaGiven() throws IOException {
    byte[] payload =
        encode(
            WRITTEN,
            Map.of("avro.schema", TARGET),
            null,
            "OFF",
            1_769_860_800_123_000L,
            new BigDecimal("-8.42"),
            List.of("text", 3));
    GenericRecord read = Payloads.read(new org.apache.avro.Schema.Parser().parse(TARGET), payload);
    assertThat(read.get("ts")).isEqualTo(1_769_860_800_123_000_000L);
    assertThat(read.get("state")).hasToString("OFF");
    assertThat(read.get("level")).isNull();
    assertThat(((GenericData.Fixed) read.get("price")).bytes())
        .isEqualTo(HexFormat.of().parseHex("fffffffeb718"));
    assertThat(read.get("inner")).hasToString("{\"y\": 3, \"x\": \"text\"}");
  }

  @Test
  void avrosOwnReaderReadsWhatIsWritten() throws IOException {
    Schema schema =
        Schema.builder()
            .add("text", Type.STRING.notNull())
            .add("price", Type.decimal(5, 2))
            .add("ts", Type.timestamp(3))
            .build();
    org.apache.avro.Schema its =
        new org.apache.avro.Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "record", "namespace": "org.apache.flink.avro.generated",
                 "fields": [{"name": "text", "type": "string"},
                  {"name": "price", "type": ["null", {"type": "bytes", "logicalType": "decimal",
                    "precision": 5, "scale": 2}], "default": null},
                  {"name": "ts", "type": ["null", {"type": "long",
                    "logicalType": "timestamp-millis"}], "default": null}]}
                """);
    GenericRecord read =
        Payloads.read(
            its, encode(schema, Map.of(), "t", new BigDecimal("-1.50"), 1_769_860_800_123_999L));
    assertThat(read.get("text")).hasToString("t");
    assertThat(read.get("price")).isEqualTo(ByteBuffer.wrap(new byte[] {(byte) 0xff, 0x6a}));
    assertThat(read.get("ts")).isEqualTo(1_769_860_800_123L);
  }

  @Test
  void aRecordThatIsCutOrLongerIsMalformed() {
    RowDecoder decoder = decoder(ALL, TODAY);
    byte[] payload = encode(ALL, TODAY, VALUES);
    for (int length = 0; length < payload.length; length++) {
      byte[] cut = Arrays.copyOf(payload, length);
      assertThatThrownBy(() -> Payloads.decode(ALL, decoder, cut))
          .as("%d bytes", length)
          .isInstanceOf(MalformedPayloadException.class);
    }
    assertThatThrownBy(() -> Payloads.decode(ALL, decoder, Arrays.copyOf(payload, 500)))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageContaining("bytes after the record");
  }

  /** Whatever comes, it is a row or malformed: no length that is claimed takes memory. */
  @Test
  void bytesByChanceAreRowsOrMalformed() {
    RowDecoder decoder = decoder(ALL, TODAY);
    byte[] payload = encode(ALL, TODAY, VALUES);
    Random random = new Random(26);
    int malformed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = payload.clone();
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try {
        var _ = Payloads.decode(ALL, decoder, changed);
      } catch (MalformedPayloadException e) {
        malformed++;
      }
    }
    assertThat(malformed).isBetween(1_000, 19_999);
  }

  @Test
  void moreElementsThanMemoryHoldsAreMalformed() throws MalformedPayloadException {
    Schema schema = Schema.builder().add("list", Type.array(Type.INT.notNull()).notNull()).build();
    RowDecoder decoder = decoder(schema, Map.of());
    Integer[] most = new Integer[1 << 16];
    Arrays.fill(most, 0);
    byte[] payload = encode(schema, Map.of(), List.of(most));
    assertThat(Payloads.decode(schema, decoder, payload)).containsExactly(List.of(most));
    Integer[] more = new Integer[most.length + 1];
    Arrays.fill(more, 0);
    byte[] longer = encode(schema, Map.of(), List.of(more));
    assertThatThrownBy(() -> Payloads.decode(schema, decoder, longer))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("its arrays have more than 65,536 elements");
  }

  /** They have no end: ten bytes could claim 2^63 of them, even where the table has no column. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"null\" | null",
        "{\"type\": \"fixed\", \"name\": \"f\", \"size\": 0} | fixed",
        "{\"type\": \"record\", \"name\": \"e\", \"fields\": [{\"name\": \"n\", \"type\":"
            + " \"null\"}]} | record",
      })
  void arraysWhoseElementsTakeNoBytesAreRefused(String element, String named) {
    String array = "{\"type\": \"array\", \"items\": %s}".formatted(element);
    for (String type :
        List.of(
            array,
            "[\"null\", %s]".formatted(array),
            "{\"type\": \"map\", \"values\": %s}".formatted(array))) {
      String writer =
          """
          {"type": "record", "name": "r", "fields": [
            {"name": "a", "type": "int"}, {"name": "list", "type": %s}]}
          """
              .formatted(type);
      assertRefused(
          () -> decoder(one("a", Type.INT), Map.of("avro.schema", writer)),
          "the columns cannot be read from 'avro.schema': it has an array of %s whose elements take"
              .formatted(named));
    }
  }

  private static String field(String type) {
    return "{\"type\": \"record\", \"name\": \"r\", \"fields\": [{\"name\": \"a\", \"type\": %s}]}"
        .formatted(type);
  }

  private static String logical(String type, String logical) {
    return "{\"type\": \"%s\", \"logicalType\": \"%s\"}".formatted(type, logical);
  }

  /** Avro would promote it, and the column would have another value than was written. */
  @ParameterizedTest
  @CsvSource({
    "DECIMAL, string, , string",
    "DECIMAL, bytes, , bytes",
    "DECIMAL, bytes, big-decimal, bytes (big-decimal)",
    "TIMESTAMP, int, , int",
    "TIMESTAMP, int, date, int (date)",
    "TIMESTAMP, int, time-millis, int (time-millis)",
    "TIMESTAMP, long, time-micros, long (time-micros)",
    "TIMESTAMP, long, timestamp-minutes, long (timestamp-minutes)",
    "TIME, int, date, int (date)",
    "TIME, long, timestamp-micros, long (timestamp-micros)",
    "DATE, int, time-millis, int (time-millis)",
    "STRING, bytes, , bytes",
  })
  void whatMeansSomethingElseIsRefused(
      String column, String type, @Nullable String logical, String named) {
    Type its =
        switch (column) {
          case "DECIMAL" -> Type.decimal(20, 2);
          case "TIMESTAMP" -> Type.timestamp(3);
          case "TIME" -> Type.time(3);
          case "DATE" -> Type.DATE;
          default -> Type.STRING;
        };
    String writer = logical == null ? "\"%s\"".formatted(type) : logical(type, logical);
    String message =
        "the columns cannot be read from 'avro.schema': column `a` is %s, which is not read from %s"
            .formatted(its, named);
    for (String written : List.of(writer, "[\"null\", %s]".formatted(writer))) {
      assertRefused(() -> decoder(one("a", its), Map.of("avro.schema", field(written))), message);
    }
    assertRefused(
        () ->
            decoder(
                one("a", Type.array(its)),
                Map.of(
                    "avro.schema",
                    field("{\"type\": \"array\", \"items\": %s}".formatted(writer)))),
        message);
  }

  @Test
  void aBranchThatMeansSomethingElseIsRefusedBesideOneThatFits() {
    assertRefused(
        () ->
            decoder(
                one("a", Type.timestamp(3)),
                Map.of(
                    "avro.schema",
                    field(
                        "[\"null\", \"int\", %s]".formatted(logical("long", "timestamp-micros"))))),
        "the columns cannot be read from 'avro.schema': column `a` is TIMESTAMP(3), which is not"
            + " read from int");
    assertRefused(
        () ->
            decoder(one("a", Type.STRING), Map.of("avro.schema", field("[\"string\", \"bytes\"]"))),
        "the columns cannot be read from 'avro.schema': column `a` is STRING, which is not read"
            + " from bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "TIMESTAMP, long, 02, 1000",
    "TIME, int, 02, 1",
    "DATE, int, 02, 1",
    "STRING, string, 0231, 1",
  })
  void whatHasNoMeaningOfItsOwnIsTakenForTheColumns(
      String column, String type, String hex, String value) throws MalformedPayloadException {
    Type its =
        switch (column) {
          case "TIMESTAMP" -> Type.timestamp(3);
          case "TIME" -> Type.time(3);
          case "DATE" -> Type.DATE;
          default -> Type.STRING;
        };
    Schema schema = one("a", its);
    RowDecoder decoder = decoder(schema, Map.of("avro.schema", field("\"%s\"".formatted(type))));
    assertThat(Payloads.decode(schema, decoder, HexFormat.of().parseHex(hex)).getFirst())
        .hasToString(value);
    RowDecoder nothing = decoder(schema, Map.of("avro.schema", field("\"null\"")));
    assertThat(Payloads.decode(schema, nothing, new byte[0])).containsOnlyNulls();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tiny | TINYINT | int | ff7f | `tiny`: is -8192, which TINYINT does not hold",
        "text | STRING | string | 04c328 | `text`: is not UTF-8",
        "price | DECIMAL(3, 2) | {\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\":"
            + " 9, \"scale\": 2} | 064f0000 | `price`: has more digits than DECIMAL(3, 2)",
        "price | DECIMAL(3, 2) | {\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\":"
            + " 9, \"scale\": 2} | 00 | `price`: is a decimal without a digit",
        "at | TIME(3) | {\"type\": \"long\", \"logicalType\": \"time-micros\"} | 01 | `at`: is -1"
            + " µs, which is no time of a day",
      })
  void aValueThatDoesNotFitItsColumnIsMalformed(
      String name, String type, String writer, String hex, String message) {
    Schema schema =
        Schema.builder()
            .add(
                name,
                switch (type) {
                  case "TINYINT" -> Type.TINYINT;
                  case "STRING" -> Type.STRING;
                  case "TIME(3)" -> Type.time(3);
                  default -> Type.decimal(3, 2);
                })
            .build();
    String its = writer.startsWith("{") ? writer : "\"" + writer + "\"";
    String record =
        "{\"type\": \"record\", \"name\": \"r\", \"fields\": [{\"name\": \"%s\", \"type\": %s}]}"
            .formatted(name, its);
    RowDecoder decoder = decoder(schema, Map.of("avro.schema", record));
    assertThatThrownBy(() -> Payloads.decode(schema, decoder, HexFormat.of().parseHex(hex)))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage(message);
  }

  @Test
  void whatIsNoJsonIsMalformed() {
    RowDecoder decoder = decoder(ALL, with(TODAY, "avro.encoding", "json"));
    for (String text : List.of("", "{", "[]", "nothing", "{\"number\": \"x\"}", "{\"on\": 1}")) {
      assertThatThrownBy(() -> Payloads.decode(ALL, decoder, text.getBytes(UTF_8)))
          .as(text)
          .isInstanceOf(MalformedPayloadException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\": 2}", "rubbish", "}", "1", "\u0000"})
  void whatFollowsTheRecordInJsonIsMalformed(String rest) throws MalformedPayloadException {
    Schema schema = one("a", Type.INT.notNull());
    RowDecoder decoder = decoder(schema, Map.of("avro.encoding", "json"));
    byte[] payload = ("{\"a\": 1} " + rest).getBytes(UTF_8);
    assertThatThrownBy(() -> Payloads.decode(schema, decoder, payload))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("there is something after the record");
    assertThat(Payloads.decode(schema, decoder, " {\"a\": 1} \r\n".getBytes(UTF_8)))
        .containsExactly(1);
  }

  private static Schema one(String name, Type type) {
    return Schema.builder().add(name, type).build();
  }

  @Test
  void whatCannotBeReadIsSaidAtOnce() {
    assertRefused(
        () -> decoder(one("ts", Type.timestampLtz(3)), Map.of()),
        "column `ts` is TIMESTAMP_LTZ(3): set 'avro.timestamp_mapping.legacy' = 'false'");
    assertRefused(
        () -> decoder(one("ts", Type.timestamp(6)), Map.of()),
        "column `ts` is TIMESTAMP(6): set 'avro.timestamp_mapping.legacy' = 'false'");
    assertRefused(
        () -> decoder(one("at", Type.time(6)), Map.of()), "column `at` is TIME(6): use TIME(3)");
    assertRefused(
        () -> decoder(one("gap", Type.intervalDayTime()), Map.of()),
        "column `gap` has INTERVAL DAY TO SECOND, which Avro has not");
    assertRefused(
        () -> decoder(one("höhe m", Type.INT), Map.of()),
        "column `höhe m` cannot be a field of Avro, whose names are letters, digits and _");
    assertRefused(
        () -> decoder(one("a", Type.INT), Map.of("avro.schema", "{")),
        "'avro.schema' is no schema of Avro: ");
    assertRefused(
        () -> decoder(one("a", Type.INT), Map.of("avro.schema", "\"int\"")),
        "'avro.schema' is no record, but int");
    assertRefused(
        () -> decoder(one("count", Type.STRING), Map.of("avro.schema", PLANT)),
        "the columns cannot be read from 'avro.schema': ");
    assertRefused(
        () -> decoder(one("added", Type.STRING.notNull()), Map.of("avro.schema", PLANT)),
        "the columns cannot be read from 'avro.schema': ");
  }

  @Test
  void whatCannotBeWrittenIsSaidAtOnce() {
    Map<String, String> target =
        Map.of(
            "avro.schema",
            "{\"type\": \"record\", \"name\": \"r\", \"fields\": [{\"name\": \"a\", \"type\":"
                + " \"int\"}]}");
    assertRefused(
        () -> encode(one("b", Type.INT), target, 1),
        "column `b` is no field of 'avro.schema', which has a");
    assertRefused(
        () -> encode(one("a", Type.INT), target, 1),
        "column `a` may be NULL, but not in the schema");
    assertRefused(
        () -> encode(one("a", Type.STRING), target, "x"),
        "column `a` is STRING, but the schema has");
    Schema two = Schema.builder().add("a", Type.INT.notNull()).add("b", Type.INT.notNull()).build();
    assertRefused(
        () -> encode(two, target, 1, 2), "column `b` is no field of 'avro.schema', which has a");
    assertRefused(
        () -> encode(WRITTEN, Map.of("avro.schema", PLANT), null, "", 0L, BigDecimal.ONE, null),
        "the schema has the field 'machine', but the table no such column");
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "json"})
  void aTextThatIsNoSymbolDoesNotFitAndTheNextRowMay(String encoding) throws MalformedRowException {
    Schema schema = Schema.builder().add("id", Type.BIGINT).add("state", Type.STRING).build();
    Map<String, String> options =
        Map.of(
            "avro.encoding",
            encoding,
            "avro.schema",
            "{\"type\": \"record\", \"name\": \"r\", \"fields\": [{\"name\": \"id\", \"type\":"
                + " [\"null\", \"long\"]}, {\"name\": \"state\", \"type\": [\"null\", {\"type\":"
                + " \"enum\", \"name\": \"s\", \"symbols\": [\"ON\", \"OFF\"]}]}]}");
    RowEncoder encoder = new AvroFormat().encoder(schema, Payloads.columns(schema), options);
    Batch batch = new BatchBuilder(schema).addRow(1L, "BROKEN").addRow(2L, "ON").build();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    assertThatThrownBy(() -> encoder.encode(batch, 0, output))
        .isInstanceOf(MalformedRowException.class)
        .hasMessage("column `state` is 'BROKEN', which is not one of [ON, OFF]");
    output.reset();
    encoder.encode(batch, 1, output);
    assertThat(output.toByteArray()).isEqualTo(encode(schema, options, 2L, "ON"));
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(ConnectorException.class).hasMessageStartingWith(message);
  }

  @Test
  void anUnfinishedRowIsTheCallersToDiscard() throws MalformedPayloadException {
    Schema schema = Schema.builder().add("a", Type.INT).add("b", Type.STRING).build();
    BatchBuilder builder = new BatchBuilder(schema);
    RowDecoder decoder = decoder(schema, Map.of());
    byte[] payload = encode(schema, Map.of(), 1, "text");
    assertThatThrownBy(() -> decoder.decode(payload, 0, payload.length - 1, builder))
        .isInstanceOf(MalformedPayloadException.class);
    builder.discardRow();
    decoder.decode(payload, 0, payload.length, builder);
    builder.endRow();
    assertThat(builder.build().row(0)).containsExactly(1, "text");
  }
}
