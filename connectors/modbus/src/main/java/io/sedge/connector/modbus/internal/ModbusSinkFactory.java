package io.sedge.connector.modbus.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Reports;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.command.CommandQueue;
import io.sedge.connector.command.CommandSink;
import java.time.Duration;
import java.util.Optional;

/** A table that is written. */
final class ModbusSinkFactory implements SinkFactory {
  private final String table;
  private final ConnectorContext context;
  private final RegisterCommands commands;
  private final Settings settings;

  /**
   * How commands are written.
   *
   * @param maxRetries how often a command is written again that is not read back
   * @param maxAge how old a command may be
   */
  record Settings(
      Endpoint endpoint,
      LinkSettings link,
      boolean readBack,
      int maxRetries,
      Optional<Duration> maxAge) {}

  ModbusSinkFactory(
      String table, ConnectorContext context, RegisterCommands commands, Settings settings) {
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

  /** A register does not know which row was written to it. */
  @Override
  public Guarantee guarantee() {
    return Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public Sink open(Delivery delivery) {
    Reports reports = new Reports(table, context);
    CommandQueue<RegisterCommand> queue =
        new CommandQueue<>(settings.maxAge(), reports, delivery.recoveryPoint(), context::wakeUp);
    return new CommandSink<>(
        table,
        context,
        commands,
        queue,
        new RegisterWriter(table, settings, queue, context::wakeUp));
  }
}
