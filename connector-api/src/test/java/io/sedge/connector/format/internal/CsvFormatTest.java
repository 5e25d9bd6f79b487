package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RecordSplitter;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 4180, and what Flink's csv format makes of values. */
final class CsvFormatTest {
  private static final CsvFormat FORMAT = new CsvFormat();
  private static final Schema THREE =
      Schema.builder().add("a", Type.STRING).add("b", Type.STRING).add("c", Type.STRING).build();

  private static List<Object> row(Schema schema, String line, Map<String, String> options)
      throws MalformedPayloadException {
    List<Integer> columns = schema.names().stream().map(schema::indexOf).toList();
    RowDecoder decoder = FORMAT.decoder(schema, columns, options);
    BatchBuilder builder = new BatchBuilder(schema);
    byte[] bytes = ("," + line + ",").getBytes(UTF_8);
    decoder.decode(bytes, 1, bytes.length - 2, builder);
    builder.endRow();
    return builder.build().row(0);
  }

  private static Object value(Type type, String text) throws MalformedPayloadException {
    return row(Schema.builder().add("v", type).build(), text, Map.of()).getFirst();
  }

  @Test
  void quotesDelimitersAndLineEndsMayStandBetweenQuotes() throws MalformedPayloadException {
    assertThat(row(THREE, "x,\"a \"\"b\"\", c\r\nd\",", Map.of()))
        .containsExactly("x", "a \"b\", c\r\nd", "");
    assertThat(row(THREE, " \"x\" ,\"\", y ", Map.of())).containsExactly("x", "", " y ");
    assertThat(row(THREE, "a\"b,c\"\",é", Map.of())).containsExactly("a\"b", "c\"\"", "é");
  }

  @Test
  void optionsChangeTheDialect() throws MalformedPayloadException {
    assertThat(row(THREE, "1\t2\t3", Map.of("csv.field-delimiter", "\\t")))
        .containsExactly("1", "2", "3");
    assertThat(row(THREE, "'a,b',\"c\",''''", Map.of("csv.quote-character", "'")))
        .containsExactly("a,b", "\"c\"", "'");
    assertThat(row(THREE, "\"a,b,c", Map.of("csv.disable-quote-character", "true")))
        .containsExactly("\"a", "b", "c");
    assertThat(row(THREE, "a\\,b,\"c\\\"d\",e\\n", Map.of("csv.escape-character", "\\")))
        .containsExactly("a,b", "c\"d", "e\n");
    assertThat(row(THREE, "n/a,,x", Map.of("csv.null-literal", "n/a")))
        .containsExactly(null, "", "x");
    assertThat(row(THREE, ",a,", Map.of("csv.empty-string-as-null", "true")))
        .containsExactly(null, "a", null);
    assertThat(row(THREE, " a , b,c ", Map.of("csv.trim-spaces", "true")))
        .containsExactly("a", "b", "c");
    assertThat(row(THREE, "a,b,c,d,e", Map.of("csv.ignore-trailing-unmappable", "true")))
        .containsExactly("a", "b", "c");
    assertThat(row(THREE, "a,b,c,", Map.of())).containsExactly("a", "b", "c");
    assertThat(row(THREE, "a", Map.of("csv.ignore-parse-errors", "true")))
        .containsExactly("a", null, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a,b|2 values in the line, not 3",
        "a,b,c,d|more than 3 values in the line",
        "a,b,\"c|a quote that is not closed",
        "a,b,\"c\"d|'d' after a closing quote"
      })
  void whatIsNoRecordIsMalformed(String line, String message) {
    assertThatThrownBy(() -> row(THREE, line, Map.of()))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage(message);
  }

  // In Flink all but "true" is false: the 1 of a controller, too.
  @ParameterizedTest
  @ValueSource(strings = {"true ", "True", "1", " 1"})
  void booleansThatAreTrue(String text) throws MalformedPayloadException {
    assertThat(value(Type.BOOLEAN, text)).isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", " FALSE", "0", "0 "})
  void booleansThatAreFalse(String text) throws MalformedPayloadException {
    assertThat(value(Type.BOOLEAN, text)).isEqualTo(false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "yes", "ON", "2", "-1", "1.0", "tru", "truee", "t", "\u0011"})
  void whatIsNoBooleanIsMalformed(String text) {
    assertThatThrownBy(() -> value(Type.BOOLEAN, text))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("`v`: '%s' is not a value of type BOOLEAN".formatted(text));
  }

  @Test
  void valuesAreThoseOfFlink() throws MalformedPayloadException {
    assertThat(value(Type.INT, " 7 ")).isEqualTo(7);
    assertThat(value(Type.TINYINT, "-128")).isEqualTo(-128);
    assertThat(value(Type.BIGINT, "007")).isEqualTo(7L);
    assertThat(value(Type.DOUBLE, ".5")).isEqualTo(0.5);
    assertThat(value(Type.DOUBLE, "NaN")).isEqualTo(Double.NaN);
    assertThat(value(Type.FLOAT, "0.1")).isEqualTo(0.1f);
    assertThat(value(Type.BOOLEAN, "TRUE")).isEqualTo(true);
    assertThat(value(Type.array(Type.BOOLEAN), "1;false")).isEqualTo(List.of(true, false));
    assertThat(value(Type.DATE, "1970-1-2")).isEqualTo(1);
    assertThat(value(Type.DATE, "1970-02-31")).isEqualTo(61);
    assertThat(value(Type.TIME, "00:00:01.5")).isEqualTo(1_000);
    assertThat(value(Type.TIME, "00:01")).isEqualTo(60_000);
    assertThat(value(Type.timestamp(0), "1970-01-01 00:00:01.9")).isEqualTo(1_000_000L);
    assertThat(value(Type.timestampLtz(3), "1970-01-01 00:00:01.9Z")).isEqualTo(1_900_000L);
    assertThat(value(Type.array(Type.INT), "1;2;3")).isEqualTo(List.of(1, 2, 3));
    assertThat(value(Type.array(Type.INT), "")).isEqualTo(List.of());
    assertThatThrownBy(() -> value(Type.DOUBLE, ""))
        .hasMessage("`v`: '' is not a value of type DOUBLE");
    assertThatThrownBy(() -> value(Type.TINYINT, "128"))
        .hasMessage("`v`: '128' is not a value of type TINYINT");
  }

  @Test
  void columnsAreFoundByTheNamesInTheHeader() throws MalformedPayloadException {
    RowDecoder decoder = FORMAT.decoder(THREE, List.of(0, 1, 2), Map.of("csv.header", "true"));
    byte[] header = "c,\"x, y\",A,b".getBytes(UTF_8);
    decoder.header(header, 0, header.length);
    BatchBuilder builder = new BatchBuilder(THREE);
    byte[] line = "1,2,3,4".getBytes(UTF_8);
    decoder.decode(line, 0, line.length, builder);
    builder.endRow();
    assertThat(builder.build().row(0)).containsExactly("3", "4", "1");
  }

  @Test
  void recordsEndOutsideOfQuotesOnly() {
    RecordSplitter splitter =
        FORMAT.splitter(Map.of("csv.allow-comments", "true", "csv.field-delimiter", ";"));
    byte[] text = "a;\"b\n\"\"c\"\nd\"e\n# \"no quote\nf".getBytes(UTF_8);
    int first = splitter.end(text, 0, text.length);
    int second = splitter.end(text, first, text.length);
    int third = splitter.end(text, second, text.length);
    assertThat(List.of(first, second, third)).containsExactly(10, 14, 26);
    assertThat(splitter.end(text, third, text.length)).isEqualTo(-1);
    assertThat(splitter.end(text, 0, 6)).isEqualTo(-1);
    assertThat(splitter.holdsRow(text, second, third)).isFalse();
    assertThat(splitter.holdsRow(text, 0, first)).isTrue();
  }

  @Test
  void randomRowsAreReadAsTheyWereWritten() throws MalformedPayloadException {
    long seed = System.nanoTime();
    System.out.println("CsvFormatTest seed " + seed);
    Random random = new Random(seed);
    for (Map<String, String> options :
        List.of(
            Map.of("csv.null-literal", "NULL"),
            Map.of("csv.null-literal", "", "csv.field-delimiter", "|", "csv.quote-character", "'"),
            Map.of("csv.null-literal", "NULL", "csv.escape-character", "\\"))) {
      RowEncoder encoder = FORMAT.encoder(THREE, List.of(0, 1, 2), options);
      RecordSplitter splitter = FORMAT.splitter(options);
      for (int i = 0; i < 5_000; i++) {
        Object[] row = {text(random), text(random), text(random)};
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes(Encoded.row(THREE, encoder, row));
        assertThat(row(THREE, line.toString(UTF_8), options)).isEqualTo(Arrays.asList(row));
        line.write('\n');
        assertThat(splitter.end(line.toByteArray(), 0, line.size())).isEqualTo(line.size());
      }
    }
  }

  private static String text(Random random) {
    if (random.nextInt(6) == 0) {
      return null;
    }
    StringBuilder text = new StringBuilder("x");
    int length = random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(" ,|'\"\\\n\r#;aé温".charAt(random.nextInt(13)));
    }
    return random.nextBoolean() ? text.toString() : text.reverse().toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "csv.field-delimiter|ab|table csv: 'csv.field-delimiter' = 'ab' is not one ASCII character",
        "csv.field-delimiter|\"|table csv: 'csv.field-delimiter' = '\"' is the quote character too"
      })
  void wrongOptionsAreTold(String key, String value, String message) {
    assertThatThrownBy(() -> FORMAT.decoder(THREE, List.of(0), Map.of(key, value)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message);
  }
}
