package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {
  private static final List<Option> DECLARED =
      List.of(
          Option.required("path", Option.Kind.STRING, "The file to read."),
          Option.withDefault("rows", Option.Kind.INTEGER, "10", "Rows."),
          Option.optional("share", Option.Kind.DECIMAL, "Share."),
          Option.withDefault("ordered", Option.Kind.BOOLEAN, "true", "Order."),
          Option.optional("timeout", Option.Kind.DURATION, "Patience."),
          Option.optional("buffer", Option.Kind.BYTES, "Room."),
          Option.choice("scan.startup.mode", "latest", List.of("latest", "earliest"), "Where."),
          Option.optional("fields.#.kind", Option.Kind.STRING, "Kind of a column."),
          Option.optional("properties.*", Option.Kind.STRING, "Handed on."));

  private static List<String> problems(Map<String, String> given) {
    return Options.problems("readings", DECLARED, given);
  }

  // What a person reads after a typing mistake; all mistakes at once.
  @Test
  void allProblemsAreToldAtOnceInTheOrderOfTheirKeys() {
    assertThat(
            problems(
                Map.of(
                    "rows", "many",
                    "share", "half",
                    "ordered", "yes",
                    "timeout", "5 fortnights",
                    "buffer", "64 pages",
                    "scan.startup.mode", "foo",
                    "fields.kind", "random",
                    "zzz", "1")))
        .containsExactly(
            "table readings: 'buffer' = '64 pages' is not a size; write it as 512 b, 64 kb, 16 mb"
                + " or 1 gb",
            "table readings: option 'fields.kind' is unknown; did you mean 'fields.#.kind'?",
            "table readings: 'ordered' = 'yes' is not one of true, false",
            "table readings: 'rows' = 'many' is not a whole number",
            "table readings: 'scan.startup.mode' = 'foo' is not one of latest, earliest",
            "table readings: 'share' = 'half' is not a number",
            "table readings: 'timeout' = '5 fortnights' is not a duration; write it as 500 ms, 5 s,"
                + " 1 min, 2 h or 7 d",
            "table readings: option 'zzz' is unknown; known are buffer, fields.#.kind, ordered,"
                + " path, properties.*, rows, scan.startup.mode, share, timeout",
            "table readings: option 'path' is missing: The file to read.");
  }

  @ParameterizedTest
  @CsvSource({
    "scan.startup.mod, scan.startup.mode",
    "startup.mode, scan.startup.mode",
    "Path, path",
    "paht, path",
    "bufer, buffer",
    "table.path, path"
  })
  void aMisspeltKeyIsAnsweredWithWhatWasMeant(String given, String meant) {
    assertThat(problems(Map.of("path", "x", given, "1")))
        .containsExactly(
            "table readings: option '%s' is unknown; did you mean '%s'?".formatted(given, meant));
  }

  @Test
  void nothingIsWrongWithWhatIsDeclared() {
    assertThat(
            problems(
                Map.of(
                    "path", "x",
                    "share", "0.5",
                    "fields.temperature.kind", "random",
                    "properties.a.b", "c",
                    "scan.startup.mode", "EARLIEST")))
        .isEmpty();
  }

  // Flink's TimeUtils: a bare number is milliseconds, ISO-8601 is allowed.
  @ParameterizedTest
  @CsvSource({
    "500 ms, PT0.5S",
    "5s, PT5S",
    "1 MIN, PT1M",
    "1m, PT1M",
    "2 hours, PT2H",
    "7d, PT168H",
    "250, PT0.25S",
    "10 micros, PT0.00001S",
    "PT1M30S, PT1M30S"
  })
  void durationsAreWrittenAsInFlink(String text, Duration expected) {
    Options options = Options.of("t", DECLARED, Map.of("timeout", text));
    assertThat(options.duration("timeout")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"64, 64", "64 b, 64", "64kb, 65536", "16 mb, 16777216", "1g, 1073741824"})
  void sizesAreWrittenAsInFlink(String text, long expected) {
    assertThat(Options.of("t", DECLARED, Map.of("buffer", text)).bytes("buffer"))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775807 gb", "99999999999999999999", "-1 kb", "kb", "1.5 gb"})
  void sizesThatAreNoneAreRefused(String text) {
    assertThat(problems(Map.of("path", "x", "buffer", text))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"-1 s", "PT-1S", "1.5 s", "s", "P1Q", "99999999999999 d"})
  void durationsThatAreNoneAreRefused(String text) {
    assertThat(problems(Map.of("path", "x", "timeout", text))).hasSize(1);
  }

  @Test
  void whatIsAbsentHasItsDefaultOrIsNotThere() {
    Options options = Options.of("t", DECLARED, Map.of());
    assertThat(options.integer("rows")).isEqualTo(10);
    assertThat(options.has("rows")).isFalse();
    assertThat(options.bool("ordered")).isTrue();
    assertThat(options.choice("scan.startup.mode")).isEqualTo("latest");
    assertThat(options.find("timeout")).isEmpty();
    assertThatThrownBy(() -> options.duration("timeout"))
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> options.find("nowhere")).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void aNumberOutOfItsRangeIsRefusedWithTheRange() {
    Options options = Options.of("t", DECLARED, Map.of("rows", "11"));
    assertThatThrownBy(() -> options.integer("rows", 1, 10))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("table t: 'rows' = '11' is not between 1 and 10");
  }

  // Messages go to logs, and to the console of a center far away.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mqtt://ann:word@host:1883         | mqtt://…@host:1883
          mqtt://ann:w/o@r:d@host           | mqtt://…@host
          mqtt://ann:word/@host             | mqtt://…@host
          mqtt://ann:word:@host             | mqtt://…@host
          https://ann:word@host/x/@         | https://…@
          https://token@host/path           | https://…@host/path
          ann:word@host:1883                | …@host:1883
          ann:w//ord@host:1883              | …@host:1883
          jdbc:oracle:thin:ann/word@//h/x   | …@//h/x
          jdbc:oracle:thin:@x               | jdbc:oracle:thin:@x
          jdbc:oracle:thin:@x?p=word        | jdbc:oracle:thin:@x?…
          jdbc:postgresql://h/x?password=w  | jdbc:postgresql://h/x?…
          jdbc:postgresql://h/x?p=w@rd      | jdbc:postgresql://…
          jdbc:sqlserver://h;user=a;p=word  | jdbc:sqlserver://h;…
          JDBC:sqlserver://h;user=a;p=w@rd  | JDBC:sqlserver://…
          http://host/write?db=x&p=word     | http://host/write?…
          http://u:p?w@host/?p=word         | http://…
          htp://h/w?p=word                  | htp://h/w?…
          http:h/w?word                     | http:h/w?…
          h/w?p=word                        | h/w?…
          ' http://h/w?p=word'              | ' http://h/w?…'
          wss://h/x?token=word              | wss://h/x?…
          modbus-rtu:///dev/tty?baud=7      | modbus-rtu:///dev/tty?…
          nsu=http://vendor/;s=temperature  | nsu=http://vendor/;s=temperature
          shift@plant.example               | shift@plant.example
          plant/+/a?b                       | plant/+/a?b
          plant/a@b/+                       | plant/a@b/+
          """)
  void neitherTheLoginNorTheParametersOfAnAddressAreShown(String value, String shown) {
    checkShown(value, shown);
  }

  @Test
  void theEndOfALineHidesNothingLess() {
    checkShown("http://h/w?p=word\n", "http://h/w?…");
    checkShown("h/w?\np=word", "h/w?…");
    checkShown("\nmqtt://ann:word@host", "\nmqtt://…@host");
    checkShown("mqtt://ann:wo\nrd@host", "mqtt://…@host");
    checkShown("ann\n:word@host", "…@host");
  }

  private static void checkShown(String value, String shown) {
    Options options = Options.of("readings", DECLARED, Map.of("path", value));
    assertThat(options.wrong("path", "is wrong"))
        .hasMessage("table readings: 'path' = '%s' is wrong".formatted(shown));
    assertThat(problems(Map.of("path", "x", "rows", value)))
        .containsExactly("table readings: 'rows' = '%s' is not a whole number".formatted(shown));
  }

  @ParameterizedTest
  @CsvSource({
    "h/w?word, h/w?…",
    "sqlserver://h;p=word, sqlserver://h;…",
    "ann@host, …@host",
    "http://host/path, http://host/path"
  })
  void whatIsMeantToBeAnAddressNeedNotLookLikeOne(String value, String shown) {
    Options options = Options.of("readings", DECLARED, Map.of("path", value));
    assertThat(options.wrongAddress("path", "is wrong"))
        .hasMessage("table readings: 'path' = '%s' is wrong".formatted(shown));
  }

  @ParameterizedTest
  @CsvSource({
    "properties.sasl.jaas.config, login ann word, …",
    "properties.password, word, …",
    "properties.password, '', ''",
    "properties.ssl.keystore.password, ' ', ' '",
    "properties.ssl.truststore.location, keys/ca.pem, keys/ca.pem"
  })
  void aSecretIsNotShown(String key, String value, String shown) {
    Options options = Options.of("readings", DECLARED, Map.of(key, value));
    assertThat(options.wrong(key, "is wrong"))
        .hasMessage("table readings: '%s' = '%s' is wrong".formatted(key, shown));
  }
}
