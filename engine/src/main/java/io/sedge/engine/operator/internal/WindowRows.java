package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.operator.Output;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of fired windows on their way to the output, in batches of {@link Batch#TARGET_ROWS}:
 * keys, aggregates, start, end, time. Remembers how far it came when the output refuses.
 */
final class WindowRows {
  private final int keys;
  private final int aggregates;
  private final List<ColumnBuilder> builders;
  private int rows;
  private int nextSlot;
  private @Nullable Batch refused;

  WindowRows(Schema schema, int keys, int aggregates) {
    if (schema.size() != keys + aggregates + 3) {
      throw new IllegalArgumentException(
          "%d keys, %d aggregates and 3 window columns do not make %s"
              .formatted(keys, aggregates, schema));
    }
    this.keys = keys;
    this.aggregates = aggregates;
    this.builders = schema.types().stream().map(ColumnBuilder::of).toList();
  }

  /**
   * Appends a row per group of a window.
   *
   * @return false if the output refused: call again with the same arguments
   */
  boolean append(Groups groups, Bounds bounds, Output output) {
    while (nextSlot < groups.size()) {
      if (rows == Batch.TARGET_ROWS && !flush(output)) {
        return false;
      }
      int to = Math.min(groups.size(), nextSlot + Batch.TARGET_ROWS - rows);
      appendSlots(groups, nextSlot, to, bounds);
      rows += to - nextSlot;
      nextSlot = to;
    }
    nextSlot = 0;
    return true;
  }

  private void appendSlots(Groups groups, int from, int to, Bounds bounds) {
    for (int key = 0; key < keys; key++) {
      ColumnBuilder builder = builders.get(key);
      for (int slot = from; slot < to; slot++) {
        groups.keys.append(slot, key, builder);
      }
    }
    for (int call = 0; call < aggregates; call++) {
      groups.accumulators.results(from, to, call, builders.get(keys + call));
    }
    long[] times = {bounds.start(), bounds.end(), bounds.time()};
    for (int i = 0; i < times.length; i++) {
      ColumnBuilder builder = builders.get(keys + aggregates + i);
      for (int slot = from; slot < to; slot++) {
        builder.addLong(times[i]);
      }
    }
  }

  /**
   * Appends a row for one group.
   *
   * @return false if the output refused and nothing was appended: call again
   */
  boolean append(
      KeyTable keyTable,
      int keySlot,
      GroupAccumulators accumulators,
      int slot,
      Bounds bounds,
      Output output) {
    if (rows == Batch.TARGET_ROWS && !flush(output)) {
      return false;
    }
    for (int key = 0; key < keys; key++) {
      keyTable.append(keySlot, key, builders.get(key));
    }
    for (int call = 0; call < aggregates; call++) {
      accumulators.results(slot, slot + 1, call, builders.get(keys + call));
    }
    builders.get(keys + aggregates).addLong(bounds.start());
    builders.get(keys + aggregates + 1).addLong(bounds.end());
    builders.get(keys + aggregates + 2).addLong(bounds.time());
    rows++;
    return true;
  }

  /**
   * Offers what has been collected.
   *
   * @return false if the output refused: call again
   */
  boolean flush(Output output) {
    if (refused == null) {
      if (rows == 0) {
        return true;
      }
      List<Column> columns = new ArrayList<>(builders.size());
      for (ColumnBuilder builder : builders) {
        columns.add(builder.build());
      }
      refused = new Batch(rows, columns);
    }
    if (!output.offer(refused)) {
      return false;
    }
    refused = null;
    rows = 0;
    return true;
  }

  /** What the window columns of a row say. */
  record Bounds(long start, long end, long time) {}
}
