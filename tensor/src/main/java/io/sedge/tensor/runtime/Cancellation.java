package io.sedge.tensor.runtime;

import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TFE_CancellationManager;
import org.tensorflow.internal.c_api.global.tensorflow;

/** What cancels one operation: before it, which then is not begun, during it, or in vain after. */
final class Cancellation {
  private @Nullable TFE_CancellationManager manager;
  private boolean cancelled;

  /**
   * Called once, when the operation begins.
   *
   * @throws TensorFlowStatusException with code CANCELLED if it was cancelled before
   */
  synchronized TFE_CancellationManager begin() {
    if (cancelled) {
      throw new TensorFlowStatusException(StatusCode.CANCELLED, "Cancelled before it began");
    }
    TFE_CancellationManager made = tensorflow.TFE_NewCancellationManager();
    manager = made;
    return made;
  }

  synchronized void cancel() {
    if (manager != null && !cancelled) {
      tensorflow.TFE_CancellationManagerStartCancel(manager);
    }
    cancelled = true;
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Called once the operation has ended. */
  synchronized void end() {
    if (manager != null) {
      tensorflow.TFE_DeleteCancellationManager(manager);
      manager = null;
    }
  }
}
