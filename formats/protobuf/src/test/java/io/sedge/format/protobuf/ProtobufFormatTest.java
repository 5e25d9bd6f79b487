package io.sedge.format.protobuf;

import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label.LABEL_OPTIONAL;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label.LABEL_REPEATED;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label.LABEL_REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.UninterpretedOption;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Field;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Option;
import com.google.protobuf.Struct;
import com.google.protobuf.StructProto;
import com.google.protobuf.Timestamp;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.Value;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of Protobuf's own generated classes are read, and the other way round. */
final class ProtobufFormatTest {
  private static final Type STRING = Type.STRING;
  private static final Type INT = Type.INT;
  private static final Type BIGINT = Type.BIGINT;

  private static final Schema READING =
      Schema.builder()
          .add("machine", STRING)
          .add("on", Type.BOOLEAN)
          .add("number", INT)
          .add("offset", INT)
          .add("unsigned", BIGINT)
          .add("large", BIGINT)
          .add("single", Type.FLOAT)
          .add("level", Type.DOUBLE)
          .add("raw", STRING)
          .add("state", STRING)
          .add("state_number", Type.SMALLINT)
          .add("ts", Type.timestampLtz(6))
          .add("list", Type.array(Type.DOUBLE))
          .add("names", Type.array(STRING))
          .add("optional_number", INT)
          .add("inner", Type.row(List.of("x", "y"), List.of(Type.DOUBLE, BIGINT)))
          .add("counts", Type.array(Type.row(List.of("key", "value"), List.of(STRING, BIGINT))))
          .build();

  @TempDir Path directory;

  private Path plant;

  @BeforeEach
  void write() throws IOException {
    plant = set("plant.desc", TimestampProto.getDescriptor().toProto(), plantFile());
  }

  private Path set(String name, FileDescriptorProto... files) throws IOException {
    Path file = directory.resolve(name);
    Files.write(
        file, FileDescriptorSet.newBuilder().addAllFile(List.of(files)).build().toByteArray());
    return file;
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, Label label, FieldDescriptorProto.Type type, String of) {
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(name)
            .setNumber(number)
            .setLabel(label)
            .setType(type);
    return of.isEmpty() ? field : field.setTypeName(of);
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return field(name, number, LABEL_OPTIONAL, type, "");
  }

  /** What protoc makes of a file in proto3. */
  private static FileDescriptorProto plantFile() {
    return FileDescriptorProto.newBuilder()
        .setName("v1/plant_data.proto")
        .setPackage("plant.v1")
        .setSyntax("proto3")
        .addDependency("google/protobuf/timestamp.proto")
        .addEnumType(
            EnumDescriptorProto.newBuilder()
                .setName("State")
                .addValue(EnumValueDescriptorProto.newBuilder().setName("OFF").setNumber(0))
                .addValue(EnumValueDescriptorProto.newBuilder().setName("ON").setNumber(7)))
        .addMessageType(
            DescriptorProto.newBuilder()
                .setName("Reading")
                .addField(field("machine", 1, FieldDescriptorProto.Type.TYPE_STRING))
                .addField(field("on", 2, FieldDescriptorProto.Type.TYPE_BOOL))
                .addField(field("number", 3, FieldDescriptorProto.Type.TYPE_SINT32))
                .addField(field("offset", 4, FieldDescriptorProto.Type.TYPE_FIXED32))
                .addField(field("unsigned", 5, FieldDescriptorProto.Type.TYPE_UINT32))
                .addField(field("large", 6, FieldDescriptorProto.Type.TYPE_SFIXED64))
                .addField(field("single", 7, FieldDescriptorProto.Type.TYPE_FLOAT))
                .addField(field("level", 8, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(field("raw", 9, FieldDescriptorProto.Type.TYPE_BYTES))
                .addField(
                    field(
                        "state",
                        10,
                        LABEL_OPTIONAL,
                        FieldDescriptorProto.Type.TYPE_ENUM,
                        ".plant.v1.State"))
                .addField(
                    field(
                        "state_number",
                        11,
                        LABEL_OPTIONAL,
                        FieldDescriptorProto.Type.TYPE_ENUM,
                        ".plant.v1.State"))
                .addField(
                    field(
                        "ts",
                        12,
                        LABEL_OPTIONAL,
                        FieldDescriptorProto.Type.TYPE_MESSAGE,
                        ".google.protobuf.Timestamp"))
                .addField(
                    field("list", 13, LABEL_REPEATED, FieldDescriptorProto.Type.TYPE_DOUBLE, ""))
                .addField(
                    field("names", 14, LABEL_REPEATED, FieldDescriptorProto.Type.TYPE_STRING, ""))
                .addField(
                    field("optional_number", 15, FieldDescriptorProto.Type.TYPE_INT32)
                        .setProto3Optional(true)
                        .setOneofIndex(0))
                .addField(
                    field(
                        "inner",
                        16,
                        LABEL_OPTIONAL,
                        FieldDescriptorProto.Type.TYPE_MESSAGE,
                        ".plant.v1.Reading.Inner"))
                .addField(
                    field(
                        "counts",
                        17,
                        LABEL_REPEATED,
                        FieldDescriptorProto.Type.TYPE_MESSAGE,
                        ".plant.v1.Reading.CountsEntry"))
                .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_optional_number"))
                .addNestedType(
                    DescriptorProto.newBuilder()
                        .setName("Inner")
                        .addField(field("x", 1, FieldDescriptorProto.Type.TYPE_DOUBLE))
                        .addField(field("y", 2, FieldDescriptorProto.Type.TYPE_INT64)))
                .addNestedType(
                    DescriptorProto.newBuilder()
                        .setName("CountsEntry")
                        .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                        .addField(field("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
                        .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_INT64))))
        .build();
  }

  private static Map<String, String> options(Path descriptors, String message, String... more) {
    Map<String, String> options = new HashMap<>();
    options.put("protobuf.descriptor-set", descriptors.toString());
    options.put("protobuf.message-class-name", message);
    for (int i = 0; i < more.length; i += 2) {
      options.put("protobuf." + more[i], more[i + 1]);
    }
    return options;
  }

  private static List<Integer> columns(Schema schema) {
    return IntStream.range(0, schema.size()).boxed().toList();
  }

  private static List<@Nullable Object> decode(
      Schema schema, Map<String, String> options, byte[] payload) throws MalformedPayloadException {
    BatchBuilder builder = new BatchBuilder(schema);
    byte[] around = new byte[payload.length + 2];
    System.arraycopy(payload, 0, around, 1, payload.length);
    new ProtobufFormat()
        .decoder(schema, columns(schema), options)
        .decode(around, 1, payload.length, builder);
    builder.endRow();
    return builder.build().row(0);
  }

  private static byte[] encode(
      Schema schema, Map<String, String> options, @Nullable Object... row) {
    return Encoded.row(schema, new ProtobufFormat().encoder(schema, columns(schema), options), row);
  }

  @Test
  void everyTypeComesBackAsItWas() throws MalformedPayloadException {
    Map<String, String> options = options(plant, "plant.v1.Reading");
    @Nullable Object[] values = {
      "ä€😀",
      true,
      -7,
      -1,
      4_294_967_295L,
      Long.MIN_VALUE,
      1.5f,
      -0.1,
      "AP8=",
      "ON",
      7,
      -1L,
      List.of(1.0, Double.NaN),
      List.of("a", ""),
      0,
      Arrays.asList(0.5, 3L),
      List.of(List.of("k", 5L)),
    };
    assertThat(decode(READING, options, encode(READING, options, values))).containsExactly(values);
  }

  /** As in Flink: what has no presence has its default; all else that is not there is NULL. */
  @Test
  void whatIsNotThereIsNullOrItsDefault() throws MalformedPayloadException {
    Map<String, String> options = options(plant, "plant.v1.Reading");
    @Nullable Object[] nulls = new Object[READING.size()];
    assertThat(encode(READING, options, nulls)).isEmpty();
    assertThat(decode(READING, options, new byte[0]))
        .containsExactly(
            "", false, 0, 0, 0L, 0L, 0f, 0.0, "", "OFF", 0, null, null, null, null, null, null);
    assertThat(
            decode(
                READING,
                options(plant, "plant.v1.Reading", "read-default-values", "true"),
                new byte[0]))
        .containsExactly(
            "",
            false,
            0,
            0,
            0L,
            0L,
            0f,
            0.0,
            "",
            "OFF",
            0,
            0L,
            List.of(),
            List.of(),
            0,
            Arrays.asList(0.0, 0L),
            List.of());
  }

  @Test
  void nullsInArraysAreWrittenAsTheOptionsSay() throws MalformedPayloadException {
    Schema schema =
        Schema.builder()
            .add("list", Type.array(Type.DOUBLE))
            .add("names", Type.array(STRING))
            .build();
    Map<String, String> options =
        options(plant, "plant.v1.Reading", "write-null-string-literal", "none");
    byte[] payload = encode(schema, options, Arrays.asList(1.0, null), Arrays.asList(null, "a"));
    assertThat(decode(schema, options, payload))
        .containsExactly(List.of(1.0, 0.0), List.of("none", "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"google.protobuf.Field", "com.google.protobuf.Field", " google.protobuf.Field "})
  void aMessageOfAGeneratedClassIsRead(String name) throws Exception {
    Path types = setOf(field().getDescriptorForType().getFile());
    Schema schema =
        Schema.builder()
            .add("kind", STRING)
            .add("cardinality", INT)
            .add("number", INT)
            .add("packed", Type.BOOLEAN)
            .add("options", Type.array(Type.row(List.of("name"), List.of(STRING))))
            .build();
    assertThat(decode(schema, options(types, name), field().toByteArray()))
        .containsExactly("TYPE_STRING", 3, 9, true, List.of(List.of("first"), List.of("second")));
    Field read =
        Field.parseFrom(
            encode(
                schema,
                options(types, name),
                "TYPE_STRING",
                3,
                9,
                true,
                List.of(List.of("first"), List.of("second"))));
    assertThat(read).isEqualTo(field());
  }

  private static Field field() {
    return Field.newBuilder()
        .setKind(Field.Kind.TYPE_STRING)
        .setCardinality(Field.Cardinality.CARDINALITY_REPEATED)
        .setNumber(9)
        .setPacked(true)
        .addOptions(Option.newBuilder().setName("first"))
        .addOptions(Option.newBuilder().setName("second"))
        .build();
  }

  /** A file after those that it imports. */
  private Path setOf(FileDescriptor file) throws IOException {
    FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
    add(file, set);
    Path path = directory.resolve("set.desc");
    Files.write(path, set.build().toByteArray());
    return path;
  }

  private static void add(FileDescriptor file, FileDescriptorSet.Builder set) {
    file.getDependencies().forEach(dependency -> add(dependency, set));
    set.addFile(file.toProto());
  }

  @Test
  void aMapAndAOneofAreRead() throws Exception {
    Path types = setOf(StructProto.getDescriptor());
    Schema schema =
        Schema.builder()
            .add(
                "fields",
                Type.array(
                    Type.row(
                        List.of("key", "value"),
                        List.of(
                            STRING,
                            Type.row(
                                List.of("number_value", "string_value"),
                                List.of(Type.DOUBLE, STRING))))))
            .build();
    Struct struct =
        Struct.newBuilder()
            .putFields("level", Value.newBuilder().setNumberValue(2.5).build())
            .build();
    assertThat(decode(schema, options(types, "com.google.protobuf.Struct"), struct.toByteArray()))
        .containsExactly(List.of(List.of("level", Arrays.asList(2.5, null))));
  }

  @Test
  void unknownSymbolsOfAnEnumAreTheirNumbers() throws MalformedPayloadException {
    Schema schema = Schema.builder().add("state", STRING).add("state_number", Type.TINYINT).build();
    Map<String, String> options = options(plant, "plant.v1.Reading");
    assertThat(decode(schema, options, HexFormat.of().parseHex("50095808")))
        .containsExactly("9", 8);
    assertThatThrownBy(() -> decode(schema, options, HexFormat.of().parseHex("588002")))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("`state_number`: 256 is more than TINYINT holds");
  }

  @Test
  void whatIsReadOfAnOpenEnumCanBeWritten() {
    Schema schema = Schema.builder().add("state", STRING).add("state_number", BIGINT).build();
    Map<String, String> options = options(plant, "plant.v1.Reading");
    assertThat(encode(schema, options, "9", 8L)).isEqualTo(HexFormat.of().parseHex("50095808"));
    assertThat(encode(schema, options, "7", 7L)).isEqualTo(encode(schema, options, "ON", 7L));
    assertUnfit(
        () -> encode(schema, options, "off", 0L),
        "column `state` is 'off', which is not in the enum plant.v1.State");
    assertUnfit(
        () -> encode(schema, options, "OFF", (1L << 32) + 7),
        "column `state_number` is '4294967303', which is not in the enum plant.v1.State");
  }

  @Test
  void aClosedEnumTakesItsOwnNumbersOnly() throws IOException {
    Path types = setOf(FieldDescriptorProto.getDescriptor().getFile());
    Map<String, String> options = options(types, "google.protobuf.FieldDescriptorProto");
    assertThat(encode(one("label", STRING), options, "2")).isEqualTo(new byte[] {32, 2});
    assertUnfit(
        () -> encode(one("label", STRING), options, "9"), "column `label` is '9', which is not in");
  }

  @Test
  void aOneofTakesOneOfItsColumns() throws Exception {
    Path types = setOf(StructProto.getDescriptor());
    Map<String, String> options = options(types, "google.protobuf.Value");
    Schema schema =
        Schema.builder().add("number_value", Type.DOUBLE).add("string_value", STRING).build();
    assertThat(Value.parseFrom(encode(schema, options, null, "a")).getStringValue()).isEqualTo("a");
    assertUnfit(
        () -> encode(schema, options, 2.5, "a"),
        "columns `number_value` and `string_value` are both set, but the oneof kind holds one of"
            + " them: all but one must be NULL in a row");
    Schema nested =
        one(
            "values",
            Type.array(
                Type.row(List.of("string_value", "bool_value"), List.of(STRING, Type.BOOLEAN))));
    assertUnfit(
        () ->
            encode(
                nested,
                options(types, "google.protobuf.ListValue"),
                List.of(Arrays.asList("a", null), List.of("b", true))),
        "columns `values.string_value` and `values.bool_value` are both set");
  }

  /** A field takes two bytes of a payload, and some hundred of memory. */
  @Test
  void moreFieldsThanAMessageMayHaveAreMalformed() throws Exception {
    Map<String, String> options = options(plant, "plant.v1.Reading");
    String unknown = "d80601";
    String group = "db0608010801dc06"; // Unknown, with two unknown fields.
    String inner = "820100"; // An empty message.
    String element = "690000000000000000"; // Of an array, not packed.
    for (String part : List.of(unknown, group, inner, element)) {
      int most = part.equals(group) ? 65_536 / 3 : 65_536;
      assertThat(decode(one("machine", STRING), options, repeated(part, most))).containsExactly("");
      assertTooMany("machine", options, repeated(part, most + 1));
    }
    byte[] values = repeated("0a020800", 40_000); // Of a list, each with a field.
    Message list = ListValue.parseFrom(values);
    assertTooMany(
        "string_value",
        options(setOf(StructProto.getDescriptor()), "google.protobuf.Value"),
        ByteString.fromHex("3280e209").concat(list.toByteString()).toByteArray());
  }

  /** Each number of an enum that is unknown is a field of its own. */
  @Test
  void packedNumbersOfAnEnumCount() throws Exception {
    Map<String, String> options =
        options(
            setOf(FieldDescriptorProto.getDescriptor().getFile()), "google.protobuf.FieldOptions");
    Schema schema = one("targets", Type.array(STRING));
    byte[] numbers = repeated("63", 65_536); // The field itself is one, too.
    ByteString payload = ByteString.fromHex("9a01808004").concat(ByteString.copyFrom(numbers));
    assertThatThrownBy(() -> decode(schema, options, payload.toByteArray()))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("it has more than 65,536 fields and elements");
  }

  /** As many as a second of a vibration has. */
  @Test
  void packedNumbersMayBeMoreThanFields() throws Exception {
    Map<String, String> options = options(plant, "plant.v1.Reading");
    List<Double> wave = Collections.nCopies(100_000, 1.5);
    Schema schema = one("list", Type.array(Type.DOUBLE));
    assertThat(decode(schema, options, encode(schema, options, wave))).containsExactly(wave);
  }

  private static void assertTooMany(String column, Map<String, String> options, byte[] payload) {
    assertThatThrownBy(() -> decode(one(column, STRING), options, payload))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("it has more than 65,536 fields and elements");
  }

  private static byte[] repeated(String hex, int times) {
    return HexFormat.of().parseHex(hex.repeat(times));
  }

  @Test
  void aTimestampIsReadAtItsEnds() throws MalformedPayloadException {
    Schema schema = Schema.builder().add("ts", Type.timestamp(6)).build();
    Map<String, String> options = options(plant, "plant.v1.Reading");
    assertThat(decode(schema, options, timestamp(-1, 999_999_999))).containsExactly(-1L);
    assertThatThrownBy(() -> decode(schema, options, timestamp(Long.MAX_VALUE, 0)))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("`ts`: a time too far from 1970");
    byte[] first = timestamp(-9_223_372_036_854L, -775_808_000);
    assertThat(decode(schema, options, first)).containsExactly(Long.MIN_VALUE);
    assertThatThrownBy(() -> decode(one("ts", Type.timestamp(3)), options, first))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("`ts`: a time too far from 1970");
  }

  /** Else it would be another time than that of the same text in JSON. */
  @ParameterizedTest
  @CsvSource({"0, -1000000", "3, -1000", "6, -1"})
  void aTimestampIsCutToThePrecisionOfTheColumn(int precision, long micros)
      throws MalformedPayloadException {
    Schema schema = one("ts", Type.timestampLtz(precision));
    Map<String, String> options = options(plant, "plant.v1.Reading");
    assertThat(decode(schema, options, timestamp(-1, 999_999_999))).containsExactly(micros);
  }

  private static byte[] timestamp(long seconds, int nanos) {
    Message its = Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
    return ByteString.fromHex("62%02x".formatted(its.getSerializedSize()))
        .concat(its.toByteString())
        .toByteArray();
  }

  /** Whatever comes, it is a row or malformed. */
  @Test
  void bytesByChanceAreRowsOrMalformed() {
    Map<String, String> options = options(plant, "plant.v1.Reading");
    RowDecoder decoder = new ProtobufFormat().decoder(READING, columns(READING), options);
    byte[] payload =
        encode(
            READING,
            options,
            "m",
            true,
            -7,
            1,
            1L,
            2L,
            1f,
            2.0,
            "AP8=",
            "ON",
            7,
            1L,
            List.of(1.0),
            List.of("a"),
            1,
            Arrays.asList(0.5, 3L),
            List.of(List.of("k", 5L)));
    Random random = new Random(26);
    int malformed = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] changed = payload.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      BatchBuilder builder = new BatchBuilder(READING);
      try {
        decoder.decode(changed, 0, changed.length, builder);
      } catch (MalformedPayloadException e) {
        malformed++;
      }
    }
    assertThat(malformed).isBetween(500, 9_999);
  }

  @Test
  void whatDoesNotFitIsSaidAtOnce() throws IOException {
    assertRefused(
        () -> decode(one("tempo", STRING), options(plant, "plant.v1.Reading"), new byte[0]),
        "column `tempo` is no field of the message plant.v1.Reading, which has machine, on, ");
    assertRefused(
        () -> decode(one("level", INT), options(plant, "plant.v1.Reading"), new byte[0]),
        "column `level` is INT, but the field is DOUBLE; declare it as DOUBLE");
    assertRefused(
        () -> decode(one("list", STRING), options(plant, "plant.v1.Reading"), new byte[0]),
        "column `list` is STRING, but the field is repeated DOUBLE; declare it as ARRAY<DOUBLE>");
    assertRefused(
        () -> decode(one("ts", STRING), options(plant, "plant.v1.Reading"), new byte[0]),
        "column `ts` is STRING, but the field is google.protobuf.Timestamp; declare it as"
            + " TIMESTAMP_LTZ(6)");
    assertRefused(
        () -> decode(one("on", STRING), options(plant, "plant.v1.Readin"), new byte[0]),
        "table protobuf: 'protobuf.message-class-name' = 'plant.v1.Readin' is no message of the set"
            + " of descriptors; did you mean 'plant.v1.Reading'?");
    Path garbage = Files.writeString(directory.resolve("x.desc"), "syntax = \"proto3\";");
    assertRefused(
        () -> decode(one("on", STRING), options(garbage, "Reading"), new byte[0]),
        "table protobuf: 'protobuf.descriptor-set' = '%s' is no set of descriptors"
            .formatted(garbage));
    Path alone = set("alone.desc", plantFile());
    assertRefused(
        () -> decode(one("on", STRING), options(alone, "Reading"), new byte[0]),
        "table protobuf: 'protobuf.descriptor-set' = '%s' is no set of descriptors: it lacks google/protobuf/timestamp.proto, which v1/plant_data.proto imports; make it with: protoc --include_imports"
            .formatted(alone));
    Path missing = directory.resolve("none.desc");
    assertRefused(
        () -> decode(one("on", STRING), options(missing, "Reading"), new byte[0]),
        "table protobuf: 'protobuf.descriptor-set' = '%s' cannot be read: ".formatted(missing));
  }

  @Test
  void whatMustBeThereNeedsAColumn() throws IOException {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("order.proto")
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Order")
                    .addField(
                        field("id", 1, LABEL_REQUIRED, FieldDescriptorProto.Type.TYPE_INT32, ""))
                    .addField(field("note", 2, FieldDescriptorProto.Type.TYPE_STRING)))
            .build();
    Path orders = set("order.desc", file);
    String message = "the field id is required in Order: it needs a column that is NOT NULL";
    assertRefused(() -> encode(one("note", STRING), options(orders, "Order"), "x"), message);
    assertRefused(() -> encode(one("id", INT), options(orders, "Order"), 1), message);
    assertThat(encode(one("id", INT.notNull()), options(orders, "OrderOuterClass$Order"), 1))
        .isEqualTo(new byte[] {8, 1});
  }

  private static Schema one(String name, Type type) {
    return Schema.builder().add(name, type).build();
  }

  /** A NULL in an array stands for a message without fields, of which one is required. */
  @Test
  void aMessageThatLacksARequiredFieldDoesNotFit() throws IOException {
    Path types = setOf(UninterpretedOption.getDescriptor().getFile());
    Schema schema =
        Schema.builder()
            .add(
                "name",
                Type.array(
                    Type.row(
                        List.of("name_part", "is_extension"),
                        List.of(STRING.notNull(), Type.BOOLEAN.notNull()))))
            .build();
    Map<String, String> options = options(types, "google.protobuf.UninterpretedOption");
    assertThat(encode(schema, options, List.of(List.of("a", true)))).isNotEmpty();
    assertUnfit(
        () -> encode(schema, options, Arrays.asList(List.of("a", true), null)),
        "fields that are required have no value: name[1].name_part, name[1].is_extension");
  }

  private static void assertUnfit(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .rootCause()
        .isInstanceOf(MalformedRowException.class)
        .hasMessageStartingWith(message);
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(ConnectorException.class).hasMessageStartingWith(message);
  }
}
