package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RawFormatTest {
  private static final Map<String, String> TEXT = Map.of("raw.encoding", "text");
  private static final Map<String, String> LITTLE = Map.of("raw.endianness", "little-endian");

  private static Object decode(Type type, byte[] payload, Map<String, String> options)
      throws MalformedPayloadException {
    Schema schema = Schema.builder().add("v", type).build();
    BatchBuilder builder = new BatchBuilder(schema);
    new RawFormat()
        .decoder(schema, List.of(0), options)
        .decode(payload, 0, payload.length, builder);
    builder.endRow();
    return builder.build().row(0).getFirst();
  }

  private static byte[] encode(Type type, Object value, Map<String, String> options) {
    Schema schema = Schema.builder().add("v", type).build();
    return Encoded.row(schema, new RawFormat().encoder(schema, List.of(0), options), value);
  }

  private static void bothWays(Type type, Object value, Map<String, String> options, byte[] bytes)
      throws MalformedPayloadException {
    assertThat(encode(type, value, options)).isEqualTo(bytes);
    assertThat(decode(type, bytes, options)).isEqualTo(value);
  }

  // Flink's raw format: big-endian unless said otherwise.
  @Test
  void numbersAreBinary() throws MalformedPayloadException {
    bothWays(Type.BOOLEAN, true, Map.of(), new byte[] {1});
    bothWays(Type.TINYINT, -1, Map.of(), new byte[] {-1});
    bothWays(Type.SMALLINT, 258, Map.of(), new byte[] {1, 2});
    bothWays(Type.SMALLINT, 258, LITTLE, new byte[] {2, 1});
    bothWays(Type.INT, 16_909_060, Map.of(), new byte[] {1, 2, 3, 4});
    bothWays(Type.BIGINT, 1L, LITTLE, new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
    bothWays(Type.FLOAT, 1.5f, Map.of(), new byte[] {0x3F, (byte) 0xC0, 0, 0});
    bothWays(Type.DOUBLE, 1.5, Map.of(), new byte[] {0x3F, (byte) 0xF8, 0, 0, 0, 0, 0, 0});
    bothWays(Type.STRING, "é", Map.of("raw.charset", "ISO-8859-1"), new byte[] {(byte) 0xE9});
    assertThat(decode(Type.INT, new byte[0], Map.of())).isNull();
  }

  @Test
  void aCharacterThatTheCharacterSetLacksIsNotReplaced() throws MalformedRowException {
    Schema schema = Schema.builder().add("v", Type.STRING).build();
    RowEncoder encoder =
        new RawFormat().encoder(schema, List.of(0), Map.of("raw.charset", "ISO-8859-1"));
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    assertThatExceptionOfType(MalformedRowException.class)
        .isThrownBy(() -> encoder.encode(new BatchBuilder(schema).addRow("5 €").build(), 0, output))
        .withMessage("column `v` has a character that ISO-8859-1 ('raw.charset') lacks");
    encoder.encode(new BatchBuilder(schema).addRow("5 £").build(), 0, output);
    assertThat(output.toByteArray()).endsWith((byte) ' ', (byte) 0xA3);

    assertThatThrownBy(() -> encode(Type.STRING, "v", Map.of("raw.charset", "ISO-2022-CN")))
        .hasMessage("table raw: 'raw.charset' = 'ISO-2022-CN' can only be read");
  }

  @Test
  void numbersMayBeText() throws MalformedPayloadException {
    bothWays(Type.DOUBLE, 21.5, TEXT, "21.5".getBytes(UTF_8));
    bothWays(Type.INT, -7, TEXT, "-7".getBytes(UTF_8));
    bothWays(Type.BOOLEAN, true, TEXT, "true".getBytes(UTF_8));
    bothWays(Type.decimal(5, 2), new BigDecimal("1.50"), TEXT, "1.50".getBytes(UTF_8));
    bothWays(Type.timestamp(3), 500_000L, TEXT, "1970-01-01 00:00:00.5".getBytes(UTF_8));
    assertThat(decode(Type.DOUBLE, " 21.5\n".getBytes(UTF_8), TEXT)).isEqualTo(21.5);
  }

  @Test
  void aTextWhereABinaryNumberIsExpectedIsAnsweredWithTheOption() {
    assertThatThrownBy(() -> decode(Type.DOUBLE, "21.5".getBytes(UTF_8), Map.of()))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage(
            "4 bytes, but a binary DOUBLE has 8; if it is text, set 'raw.encoding' = 'text'");
    assertThatThrownBy(() -> decode(Type.DATE, new byte[4], Map.of()))
        .hasMessage(
            "column `v` is DATE: binary 'raw' takes BOOLEAN, numbers but DECIMAL, and strings; for"
                + " others set 'raw.encoding' = 'text'");
    assertThatThrownBy(() -> decode(Type.STRING, new byte[4], Map.of("raw.charset", "UTF-99")))
        .hasMessage("table raw: 'raw.charset' = 'UTF-99' is not a character set");
  }
}
