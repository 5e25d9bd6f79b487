package io.sedge.task.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes malformed payloads from the log to the sinks of the tables that keep them. */
final class MalformedRouter {
  /** The columns of a table for malformed payloads, by position. */
  static final Schema SCHEMA =
      Schema.builder()
          .add("origin", Type.STRING)
          .add("payload", Type.STRING)
          .add("reason", Type.STRING)
          .build();

  private static final int MAX_ROWS = 256;

  private final MalformedLog log;
  private final Map<String, SinkOutput> outputs;
  private @Nullable Batch pending;
  private @Nullable SinkOutput pendingOutput;
  private MalformedLog.@Nullable Rejected next;
  private final Map<String, Long> rows = new HashMap<>();

  /**
   * @param outputs the sinks by the table's name
   */
  MalformedRouter(MalformedLog log, Map<String, SinkOutput> outputs) {
    this.log = log;
    this.outputs = Map.copyOf(outputs);
  }

  /** Gives the sinks what waits; the number of rows they took. */
  int drive() {
    int moved = 0;
    while (fill()) {
      Batch batch = pending;
      SinkOutput output = pendingOutput;
      if (batch == null || output == null || !output.offer(batch)) {
        break;
      }
      moved += batch.rows();
      rows.merge(output.table(), (long) batch.rows(), Long::sum);
      pending = null;
    }
    return moved;
  }

  /** Makes the next batch unless there is one; whether there is one then. */
  private boolean fill() {
    if (pending != null) {
      return true;
    }
    MalformedLog.Rejected first = next == null ? log.take() : next;
    next = null;
    if (first == null) {
      return false;
    }
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    MalformedLog.Rejected row = first;
    while (row != null && row.keptIn().equals(first.keptIn()) && builder.rows() < MAX_ROWS) {
      builder.addRow(row.origin(), row.payload(), row.reason());
      row = log.take();
    }
    next = row;
    pending = builder.build();
    pendingOutput = outputs.get(first.keptIn());
    return true;
  }

  /** Whether a sink refused what it was given. */
  boolean isBlocked() {
    return pending != null;
  }

  /** Whether every payload so far is with its sink. */
  boolean isEmpty() {
    return pending == null && next == null && log.isEmpty();
  }

  /** Rows that a table's sink took. */
  long rows(String table) {
    return rows.getOrDefault(table, 0L);
  }
}
