package io.sedge.center.internal.api;

import io.sedge.center.api.Failure;
import io.sedge.center.store.RowReceiver;

/** Writes what a query returns. One thread. */
interface ResultWriter extends RowReceiver {
  /**
   * All was written.
   *
   * @param complete whether that is all that there is
   */
  void end(boolean complete);

  /** It failed after the answer had begun. */
  void fail(Failure failure);
}
