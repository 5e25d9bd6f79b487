package io.sedge.task.internal;

import io.sedge.connector.Sink;
import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * A sink table of a task. Rows go to the sink as they come; where the commit log keeps contents
 * they are also gathered for the next commit.
 */
public final class SinkOutput implements Output {
  /** How often a sink is driven that has nothing new to write. */
  static final long TICK_NANOS = 1_000_000_000;

  private final String table;
  private final String title;
  private final Sink sink;
  private final boolean command;
  private boolean gather;
  private List<Batch> gathered = new ArrayList<>();
  private long gatheredCells;
  private boolean refused;
  private boolean unflushed;
  private long rows;
  private long watermark = Long.MIN_VALUE;
  private long lastTickNanos = Long.MIN_VALUE;

  /**
   * @param title what messages call it: {@code table kept}, {@code standard output}
   * @param command whether its rows go back to where readings come from
   */
  public SinkOutput(String table, String title, Sink sink, boolean command) {
    this.table = table;
    this.title = title;
    this.sink = sink;
    this.command = command;
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
    refused = !sink.offer(batch);
    if (refused) {
      return false;
    }
    unflushed = true;
    rows += batch.rows();
    if (gather) {
      gathered.add(batch);
      gatheredCells += (long) batch.rows() * batch.columns().size();
    }
    return true;
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
      unflushed &= !sink.flush();
    }
  }

  /** Drives the sink; whether all that it took is durable. */
  boolean flush() {
    if (unflushed && sink.flush()) {
      unflushed = false;
    }
    return !unflushed;
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
