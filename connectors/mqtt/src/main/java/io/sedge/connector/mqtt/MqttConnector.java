package io.sedge.connector.mqtt;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.internal.MqttOptions;
import io.sedge.connector.mqtt.internal.MqttTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'mqtt'}: topics of a broker as a table.
 *
 * <p>A source gives one row for each message; the parts of the topic that its pattern names are
 * columns. What is promised: at QoS 1 and 2 a message is acknowledged to the broker only when the
 * task has committed what came of it, in order, so nothing is lost over an outage of the link, the
 * broker (if it keeps its sessions) or this process; a message that the broker sends again because
 * an acknowledgement was lost is recognised by packet identifier, DUP flag and content, and not
 * counted twice. {@code docs/connectors/mqtt.md} says where MQTT's own limits are.
 *
 * <p>A sink publishes one message for each row, on the topic that its columns give.
 */
public final class MqttConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "mqtt";
  }

  @Override
  public List<Option> options() {
    return MqttOptions.DECLARED;
  }

  @Override
  public Map<String, Type> metadata() {
    return MqttTables.METADATA;
  }

  @Override
  public boolean usesFormats() {
    return true;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(MqttTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(MqttTables.sink(table, context));
  }
}
