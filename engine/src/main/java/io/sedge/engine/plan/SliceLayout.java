package io.sedge.engine.plan;

/**
 * How time is cut into slices, and which windows each slice belongs to. Slices are as long as the
 * step from one window's end to the next; a window is a whole number of slices, so a row is
 * accumulated once, into its slice, however many windows it belongs to. Slices and windows are
 * named by their ends (local microseconds).
 *
 * @param step the length of a slice
 * @param size the length of a window; of the longest, where they grow
 * @param growing whether windows with a common start grow by a step (CUMULATE)
 * @param offset of the ends modulo the step, and of the starts modulo the size where windows grow
 */
public record SliceLayout(long step, long size, boolean growing, long offset) {
  public SliceLayout {
    if (step <= 0 || size % step != 0) {
      throw new IllegalArgumentException(
          "a window of %d us is not a whole number of steps of %d us".formatted(size, step));
    }
  }

  /** Those of windows that have slices: not of sessions. */
  public static SliceLayout of(Window window) {
    return switch (window) {
      case Window.Tumbling(long size, long offset) -> new SliceLayout(size, size, false, offset);
      case Window.Hopping(long size, long slide, long offset) ->
          new SliceLayout(slide, size, false, offset);
      case Window.Cumulating(long maxSize, long step, long offset) ->
          new SliceLayout(step, maxSize, true, offset);
      case Window.Session _ -> throw new IllegalArgumentException("sessions have no slices");
    };
  }

  /** The end of the slice that holds a local time. */
  public long endOfSlice(long time) {
    return time - Math.floorMod(time - offset, step) + step;
  }

  /** The end of the last window that a slice belongs to. */
  public long lastWindow(long slice) {
    return growing ? windowStart(slice) + size : slice - step + size;
  }

  /** The start of a window, which is also the start of its first slice. */
  public long windowStart(long end) {
    return growing ? end - step - Math.floorMod(end - step - offset, size) : end - size;
  }

  /** The number of a slice along time. */
  public long number(long end) {
    return Math.floorDiv(end - offset, step);
  }

  /** The end of the slice with a number. */
  public long end(long number) {
    return number * step + offset;
  }

  /** How many slices a window has. */
  public long slicesPerWindow() {
    return size / step;
  }
}
