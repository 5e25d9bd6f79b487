package io.sedge.format.avro;

import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import io.sedge.format.avro.internal.RegisteredDecoder;
import io.sedge.format.avro.internal.RegisteredEncoder;
import io.sedge.format.avro.internal.RegistryOptions;
import io.sedge.format.avro.internal.SchemaMapping;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The format {@code avro-confluent}: a record of Avro for each row, with the number of its schema
 * before it. A registry with Confluent's API has the schemas. Flink's options.
 */
public final class AvroConfluentFormat implements FormatFactory {
  @Override
  public String name() {
    return "avro-confluent";
  }

  @Override
  public List<Option> options() {
    return RegistryOptions.DECLARED;
  }

  @Override
  public boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return false;
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    RegistryOptions registry = new RegistryOptions(given(options));
    SchemaMapping mapping = registry.mapping(schema, columns);
    var _ = mapping.written(registry.schema());
    var _ = mapping.written(Optional.empty()); // Whatever was written, the columns must be of Avro.
    return new RegisteredDecoder(mapping, registry);
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    RegistryOptions registry = new RegistryOptions(given(options));
    SchemaMapping mapping = registry.mapping(schema, columns);
    return new RegisteredEncoder(
        mapping, mapping.written(registry.schema()), registry, registry.subject());
  }

  private Options given(Map<String, String> options) {
    return Options.of(name(), RegistryOptions.DECLARED, options);
  }
}
