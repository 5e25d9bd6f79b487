package io.sedge.connector.modbus.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import java.util.List;

/** A table that is read. With a shard column, each of its values is a shard. */
final class ModbusSource implements Source {
  private final String table;
  private final ConnectorContext context;
  private final TableShape shape;
  private final PollSettings settings;
  private final int shardColumn;

  /**
   * @param shardColumn that of the unit or of the address; -1 if it is not divided
   */
  ModbusSource(
      String table,
      ConnectorContext context,
      TableShape shape,
      PollSettings settings,
      int shardColumn) {
    this.table = table;
    this.context = context;
    this.shape = shape;
    this.settings = settings;
    this.shardColumn = shardColumn;
  }

  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public Division division() {
    if (shardColumn < 0) {
      return Division.WHOLE;
    }
    List<String> shards =
        shardColumn == shape.unit()
            ? settings.units().stream().map(unit -> Integer.toString(unit)).toList()
            : settings.endpoints().stream().map(Endpoint::name).toList();
    return new Division.ByKey(shardColumn, shards);
  }

  @Override
  public Source shard(String name) {
    if (!(division() instanceof Division.ByKey(int _, List<String> names))
        || !names.contains(name)) {
      throw new IllegalArgumentException("there is no shard '%s'".formatted(name));
    }
    boolean byUnit = shardColumn == shape.unit();
    PollSettings part =
        new PollSettings(
            byUnit ? settings.endpoints() : List.of(settings.endpoints().get(names.indexOf(name))),
            byUnit ? List.of(settings.units().get(names.indexOf(name))) : settings.units(),
            settings.interval(),
            settings.plan(),
            settings.narrow(),
            settings.link());
    return new ModbusSource(table, context, shape, part, -1);
  }

  @Override
  public SourceReader open() {
    return new ModbusReader(table, context, shape, settings);
  }
}
