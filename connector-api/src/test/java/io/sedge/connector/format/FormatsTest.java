package io.sedge.connector.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Documentation;
import io.sedge.connector.testkit.Tables;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FormatsTest {
  private static final Formats FORMATS = Formats.installed(FormatsTest.class.getClassLoader());

  @Test
  void fiveFormatsAreInstalledAndDocumented() throws IOException {
    assertThat(FORMATS.byName().keySet())
        .containsExactly("csv", "debezium-json", "influx-line", "json", "raw");
    for (FormatFactory format : FORMATS.byName().values()) {
      Documentation.check(format);
    }
  }

  @Test
  void aFormatThatDoesNotExistIsToldWithThoseThatDo() {
    TableDescriptor table = table(Map.of("format", "avro"));
    assertThatThrownBy(() -> FORMATS.of(table))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(
            "table readings: 'format' = 'avro' is not one of csv, debezium-json, influx-line,"
                + " json, raw");
    assertThatThrownBy(() -> FORMATS.of(table(Map.of())))
        .hasMessage(
            "table readings: option 'format' is missing; it is one of csv, debezium-json,"
                + " influx-line, json, raw");
  }

  @Test
  void whatAFormatCannotDoIsToldWithTheTable() {
    assertThatThrownBy(() -> FORMATS.decoder(table(Map.of("format", "raw")), List.of(0, 1)))
        .hasMessage(
            "table readings: 'format' = 'raw' fills one column, but the payload would fill 2: id,"
                + " value");
  }

  @Test
  void metadataColumnsAreNotInThePayload() {
    TableDescriptor table =
        Tables.table(
            Schema.builder().add("topic", Type.STRING).add("value", Type.DOUBLE).build(),
            Map.of(0, "topic"),
            Map.of());
    assertThat(Formats.payloadColumns(table)).containsExactly(1);
  }

  private static TableDescriptor table(Map<String, String> options) {
    return Tables.table(
        Schema.builder().add("id", Type.STRING).add("value", Type.DOUBLE).build(), options);
  }
}
