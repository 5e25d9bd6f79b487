package io.sedge.connector.kafka;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.connector.kafka.internal.KafkaTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'upsert-kafka'}: a topic of Apache Kafka that keeps the last row of each
 * key.
 *
 * <p>It is written alone: a row of a key replaces the one before, and a key that goes gets a
 * tombstone. Reading it would give updates, which no source can.
 */
public final class UpsertKafkaConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "upsert-kafka";
  }

  @Override
  public List<Option> options() {
    return KafkaTables.UPSERT.options();
  }

  @Override
  public Map<String, Type> metadata() {
    return KafkaTables.METADATA;
  }

  @Override
  public boolean usesFormats() {
    return true;
  }

  @Override
  public List<Option> formatOptions(Map<String, String> given, Formats formats) {
    return KafkaTables.UPSERT.formatOptions(given, formats);
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(KafkaTables.UPSERT.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(KafkaTables.UPSERT.sink(table, context));
  }
}
