package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Option;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.connector.testkit.Tables;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class KafkaTablesTest {
  /** A format whose schemas are in a registry. */
  private record Registered() implements FormatFactory {
    @Override
    public String name() {
      return "registered";
    }

    @Override
    public List<Option> options() {
      return List.of(Option.optional("registered.subject", Option.Kind.STRING, "Its subject."));
    }

    @Override
    public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
      throw new UnsupportedOperationException();
    }
  }

  private static Map<String, String> named(Map<String, String> options) {
    return KafkaTables.withSubjects(
            Tables.table(Schema.builder().add("a", Type.INT).build(), options),
            "plant",
            new Formats(List.of(new Registered())))
        .options();
  }

  /** As Flink's kafka connector does. */
  @Test
  void aRegistryHasTheSchemasUnderTheNameOfTheTopic() {
    assertThat(named(Map.of("format", "registered")))
        .containsEntry("registered.subject", "plant-value");
    assertThat(named(Map.of("key.format", "registered", "value.format", "registered")))
        .containsEntry("key.registered.subject", "plant-key")
        .containsEntry("value.registered.subject", "plant-value");
    assertThat(named(Map.of("format", "registered", "registered.subject", "own")))
        .containsEntry("registered.subject", "own");
    assertThat(named(Map.of("key.format", "json"))).hasSize(1);
  }
}
