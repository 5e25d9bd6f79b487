package io.sedge.format.binaryjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/** What the formats' own libraries write is read, and the other way round. */
final class BinaryJsonTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("text", Type.STRING)
          .add("number", Type.INT)
          .add("large", Type.BIGINT)
          .add("reading", Type.DOUBLE)
          .add("on", Type.BOOLEAN)
          .add("price", Type.decimal(20, 2))
          .add("ts", Type.timestampLtz(3))
          .add("list", Type.array(Type.INT))
          .build();

  private static final String TIME = "2026-01-31T12:00:00.5Z";
  private static final long MICROS = Instant.parse(TIME).toEpochMilli() * 1_000;

  private static FormatFactory format(String name) {
    return name.equals("cbor") ? new CborFormat() : new MsgpackFormat();
  }

  private static ObjectMapper mapper(String name) {
    return name.equals("cbor") ? new CBORMapper() : new ObjectMapper(new MessagePackFactory());
  }

  private static List<Integer> columns() {
    return IntStream.range(0, SCHEMA.size()).boxed().toList();
  }

  private static List<@Nullable Object> decode(FormatFactory format, byte[] payload)
      throws MalformedPayloadException {
    return decode(format, payload, Map.of());
  }

  private static List<@Nullable Object> decode(
      FormatFactory format, byte[] payload, Map<String, String> options)
      throws MalformedPayloadException {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    byte[] around = new byte[payload.length + 2];
    System.arraycopy(payload, 0, around, 1, payload.length);
    format.decoder(SCHEMA, columns(), options).decode(around, 1, payload.length, builder);
    builder.endRow();
    return builder.build().row(0);
  }

  private static byte[] encode(FormatFactory format, @Nullable Object... row) {
    return Encoded.row(SCHEMA, format.encoder(SCHEMA, columns(), Map.of()), row);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cbor", "msgpack"})
  void whatTheLibraryWritesIsRead(String name) throws IOException, MalformedPayloadException {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("unknown", Map.of("list", List.of(1, 2)));
    values.put("reading", 21.5f);
    values.put("text", "ä\u0000€");
    values.put("large", Long.MIN_VALUE);
    values.put("number", -7);
    values.put("on", true);
    values.put("price", "123456789012345678.90");
    values.put("ts", TIME);
    values.put("list", Arrays.asList(1, null, 3));
    assertThat(decode(format(name), mapper(name).writeValueAsBytes(values)))
        .containsExactly(
            "ä\u0000€",
            -7,
            Long.MIN_VALUE,
            21.5,
            true,
            new BigDecimal("123456789012345678.90"),
            MICROS,
            Arrays.asList(1, null, 3));
    assertThat(decode(format(name), mapper(name).writeValueAsBytes(Map.of())))
        .containsOnlyNulls()
        .hasSize(SCHEMA.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cbor", "msgpack"})
  void theLibraryReadsWhatIsWritten(String name) throws IOException, MalformedPayloadException {
    @Nullable Object[] row = {
      "a", 1, 2L, 0.1, false, new BigDecimal("123456789012345678.90"), MICROS, List.of(4, 5)
    };
    byte[] payload = encode(format(name), row);
    Map<String, Object> read =
        mapper(name).readValue(payload, new TypeReference<Map<String, Object>>() {});
    assertThat(read)
        .containsEntry("text", "a")
        .containsEntry("number", 1)
        .containsEntry("reading", 0.1)
        .containsEntry("on", false)
        .containsEntry("price", "123456789012345678.90")
        .containsEntry("ts", TIME)
        .containsEntry("list", List.of(4, 5));
    assertThat(decode(format(name), payload)).containsExactly(row);
  }

  // RFC 8949, 3.4.2: seconds since 1970, as a whole number or with a fraction.
  @Test
  void timesOfCborAreTimes() throws IOException, MalformedPayloadException {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    try (CBORGenerator generator = new CBORFactory().createGenerator(payload)) {
      generator.writeStartObject();
      generator.writeFieldName("ts");
      generator.writeTag(1);
      generator.writeNumber(MICROS / 1e6);
      generator.writeEndObject();
    }
    assertThat(decode(new CborFormat(), payload.toByteArray()).get(6)).isEqualTo(MICROS);
    assertThat(
            decode(
                    new CborFormat(),
                    payload.toByteArray(),
                    Map.of("cbor.timestamp-format.standard", "SQL"))
                .get(6))
        .isEqualTo(MICROS);
  }

  // The specification's "Timestamp extension type", in its three lengths.
  @Test
  void timesOfMessagePackAreTimes() throws IOException, MalformedPayloadException {
    for (Instant time :
        List.of(
            Instant.parse("2026-01-31T12:00:00Z"),
            Instant.parse(TIME),
            Instant.parse("1969-12-31T23:59:59.250Z"))) {
      try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
        packer.packMapHeader(1).packString("ts").packTimestamp(time);
        assertThat(decode(new MsgpackFormat(), packer.toByteArray()).get(6))
            .isEqualTo(time.toEpochMilli() * 1_000);
      }
    }
  }

  /** Each is a few bytes that claim two gigabytes, or end early, or are something else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cbor:a164746578747a7fffffff61", // a text of 2 GB
        "cbor:a164746578745a7fffffff61", // bytes
        "cbor:a16474657874bb7fffffffffffffff61", // a map
        "cbor:a1646c6973749a7fffffff01", // an array
        "cbor:a16474657874", // ends
        "cbor:8101", // an array, not a map
        "cbor:a0a0", // two values
        "cbor:ff",
        "cbor:",
        "msgpack:81a474657874db7fffffff61",
        "msgpack:81a474657874c67fffffff61",
        "msgpack:81a474657874c97fffffffff61",
        "msgpack:81a474657874df7fffffff61",
        "msgpack:81a46c697374dd7fffffff01",
        "msgpack:81a474657874",
        "msgpack:9101",
        "msgpack:8080",
        "msgpack:c1",
        "msgpack:"
      })
  void whatIsNoPayloadIsMalformedAndTakesNoMemory(String given) {
    String[] parts = given.split(":", -1);
    assertThatThrownBy(() -> decode(format(parts[0]), HexFormat.of().parseHex(parts[1])))
        .isInstanceOf(MalformedPayloadException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cbor", "msgpack"})
  void aValueThatDoesNotFitIsMalformedOrNull(String name)
      throws IOException, MalformedPayloadException {
    byte[] payload = mapper(name).writeValueAsBytes(Map.of("number", "many"));
    assertThatThrownBy(() -> decode(format(name), payload))
        .hasMessage("`number`: 'many' is not a value of type INT");
    assertThat(decode(format(name), payload, Map.of(name + ".ignore-parse-errors", "true")).get(1))
        .isNull();
  }

  /** Whatever bytes come, a payload is a row or malformed. */
  @ParameterizedTest
  @ValueSource(strings = {"cbor", "msgpack"})
  void anyBytesAreARowOrMalformed(String name) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] good = mapper(name).writeValueAsBytes(Map.of("text", "a", "list", List.of(1, 2, 3)));
    RowDecoder decoder = format(name).decoder(SCHEMA, columns(), Map.of());
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int i = 0; i < 5_000; i++) {
      byte[] payload = good.clone();
      for (int change = 0; change <= i % 3; change++) {
        payload[random.nextInt(payload.length)] = (byte) random.nextInt();
      }
      int before = builder.rows();
      try {
        decoder.decode(payload, 0, payload.length, builder);
        builder.endRow();
        assertThat(builder.rows()).as("seed %d", seed).isEqualTo(before + 1);
      } catch (MalformedPayloadException e) {
        builder.discardRow();
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
      }
    }
  }
}
