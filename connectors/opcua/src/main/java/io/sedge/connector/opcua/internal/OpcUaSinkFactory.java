package io.sedge.connector.opcua.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Reports;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.command.CommandQueue;
import io.sedge.connector.command.CommandSink;

/** A table that is written. */
final class OpcUaSinkFactory implements SinkFactory {
  private final String table;
  private final ConnectorContext context;
  private final NodeCommands commands;
  private final WriteSettings settings;

  OpcUaSinkFactory(
      String table, ConnectorContext context, NodeCommands commands, WriteSettings settings) {
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
    Reports reports = new Reports(table, context);
    CommandQueue<NodeCommand> queue =
        new CommandQueue<>(settings.maxAge(), reports, delivery.recoveryPoint(), context::wakeUp);
    return new CommandSink<>(
        table,
        context,
        commands,
        queue,
        new NodeCommandWriter(table, settings, commands.type(), context, reports, queue));
  }
}
