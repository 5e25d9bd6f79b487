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

/** What both connectors have in common: all but their name and what their tables may say. */
abstract sealed class TopicConnector implements ConnectorFactory
    permits KafkaConnector, UpsertKafkaConnector {
  private final String name;
  private final KafkaTables tables;

  TopicConnector(String name, KafkaTables tables) {
    this.name = name;
    this.tables = tables;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Option> options() {
    return tables.options();
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
    return tables.formatOptions(given, formats);
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(tables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(tables.sink(table, context));
  }
}
