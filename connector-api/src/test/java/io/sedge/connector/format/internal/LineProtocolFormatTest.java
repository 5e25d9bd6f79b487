package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of docs.influxdata.com's reference of the line protocol. */
final class LineProtocolFormatTest {
  private static final long MICROS = 1_769_860_800_123_456L;

  private static final Schema SCHEMA =
      Schema.builder()
          .add("ts", Type.timestampLtz(6))
          .add("machine", Type.STRING)
          .add("kind", Type.STRING)
          .add("level", Type.DOUBLE)
          .add("count", Type.BIGINT)
          .add("on", Type.BOOLEAN)
          .add("note", Type.STRING)
          .build();

  private static RowEncoder encoder(Schema schema, String... options) {
    Map<String, String> given = new HashMap<>(Map.of("influx-line.measurement", "plant"));
    for (int i = 0; i < options.length; i += 2) {
      given.put("influx-line." + options[i], options[i + 1]);
    }
    return new LineProtocolFormat()
        .encoder(schema, IntStream.range(0, schema.size()).boxed().toList(), given);
  }

  private static String line(Schema schema, RowEncoder encoder, @Nullable Object... row) {
    return new String(Encoded.row(schema, encoder, row), UTF_8);
  }

  private static String point(@Nullable Object... row) {
    return line(SCHEMA, encoder(SCHEMA, "tags", "machine; kind", "timestamp", "ts"), row);
  }

  @Test
  void aRowIsAPointOfTagsFieldsAndTime() {
    assertThat(point(MICROS, "press-1", "oil", 21.5, 3L, true, "ok"))
        .isEqualTo(
            "plant,machine=press-1,kind=oil level=21.5,count=3i,on=true,note=\"ok\""
                + " 1769860800123456000");
  }

  @Test
  void whatIsNullOrNoNumberIsLeftOut() {
    assertThat(point(null, null, "", Double.NaN, 3L, null, null)).isEqualTo("plant count=3i");
    assertThat(point(MICROS, "press-1", null, Double.POSITIVE_INFINITY, null, null, null))
        .isEmpty();
  }

  @Test
  void whatHasAMeaningOfItsOwnIsEscaped() {
    assertThat(point(MICROS, "a, b=c\\", "x\ny", null, null, null, "say \"hi\" \\ to\nall"))
        .isEqualTo(
            "plant,machine=a\\,\\ b\\=c,kind=x\\ny note=\"say \\\"hi\\\" \\\\ to\\nall\""
                + " 1769860800123456000");
    Schema schema = Schema.builder().add("a b=c", Type.INT).build();
    assertThat(line(schema, encoder(schema, "measurement", "oil, warm"), 1))
        .isEqualTo("oil\\,\\ warm a\\ b\\=c=1i");
  }

  @ParameterizedTest
  @CsvSource({
    "ns, 1769860800123456000",
    "us, 1769860800123456",
    "ms, 1769860800123",
    "s, 1769860800"
  })
  void theTimeIsInTheUnitThatTheServerIsTold(String precision, String time) {
    Schema schema = Schema.builder().add("ts", Type.timestamp(6)).add("level", Type.FLOAT).build();
    RowEncoder encoder = encoder(schema, "timestamp", "ts", "precision", precision);
    assertThat(line(schema, encoder, MICROS, 1.5f)).isEqualTo("plant level=1.5 " + time);
  }

  @Test
  void timesBefore1970AreCutDownwards() {
    Schema schema = Schema.builder().add("ts", Type.timestamp(6)).add("n", Type.INT).build();
    assertThat(line(schema, encoder(schema, "timestamp", "ts", "precision", "s"), -1L, 1))
        .isEqualTo("plant n=1i -1");
  }

  @Test
  void aColumnMayNameTheMeasurement() {
    Schema schema = Schema.builder().add("quantity", Type.STRING).add("v", Type.INT).build();
    RowEncoder encoder = encoder(schema, "measurement", "{quantity}");
    assertThat(line(schema, encoder, "oil level", 1)).isEqualTo("oil\\ level v=1i");
    assertThat(line(schema, encoder, "#1", 1)).as("no comment").isEqualTo("\\#1 v=1i");
    assertThat(line(schema, encoder, null, 1)).isEqualTo("null v=1i");
  }

  @Test
  void otherTypesAreTextsAndNumbers() {
    Schema schema =
        Schema.builder()
            .add("price", Type.decimal(10, 2))
            .add("day", Type.DATE)
            .add("at", Type.time(3))
            .add("since", Type.timestampLtz(3))
            .build();
    assertThat(line(schema, encoder(schema), new BigDecimal("1E+3"), 0, 1_500, 0L))
        .isEqualTo(
            "plant price=1000,day=\"1970-01-01\",at=\"00:00:01.5\",since=\"1970-01-01T00:00:00Z\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tags | machine;tempo | 'influx-line.tags' = 'machine;tempo' names 'tempo', but the columns"
            + " are ts, machine, kind, level, count, on, note",
        "tags | machine;machine | has 'machine', which is something else already",
        "timestamp | level | 'influx-line.timestamp' = 'level' is no TIMESTAMP or TIMESTAMP_LTZ"
            + " column",
        "measurement | {tempo} | 'influx-line.measurement' = '{tempo}' names 'tempo'",
        "measurement | #1 | is empty, or begins with #, which is a comment",
        "precision | min | 'influx-line.precision' = 'min' is not one of ns, us, ms, s",
        "tags | ts;machine;kind;level;count;on;note | no column is left for a field",
      })
  void optionsThatDoNotFitAreSaidAtOnce(String option, String value, String message) {
    assertThatThrownBy(() -> encoder(SCHEMA, option, value))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theNameOfTheTimeIsNoTagOrField() {
    Schema schema =
        Schema.builder().add("time", Type.timestampLtz(3)).add("level", Type.DOUBLE).build();
    String message =
        "column `time` is a tag or a field, but InfluxDB keeps that name for the time of a point:"
            + " name it in 'influx-line.timestamp' if it is that, or else name the column"
            + " otherwise";
    assertThatThrownBy(() -> encoder(schema))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> encoder(schema, "tags", "time")).hasMessage(message);
    assertThat(line(schema, encoder(schema, "timestamp", "time", "precision", "ms"), 5_000L, 1.5))
        .isEqualTo("plant level=1.5 5");
  }

  @Test
  void itIsNotReadAndTakesNoNestedValues() {
    assertThatThrownBy(() -> new LineProtocolFormat().decoder(SCHEMA, List.of(0), Map.of()))
        .hasMessage("'format' = 'influx-line' is written, not read");
    Schema nested = Schema.builder().add("v", Type.INT).add("list", Type.array(Type.INT)).build();
    assertThatThrownBy(() -> encoder(nested))
        .hasMessage("column `list` is ARRAY<INT>: 'influx-line' takes no ARRAY or ROW");
  }
}
