package io.sedge.task.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Output;
import io.sedge.task.RowNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A sink table of a task. Rows go to the sink as they come, but for those that the far end has from
 * an earlier deliverer; where the commit log keeps contents they are also gathered for the next
 * commit.
 */
public final class SinkOutput implements Output {
  /** How often a sink is driven that has nothing new to write. */
  static final long TICK_NANOS = 1_000_000_000;

  private final String table;
  private final String title;
  private final Sink sink;
  private final boolean command;
  private final Optional<RowNumbers> numbers;

  /** The sequence up to which the far end had rows when the sink was opened. */
  private final long found;

  /** The sequence up to which the sink has taken rows. */
  private long taken;

  private boolean gather;
  private List<Batch> gathered = new ArrayList<>();
  private long gatheredCells;
  private boolean refused;
  private boolean unflushed;

  /** The sequence up to which the sink has said that rows are durable. */
  private long durable;

  private long rows;
  private long watermark = Long.MIN_VALUE;
  private long lastTickNanos = Long.MIN_VALUE;

  /**
   * @param title what messages call it: {@code table kept}, {@code standard output}
   * @param sink just opened
   * @param command whether its rows go back to where readings come from
   * @param numbers the sequences of its rows; empty if they are numbered as they come
   */
  public SinkOutput(
      String table, String title, Sink sink, boolean command, Optional<RowNumbers> numbers) {
    this.table = table;
    this.title = title;
    this.sink = sink;
    this.command = command;
    this.numbers = numbers;
    this.found = sink.flush();
    this.taken = found;
    this.durable = found;
  }

  void gatherForCommits() {
    gather = true;
  }

  public String table() {
    return table;
  }

  String title() {
    return title;
  }

  @Override
  public boolean offer(Batch batch) {
    if (batch.rows() == 0) {
      return true;
    }
    NumberedBatch numbered =
        new NumberedBatch(first(), batch, numbers.flatMap(known -> known.awaited(table)));
    if (isFound(numbered) || isOver(numbered)) {
      return true;
    }
    refused = !sink.offer(numbered);
    if (refused) {
      return false;
    }
    taken = numbered.last();
    unflushed = true;
    rows += batch.rows();
    if (gather) {
      gathered.add(batch);
      gatheredCells += (long) batch.rows() * batch.columns().size();
    }
    return true;
  }

  private long first() {
    return numbers.isPresent() ? numbers.get().first(table) : taken + 1;
  }

  /** Whether its time is over, since it was given or the sink refused it: it is passed over. */
  private boolean isOver(NumberedBatch batch) {
    boolean over = batch.awaited().filter(Awaited::isOver).isPresent();
    if (over) {
      refused = false;
      batch.awaited().get().expired("");
    }
    return over;
  }

  /** Whether the far end has it. Who wrote it had the same batches, so it has all of it or none. */
  private boolean isFound(NumberedBatch batch) {
    if (batch.first() <= found && batch.last() > found) {
      throw new IllegalStateException(
          "table %s: its sink has rows up to %d, which is amid a batch of rows %d to %d"
              .formatted(table, found, batch.first(), batch.last()));
    }
    return batch.last() <= found;
  }

  @Override
  public boolean advance(long newWatermark) {
    watermark = newWatermark;
    return true;
  }

  /** Drives the sink from time to time, whether it has taken something or not. */
  void tick(long nowNanos) {
    if (lastTickNanos == Long.MIN_VALUE) {
      lastTickNanos = nowNanos;
    } else if (nowNanos - lastTickNanos >= TICK_NANOS) {
      lastTickNanos = nowNanos;
      look();
    }
  }

  /** Drives the sink; whether all that it took is durable. */
  boolean flush() {
    if (unflushed) {
      look();
    }
    return !unflushed;
  }

  private void look() {
    durable = sink.flush();
    unflushed = durable < taken;
  }

  /** Whether it need not be asked, since it says when it has room or has written more. */
  boolean wakes() {
    return sink.wakes();
  }

  /** The sequence up to which the sink has taken rows. */
  long taken() {
    return taken;
  }

  /** Whether the rows up to a sequence that was taken were durable when the sink was asked last. */
  boolean isDurable(long sequence) {
    return !unflushed || durable >= sequence;
  }

  /** The batches since the last call. */
  List<Batch> takeGathered() {
    List<Batch> taken = gathered;
    gathered = new ArrayList<>();
    gatheredCells = 0;
    return taken;
  }

  /** Values in these batches. */
  long gatheredCells() {
    return gatheredCells;
  }

  int gatheredBatches() {
    return gathered.size();
  }

  /** Whether it refused when last offered something. */
  boolean hasRefused() {
    return refused;
  }

  boolean isFlushed() {
    return !unflushed;
  }

  boolean isCommand() {
    return command;
  }

  long rows() {
    return rows;
  }

  long bytes() {
    return sink.bytes();
  }

  long watermark() {
    return watermark;
  }
}
