package io.sedge.connector.opcua.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;

/** A table that is written. */
final class OpcUaSinkFactory implements SinkFactory {
  private final String table;
  private final ConnectorContext context;
  private final Commands commands;
  private final WriteSettings settings;

  OpcUaSinkFactory(
      String table, ConnectorContext context, Commands commands, WriteSettings settings) {
    this.table = table;
    this.context = context;
    this.commands = commands;
    this.settings = settings;
  }

  @Override
  public ChangelogMode changelogMode() {
    return ChangelogMode.INSERT_ONLY;
  }

  @Override
  public boolean reachesSources() {
    return true;
  }

  /** A node does not know which row was written to it. */
  @Override
  public Guarantee guarantee() {
    return Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public Sink open(Delivery delivery) {
    return new OpcUaSink(
        table,
        context,
        commands,
        new CommandWriter(table, settings, commands.type(), context, delivery.recoveryPoint()));
  }
}
