package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import java.util.List;

/** Topics of a broker as an endless stream. */
final class MqttSource implements Source {
  private final TableDescriptor table;
  private final ConnectorContext context;
  private final ConnectionSettings connection;
  private final SourceSettings settings;
  private final List<TopicPattern> patterns;
  private final List<Integer> payload;

  MqttSource(
      TableDescriptor table,
      ConnectorContext context,
      ConnectionSettings connection,
      SourceSettings settings,
      List<TopicPattern> patterns,
      List<Integer> payload) {
    this.table = table;
    this.context = context;
    this.connection = connection;
    this.settings = settings;
    this.patterns = List.copyOf(patterns);
    this.payload = List.copyOf(payload);
  }

  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public SourceReader open() {
    RowAssembler rows =
        new RowAssembler(table, patterns, context.formats().decoder(table, payload));
    return new MqttReader(table.name(), context, connection, settings, patterns, rows);
  }
}
