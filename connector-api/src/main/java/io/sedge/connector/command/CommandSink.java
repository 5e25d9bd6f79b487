package io.sedge.connector.command;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.MalformedValueException;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.command.CommandQueue.Progress;
import io.sedge.connector.command.CommandQueue.Refusal;
import io.sedge.engine.column.Batch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes rows as commands. A row that cannot be written is said, and whoever waits for it is told;
 * it counts as delivered, so that the rows after it are not held up.
 */
public final class CommandSink<C extends Command> implements Sink {
  private final String table;
  private final ConnectorContext context;
  private final CommandMaker<C> maker;
  private final CommandQueue<C> queue;
  private final CommandWriter writer;

  /**
   * @param writer works off the queue, and is closed with the sink
   */
  public CommandSink(
      String table,
      ConnectorContext context,
      CommandMaker<C> maker,
      CommandQueue<C> queue,
      CommandWriter writer) {
    this.table = table;
    this.context = context;
    this.maker = maker;
    this.queue = queue;
    this.writer = writer;
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    check();
    if (!queue.hasRoom()) {
      return false;
    }
    Batch batch = numbered.batch();
    List<C> made = new ArrayList<>(batch.rows());
    List<Refusal> refused = new ArrayList<>();
    for (int row = 0; row < batch.rows(); row++) {
      long sequence = numbered.first() + row;
      try {
        made.add(maker.command(sequence, batch, row, numbered.awaited()));
      } catch (MalformedValueException e) {
        C none = maker.none(sequence, batch.row(row).toString(), numbered.awaited());
        made.add(none);
        refused.add(new Refusal(none, String.valueOf(e.getMessage()), false));
      }
    }
    queue.add(made);
    writer.added();
    refused.forEach(this::tell);
    return true;
  }

  private void tell(Refusal refusal) {
    context.unwritten(
        table,
        "row %d".formatted(refusal.command().sequence()),
        refusal.command().text().getBytes(StandardCharsets.UTF_8),
        refusal.why());
    refusal.tell();
  }

  private void check() {
    ConnectorException.throwIfFailed(table, "writing", writer.failure());
  }

  @Override
  public long flush() {
    check();
    return tellRefusals();
  }

  private long tellRefusals() {
    Progress progress = queue.progress();
    progress.refusals().forEach(this::tell);
    return progress.done();
  }

  /** When a command is through. */
  @Override
  public boolean wakes() {
    return true;
  }

  @Override
  public long bytes() {
    return queue.bytes();
  }

  @Override
  public void close() {
    writer.close();
    var _ = tellRefusals();
  }
}
