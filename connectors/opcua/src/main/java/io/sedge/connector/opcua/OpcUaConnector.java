package io.sedge.connector.opcua;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.opcua.internal.OpcUaOptions;
import io.sedge.connector.opcua.internal.OpcUaTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'opc-ua'}: the variables of an OPC UA server, a row for each change of a
 * value.
 *
 * <p>A source subscribes to nodes. What it missed while it was away is read from the server's
 * history where the server keeps one, and else reported with its times. A sink writes values to
 * nodes and reads them back; rows may be written again when a process has died.
 */
public final class OpcUaConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "opc-ua";
  }

  @Override
  public List<Option> options() {
    return OpcUaOptions.DECLARED;
  }

  @Override
  public Map<String, Type> metadata() {
    return OpcUaTables.METADATA;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(OpcUaTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(OpcUaTables.sink(table, context));
  }
}
