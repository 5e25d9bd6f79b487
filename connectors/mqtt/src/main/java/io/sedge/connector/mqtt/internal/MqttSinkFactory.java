package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.PayloadWriter;
import io.sedge.mqtt.ConnectionSettings;
import java.util.List;
import java.util.Optional;

/** Topics of a broker as a table to write to. */
final class MqttSinkFactory implements SinkFactory {
  /**
   * What a sink needs besides its connection.
   *
   * @param upsert whether each topic has the last row of a key, and an empty payload when that is
   *     gone
   */
  record Settings(int qos, boolean retain, boolean upsert, int maxInFlight) {}

  private final TableDescriptor table;
  private final ConnectorContext context;
  private final ConnectionSettings connection;
  private final TopicPattern pattern;
  private final List<Integer> payload;
  private final Settings settings;

  MqttSinkFactory(
      TableDescriptor table,
      ConnectorContext context,
      ConnectionSettings connection,
      TopicPattern pattern,
      List<Integer> payload,
      Settings settings) {
    this.table = table;
    this.context = context;
    this.connection = connection;
    this.pattern = pattern;
    this.payload = List.copyOf(payload);
    this.settings = settings;
  }

  /** A message cannot be taken back, but the one that the broker keeps of a topic is replaced. */
  @Override
  public ChangelogMode changelogMode() {
    if (settings.upsert()) {
      return ChangelogMode.UPSERT;
    }
    return context.formats().of(table).writesChanges()
        ? ChangelogMode.ALL
        : ChangelogMode.INSERT_ONLY;
  }

  @Override
  public Optional<String> updatesRemedy() {
    return Optional.of(
        "a PRIMARY KEY of the columns in 'topic', one topic for each key that keeps its last row,"
            + " or 'format' = 'debezium-json', a message for each change");
  }

  /** What is published can reach devices that publish what is read: it may be a command. */
  @Override
  public boolean reachesSources() {
    return true;
  }

  /** A broker takes a message again; with MQTT 5 who reads it can tell. */
  @Override
  public Guarantee guarantee() {
    return Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public Sink open(Delivery delivery) {
    PayloadWriter payloads =
        new PayloadWriter(table, context.formats().encoder(table, payload), context);
    payloads.open();
    return new MqttSink(
        table.name(),
        context,
        connection,
        settings,
        new TopicWriter(pattern, table.schema()),
        payloads,
        delivery);
  }
}
