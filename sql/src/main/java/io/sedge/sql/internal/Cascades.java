package io.sedge.sql.internal;

import io.sedge.engine.plan.Window;

/** Windows over the results of windows. */
final class Cascades {
  private Cascades() {}

  /** Tumbling windows each of which takes in the ends of exactly one window of every size. */
  static Window slide(WindowCall call) {
    return switch (call.window()) {
      case Window.Tumbling(long size, long offset) -> new Window.Tumbling(size, offset);
      case Window.Hopping(long size, long slide, long offset) ->
          new Window.Tumbling(slide, Math.floorMod(offset, slide));
      case Window.Cumulating(long size, long step, long offset) ->
          new Window.Tumbling(step, Math.floorMod(offset, step));
      case Window.Session session ->
          throw new UnsupportedException(
              "grouping by the bounds of a session once more is not supported",
              "all aggregates in the query that groups by the session",
              call.position());
    };
  }
}
