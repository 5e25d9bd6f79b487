package io.sedge.engine.operator.internal;

import io.sedge.engine.operator.Output;

/** An input of a node, as those before it see it. */
interface NodeInput extends Output {
  /**
   * Says that the input has nothing to say for a while and holds back no watermark, or that it is
   * back.
   *
   * @return false if what this set off is not all passed on: call again with the same value later
   */
  boolean idle(boolean idle);
}
