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
 * {@code 'connector' = 'kafka'}: topics of Apache Kafka as a table.
 *
 * <p>Each reading counts once: the offsets of its partitions are the position of a reader, which
 * the task commits with what came of them. With {@code 'sink.delivery-guarantee' = 'exactly-once'}
 * rows are written in transactions that also hold how far the writer has come.
 */
public final class KafkaConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public List<Option> options() {
    return KafkaTables.PLAIN.options();
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
    return KafkaTables.PLAIN.formatOptions(given, formats);
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(KafkaTables.PLAIN.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(KafkaTables.PLAIN.sink(table, context));
  }
}
