package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The output of a node: passes everything on to each of its consumers. Where some refuse, it
 * remembers who has taken it already, so that a repeated call reaches only the others.
 */
final class FanOut implements NodeInput {
  private NodeInput[] targets = {};
  private boolean[] taken = {};
  private @Nullable Batch pending;
  private long rows;

  void add(NodeInput target) {
    targets = Arrays.copyOf(targets, targets.length + 1);
    targets[targets.length - 1] = target;
    taken = new boolean[targets.length];
  }

  /** The rows that all consumers have taken. */
  long rows() {
    return rows;
  }

  @Override
  public boolean offer(Batch batch) {
    if (pending != null && pending != batch) {
      throw new IllegalStateException(
          "a batch of %d rows was offered before the refused one of %d rows was taken"
              .formatted(batch.rows(), pending.rows()));
    }
    boolean all = true;
    for (int i = 0; i < targets.length; i++) {
      taken[i] = taken[i] || targets[i].offer(batch);
      all &= taken[i];
    }
    pending = all ? null : batch;
    if (all) {
      rows += batch.rows();
    }
    return settled(all);
  }

  @Override
  public boolean advance(long watermark) {
    boolean all = true;
    for (int i = 0; i < targets.length; i++) {
      taken[i] = taken[i] || targets[i].advance(watermark);
      all &= taken[i];
    }
    return settled(all);
  }

  @Override
  public boolean idle(boolean idle) {
    boolean all = true;
    for (int i = 0; i < targets.length; i++) {
      taken[i] = taken[i] || targets[i].idle(idle);
      all &= taken[i];
    }
    return settled(all);
  }

  private boolean settled(boolean all) {
    if (all) {
      Arrays.fill(taken, false);
    }
    return all;
  }
}
