package io.sedge.connector.opcua.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.engine.column.Batch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes rows to nodes. A row that cannot be written is malformed and said; it counts as delivered,
 * so that the rows after it are not held up.
 */
final class OpcUaSink implements Sink {
  private final String table;
  private final ConnectorContext context;
  private final Commands commands;
  private final CommandWriter writer;

  OpcUaSink(String table, ConnectorContext context, Commands commands, CommandWriter writer) {
    this.table = table;
    this.context = context;
    this.commands = commands;
    this.writer = writer;
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    check();
    if (!writer.hasRoom()) {
      return false;
    }
    Batch batch = numbered.batch();
    List<Command> made = new ArrayList<>(batch.rows());
    List<CommandWriter.Refusal> refused = new ArrayList<>();
    for (int row = 0; row < batch.rows(); row++) {
      long sequence = numbered.first() + row;
      try {
        made.add(commands.of(sequence, batch, row, numbered.awaited()));
      } catch (MalformedValueException e) {
        Command none = Commands.none(sequence, Commands.text(batch, row), numbered.awaited());
        made.add(none);
        refused.add(new CommandWriter.Refusal(none, String.valueOf(e.getMessage())));
      }
    }
    writer.add(made);
    refused.forEach(this::refuse);
    return true;
  }

  private void refuse(CommandWriter.Refusal refusal) {
    context.unwritten(
        table,
        "row %d".formatted(refusal.command().sequence()),
        refusal.command().text().getBytes(StandardCharsets.UTF_8),
        refusal.why());
    refusal.tell();
  }

  private void check() {
    Throwable cause = writer.failure();
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof ConnectorException known) {
      throw new ConnectorException(known.kind(), String.valueOf(known.getMessage()), known);
    }
    if (cause != null) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "table %s: writing has failed: %s".formatted(table, cause),
          cause);
    }
  }

  @Override
  public long flush() {
    check();
    CommandWriter.Progress progress = writer.progress();
    progress.refusals().forEach(this::refuse);
    return progress.done();
  }

  /** When the writer has got further. */
  @Override
  public boolean wakes() {
    return true;
  }

  @Override
  public long bytes() {
    return writer.bytes();
  }

  @Override
  public void close() {
    writer.close();
    writer.progress().refusals().forEach(this::refuse);
  }
}
