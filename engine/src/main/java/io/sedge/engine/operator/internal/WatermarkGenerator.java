package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.state.Stateful;

/** Makes one watermark out of those of rows. It never falls. One thread. */
interface WatermarkGenerator extends Stateful {
  /**
   * Takes the watermarks of a batch's rows. A row's own counts from the row after it on.
   *
   * @param own each row's; null ones change nothing
   * @return the same rows with the watermark in force before each
   */
  Batch mark(Batch batch, LongColumn own);

  /** The watermark in force now; {@link Long#MIN_VALUE} at first. */
  long current();

  /** How many entries {@link #writeChanges} would write now, about. */
  default long changedEntries() {
    return 0;
  }
}
