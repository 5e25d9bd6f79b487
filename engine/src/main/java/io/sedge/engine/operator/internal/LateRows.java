package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Output;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch that came too late: counted, and sent to their own output if there is one.
 * Remembers what the output refused.
 */
final class LateRows {
  private final @Nullable Output output;
  private long total;
  private int[] rows = new int[16];
  private int count;
  private @Nullable Batch refused;

  LateRows(@Nullable Output output) {
    this.output = output;
  }

  long total() {
    return total;
  }

  void add(int row) {
    total++;
    if (output != null) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, count * 2);
      }
      rows[count++] = row;
    }
  }

  /**
   * Sends on the rows of a batch.
   *
   * @return false if the output refused: call again
   */
  boolean flush(Batch batch) {
    if (output == null || count == 0) {
      return true;
    }
    if (refused == null) {
      refused = batch.gather(rows, count);
    }
    if (!output.offer(refused)) {
      return false;
    }
    refused = null;
    count = 0;
    return true;
  }
}
