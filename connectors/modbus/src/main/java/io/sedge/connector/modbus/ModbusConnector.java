package io.sedge.connector.modbus;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.modbus.internal.ModbusOptions;
import io.sedge.connector.modbus.internal.ModbusTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'modbus'}: registers of Modbus devices as columns, over TCP, RTU over TCP or
 * a serial line.
 *
 * <p>A source asks each unit at a fixed rate and gives one row for each answer. Devices keep no
 * past, so it cannot be replayed: what was not read is reported with its times. A sink writes the
 * columns of a row to the registers of a unit and reads them back; rows may be written again when a
 * process has died.
 */
public final class ModbusConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "modbus";
  }

  @Override
  public List<Option> options() {
    return ModbusOptions.DECLARED;
  }

  @Override
  public Map<String, Type> metadata() {
    return ModbusTables.METADATA;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(ModbusTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(ModbusTables.sink(table, context));
  }
}
