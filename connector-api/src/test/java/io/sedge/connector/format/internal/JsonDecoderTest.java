package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink's {@code JsonParserToRowDataConverters} makes of a value, type by type. */
final class JsonDecoderTest {
  private static final JsonFormat FORMAT = new JsonFormat();

  private static Object decode(Type type, String json) throws MalformedPayloadException {
    return decode(type, json, Map.of());
  }

  private static Object decode(Type type, String json, Map<String, String> options)
      throws MalformedPayloadException {
    return row(Schema.builder().add("v", type).build(), "{\"v\": " + json + "}", options)
        .getFirst();
  }

  private static List<Object> row(Schema schema, String json, Map<String, String> options)
      throws MalformedPayloadException {
    RowDecoder decoder =
        FORMAT.decoder(schema, IntStream.range(0, schema.size()).boxed().toList(), options);
    BatchBuilder builder = new BatchBuilder(schema);
    byte[] bytes = ("??" + json + "??").getBytes(UTF_8);
    decoder.decode(bytes, 2, bytes.length - 4, builder);
    builder.endRow();
    return builder.build().row(0);
  }

  /** A device that writes Latin-1: its names would be kept with a mark in place of a letter. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":\"M\u00fcller\"}",
        "{\"v\":{\"q\":\"M\u00fcller\"}}",
        "{\"v\":[\"M\u00fcller\"]}",
      })
  void aTextThatIsNotUtf8IsMalformedWhereverItStands(String json) throws Exception {
    Type type =
        json.contains("[")
            ? Type.array(Type.STRING)
            : json.contains("q") ? Type.row(List.of("q"), List.of(Type.STRING)) : Type.STRING;
    Schema schema = Schema.builder().add("v", type).build();
    RowDecoder decoder = FORMAT.decoder(schema, List.of(0), Map.of());
    byte[] latin = json.getBytes(ISO_8859_1);
    assertThatThrownBy(() -> decoder.decode(latin, 0, latin.length, new BatchBuilder(schema)))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageEndingWith("is not UTF-8");
    byte[] utf8 = json.getBytes(UTF_8);
    decoder.decode(utf8, 0, utf8.length, new BatchBuilder(schema));
  }

  @Test
  void anObjectForATextColumnIsMalformedTooIfItIsNotUtf8() {
    Schema schema = Schema.builder().add("v", Type.STRING).build();
    RowDecoder decoder = FORMAT.decoder(schema, List.of(0), Map.of());
    byte[] latin = "{\"v\":{\"q\":\"M\u00fcller\"}}".getBytes(ISO_8859_1);
    assertThatThrownBy(() -> decoder.decode(latin, 0, latin.length, new BatchBuilder(schema)))
        .hasMessageEndingWith("is not UTF-8");
  }

  /** It may stand in a payload for what somebody else could not read. */
  @Test
  void theReplacementCharacterItselfIsAText() throws MalformedPayloadException {
    assertThat(decode(Type.array(Type.STRING), "[\"\ufffd\"]")).isEqualTo(List.of("\ufffd"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true|true",
        "false|false",
        "'\"TRUE\"'|true",
        "'\" true \"'|true",
        "'\"1\"'|true",
        "1|true",
        "'\"False\"'|false",
        "'\"0\"'|false",
        "0|false",
        "null|"
      })
  void booleansMayBeStringsAndOneAndZero(String json, Boolean expected)
      throws MalformedPayloadException {
    assertThat(decode(Type.BOOLEAN, json)).isEqualTo(expected);
    assertThat(decode(Type.array(Type.BOOLEAN), "[" + json + "]"))
        .isEqualTo(Arrays.asList(expected));
  }

  // In Flink they are false.
  @ParameterizedTest
  @ValueSource(strings = {"\"yes\"", "\"\"", "2", "-1", "1.5", "[1]", "{}"})
  void whatIsNoBooleanIsMalformed(String json) {
    assertThatThrownBy(() -> decode(Type.BOOLEAN, json))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageEndingWith("is not a value of type BOOLEAN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5|5",
        "-7|-7",
        "'\" 5 \"'|5",
        "'\"+5\"'|5",
        "'\"007\"'|7",
        "1.9|1",
        "-1.9|-1",
        "1e3|1000",
        "2147483647|2147483647",
        "null|"
      })
  void integersMayBeStringsAndLoseTheirFraction(String json, Integer expected)
      throws MalformedPayloadException {
    assertThat(decode(Type.INT, json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TINYINT|128",
        "TINYINT|1.0",
        "SMALLINT|-32769",
        "INT|2147483648",
        "INT|1e10",
        "INT|true",
        "INT|'\"1.5\"'",
        "INT|'\"\"'",
        "INT|{}",
        "BIGINT|9223372036854775808",
        "BIGINT|1e19",
        "DOUBLE|'\"abc\"'",
        "DOUBLE|true",
        "DOUBLE|[1]",
        "DOUBLE|NaN",
        "DECIMAL|'\"x\"'",
        "DATE|'\"2026-02-30\"'",
        "DATE|20260101",
        "DATE|'\"+99999999-01-01\"'",
        "TIMESTAMP|'\"+300000-01-01 00:00:00\"'",
        "LTZ|'\"-300000-01-01 00:00:00Z\"'",
        "TIMESTAMP|1700000000000",
        "TIMESTAMP|'\"2026-01-01T00:00:00\"'",
        "TIMESTAMP|'\"2026-01-01 00:00:00Z\"'",
        "LTZ|'\"2026-01-01 00:00:00\"'",
        "ARRAY|5",
        "ROW|[]"
      })
  void whatIsNotAValueOfTheTypeIsMalformed(String type, String json) {
    assertThatThrownBy(() -> decode(type(type), json))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageStartingWith("`v`: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9223372036854775807|9223372036854775807",
        "-9223372036854775808|-9223372036854775808",
        "'\"-9223372036854775808\"'|-9223372036854775808",
        "1.7e12|1700000000000"
      })
  void bigIntegersAreExact(String json, long expected) throws MalformedPayloadException {
    assertThat(decode(Type.BIGINT, json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "21.5|21.5",
        "5|5",
        "-0.0|-0.0",
        "1E-3|0.001",
        "'\" 21.5 \"'|21.5",
        "'\"NaN\"'|NaN",
        "'\"Infinity\"'|Infinity",
        "1e400|Infinity"
      })
  void doublesMayBeStrings(String json, double expected) throws MalformedPayloadException {
    assertThat(decode(Type.DOUBLE, json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"12.345|12.35", "'\"7\"'|7.00", "123456789|", "1e-9|0.00", "1e999999999|", "0|0.00"})
  void decimalsAreRoundedAndNullWhereTheyDoNotFit(String json, BigDecimal expected)
      throws MalformedPayloadException {
    assertThat(decode(Type.decimal(6, 2), json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"x\"'|x",
        "5.50|5.50",
        "true|true",
        "'{ \"a\" : [ 1 , \"b c\\\" d\" ] }'|'{\"a\":[1,\"b c\\\" d\"]}'",
        "'\"\\u00e9\\n\\ud83c\\udf21\\/\"'|'é\n\uD83C\uDF21/'",
        "'\"\\ud83c\"'|'?'"
      })
  void stringsTakeAnyValueAsItIsWritten(String json, String expected)
      throws MalformedPayloadException {
    assertThat(decode(Type.STRING, json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "TIMESTAMP, SQL, 1970-01-02 00:00:01.5, 86401500000",
    "TIMESTAMP, SQL, 1969-12-31 23:59:59.999999, -1000",
    "TIMESTAMP, SQL, 2024-02-29 12:00:00, 1709208000000000",
    "TIMESTAMP, SQL, 2023-02-29 12:00:00, 1677585600000000",
    "TIMESTAMP, SQL, 1970-01-01 24:00:00, 86400000000",
    "TIMESTAMP, SQL, 0000-03-01 00:00:00, -62162035200000000",
    "TIMESTAMP, SQL, 1970-01-01 00:00:00.123456789, 123000",
    "TIMESTAMP, ISO-8601, 1970-01-02T00:00:01.5, 86401500000",
    "TIMESTAMP, ISO-8601, 1970-01-01T00:01, 60000000",
    "LTZ, SQL, 1970-01-02 00:00:01Z, 86401000000",
    "LTZ, ISO-8601, 1970-01-02T00:00:01.25Z, 86401250000",
    "LTZ, ISO-8601, 1970-01-02T02:00:01.25+02:00, 86401250000",
    "LTZ, ISO-8601, 1970-01-01T23:30:01-00:30, 86401000000",
    "DATE, SQL, 1970-02-01, 31",
    "TIME, SQL, 00:01:00.5, 60500"
  })
  void datesAndTimesAreWrittenInTwoWays(String type, String standard, String text, long expected)
      throws MalformedPayloadException {
    Object value =
        decode(type(type), '"' + text + '"', Map.of("json.timestamp-format.standard", standard));
    assertThat(((Number) value).longValue()).isEqualTo(expected);
  }

  // BigDecimal would write a hundred millions of zeros out, or fail where it cannot.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1e-999999999|0.00",
        "-1e-600000000|0.00",
        "0e999999999|0.00",
        "0e-999999999|0.00",
        "'\"1e-2147483647\"'|0.00",
        "0.004999999|0.00",
        "0.005|0.01",
        "-0.0051|-0.01",
        "9.99e-4|0.00",
        "1e999999999|"
      })
  void tinyAndHugeDecimalsCostNothing(String json, BigDecimal expected)
      throws MalformedPayloadException {
    assertThat(decode(Type.decimal(6, 2), json)).isEqualTo(expected);
  }

  // An exponent that no BigDecimal has, and so many digits that reading them would take minutes.
  @Test
  void numbersThatNobodyWritesAreMalformed() {
    for (String json : List.of("1e-2147483649", "1" + "0".repeat(1_000_000))) {
      assertThatThrownBy(() -> decode(Type.decimal(6, 2), json))
          .isInstanceOf(MalformedPayloadException.class)
          .hasMessageStartingWith("`v`: '" + json.substring(0, 10));
    }
  }

  @Test
  void arraysAndRowsNest() throws MalformedPayloadException {
    Type inner = Type.row(List.of("a", "b"), List.of(Type.INT, Type.array(Type.STRING)));
    assertThat(decode(Type.array(inner), "[{\"b\":[\"x\",null],\"a\":1,\"c\":{}}, null, {}, { }]"))
        .isEqualTo(
            Arrays.asList(
                Arrays.asList(1, Arrays.asList("x", null)),
                null,
                Arrays.asList(null, null),
                Arrays.asList(null, null)));
  }

  private static final Schema TWO =
      Schema.builder().add("id", Type.STRING).add("value", Type.DOUBLE).build();

  @Test
  void columnsAreFoundInAnyOrderAndMissingOnesAreNull() throws MalformedPayloadException {
    assertThat(row(TWO, "{\"value\":1,\"id\":\"a\"}", Map.of())).containsExactly("a", 1.0);
    assertThat(row(TWO, " { \"x\" : { \"id\" : 5 } , \"id\" : \"a\" } ", Map.of()))
        .containsExactly("a", null);
    assertThat(row(TWO, "{}", Map.of())).containsExactly(null, null);
    assertThat(row(TWO, "{\"\\u0069d\":\"a\",\"id\":\"b\"}", Map.of())).containsExactly("b", null);
    assertThat(row(TWO, "{\"ID\":\"a\"}", Map.of())).containsExactly(null, null);
  }

  @Test
  void aMissingFieldIsMalformedIfTheOptionSaysSo() {
    assertThatThrownBy(
            () -> row(TWO, "{\"id\":\"a\"}", Map.of("json.fail-on-missing-field", "true")))
        .hasMessage("no `value`, and json.fail-on-missing-field is true");
  }

  @Test
  void aValueThatDoesNotFitIsNullIfParseErrorsAreIgnored() throws MalformedPayloadException {
    Map<String, String> ignore = Map.of("json.ignore-parse-errors", "true");
    assertThat(row(TWO, "{\"value\":{\"a\":[1,2]},\"id\":\"a\"}", ignore))
        .containsExactly("a", null);
    assertThat(row(TWO, "{\"value\":\"x\",\"value\":3,\"id\":\"a\"}", ignore))
        .containsExactly("a", 3.0);
    assertThatThrownBy(() -> row(TWO, "{\"value\":1x}", ignore))
        .isInstanceOf(MalformedPayloadException.class);
  }

  @Test
  void bothOptionsAtOnceAreRefused() {
    assertThatThrownBy(
            () ->
                row(
                    TWO,
                    "{}",
                    Map.of(
                        "json.ignore-parse-errors", "true", "json.fail-on-missing-field", "true")))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(
            "'json.fail-on-missing-field' and 'json.ignore-parse-errors' are both true; only one"
                + " can be");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|not JSON: the end at byte 1",
        "[{'\"'id'\"':1}]|an array: a payload is one object, which is one row",
        "1|not JSON: '{' missing at byte 1",
        "{'\"'id'\"':1}}|not JSON: more after the object at byte 9",
        "{'\"'id'\"' 1}|not JSON: ':' missing at byte 7",
        "{id:1}|not JSON: a name missing at byte 2",
        "{'\"'x'\"':01}|not JSON: not a number at byte 6",
        "{'\"'x'\"':'\"'a}|not JSON: a string without end at byte 6",
        "{'\"'value'\"':'\"'a'\"'}|`value`: 'a' is not a value of type DOUBLE"
      })
  void messagesSayWhatIsWrongAndWhere(String json, String message) {
    assertThatThrownBy(() -> row(TWO, json.replace("'", ""), Map.of())).hasMessage(message);
  }

  @Test
  void aTimestampThatIsANumberIsAnsweredWithTheFormThatIsTaken() {
    assertThatThrownBy(() -> decode(type("TIMESTAMP"), "1700000000000"))
        .hasMessage(
            "`v`: '1700000000000' is not a value of type TIMESTAMP(3); write it as 1970-01-01"
                + " 00:00:00");
  }

  @Test
  void depthIsBounded() {
    String deep = "{\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertThatThrownBy(() -> row(TWO, deep, Map.of())).hasMessageContaining("500 levels");
  }

  private static Type type(String name) {
    return switch (name) {
      case "TINYINT" -> Type.TINYINT;
      case "SMALLINT" -> Type.SMALLINT;
      case "INT" -> Type.INT;
      case "BIGINT" -> Type.BIGINT;
      case "DOUBLE" -> Type.DOUBLE;
      case "DECIMAL" -> Type.decimal(6, 2);
      case "DATE" -> Type.DATE;
      case "TIME" -> Type.TIME;
      case "TIMESTAMP" -> Type.timestamp(3);
      case "LTZ" -> Type.timestampLtz(3);
      case "ARRAY" -> Type.array(Type.INT);
      default -> Type.row(List.of("a"), List.of(Type.INT));
    };
  }
}
