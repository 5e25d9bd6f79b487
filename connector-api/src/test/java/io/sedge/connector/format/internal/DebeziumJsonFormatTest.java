package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Documentation;
import io.sedge.connector.testkit.Encoded;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DebeziumJsonFormatTest {
  private static final Schema SCHEMA =
      Schema.builder().add("id", Type.STRING).add("v", Type.DOUBLE).build();

  /** A row of each kind. */
  private static List<String> lines(Map<String, String> options) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (ChangeKind kind : ChangeKind.values()) {
      builder.column(0).add("a");
      builder.column(1).addNull();
      builder.endRow(kind);
    }
    Batch batch = builder.build();
    RowEncoder encoder = new DebeziumJsonFormat().encoder(SCHEMA, List.of(0, 1), options);
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < batch.rows(); row++) {
      lines.add(new String(Encoded.row(encoder, batch, row), UTF_8));
    }
    return lines;
  }

  // As Flink's DebeziumJsonSerializationSchema writes them.
  @Test
  void eachKindOfChangeIsAnInsertionOrADeletion() {
    String created = "{\"before\":null,\"after\":{\"id\":\"a\",\"v\":null},\"op\":\"c\"}";
    String deleted = "{\"before\":{\"id\":\"a\",\"v\":null},\"after\":null,\"op\":\"d\"}";
    assertThat(lines(Map.of())).containsExactly(created, deleted, created, deleted);
  }

  @Test
  void nullsAreLeftOutEverywhereIfTheOptionSaysSo() {
    assertThat(lines(Map.of("debezium-json.encode.ignore-null-fields", "true")))
        .startsWith(
            "{\"after\":{\"id\":\"a\"},\"op\":\"c\"}", "{\"before\":{\"id\":\"a\"},\"op\":\"d\"}");
  }

  @Test
  void itIsNotReadAndSaysWhatToWrite() {
    assertThatThrownBy(() -> new DebeziumJsonFormat().decoder(SCHEMA, List.of(0, 1), Map.of()))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("'format' = 'json' with the columns before ROW<…>");
  }

  @Test
  void theDocumentHasTheOptionsAsTheyAreDeclared() throws IOException {
    Documentation.check(new DebeziumJsonFormat());
  }
}
