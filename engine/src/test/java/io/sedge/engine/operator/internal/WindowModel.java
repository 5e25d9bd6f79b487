package io.sedge.engine.operator.internal;

import io.sedge.engine.plan.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Windows by their definition: every row is looked at for every window. Times are UTC. */
final class WindowModel {
  /** A row, and the watermark in force before it. */
  record Reading(long time, @Nullable String key, @Nullable Double value, long watermark) {}

  /** A window of a key and its rows in the order in which they came. */
  record Content(@Nullable String key, long start, long end, List<Reading> readings) {}

  private final Window window;
  private final List<Content> contents = new ArrayList<>();
  private long late;

  WindowModel(Window window, List<Reading> readings) {
    this.window = window;
    for (Reading reading : readings) {
      if (window instanceof Window.Session(long gap)) {
        addToSession(reading, gap);
      } else {
        addToWindows(reading);
      }
    }
    contents.sort(Comparator.comparingLong(Content::end));
  }

  List<Content> contents() {
    return contents;
  }

  long late() {
    return late;
  }

  private static boolean isOver(long end, long watermark) {
    return watermark >= end - 1000;
  }

  private void addToWindows(Reading reading) {
    boolean counted = false;
    for (long[] bounds : windowsOf(reading.time())) {
      if (!isOver(bounds[1], reading.watermark())) {
        counted = true;
        content(reading.key(), bounds[0], bounds[1]).readings().add(reading);
      }
    }
    late += counted ? 0 : 1;
  }

  private List<long[]> windowsOf(long time) {
    List<long[]> windows = new ArrayList<>();
    switch (window) {
      case Window.Tumbling(long size, long offset) -> {
        long start = Math.floorDiv(time - offset, size) * size + offset;
        windows.add(new long[] {start, start + size});
      }
      case Window.Hopping(long size, long slide, long offset) -> {
        long first = Math.floorDiv(time - offset, slide) * slide + offset;
        for (long start = first; start > time - size; start -= slide) {
          windows.add(new long[] {start, start + size});
        }
      }
      case Window.Cumulating(long maxSize, long step, long offset) -> {
        long start = Math.floorDiv(time - offset, maxSize) * maxSize + offset;
        for (long end = start + step; end <= start + maxSize; end += step) {
          if (end > time) {
            windows.add(new long[] {start, end});
          }
        }
      }
      case Window.Session _ -> throw new IllegalStateException("sessions depend on other rows");
    }
    return windows;
  }

  private Content content(@Nullable String key, long start, long end) {
    for (Content content : contents) {
      if (Objects.equals(content.key(), key) && content.start() == start && content.end() == end) {
        return content;
      }
    }
    Content made = new Content(key, start, end, new ArrayList<>());
    contents.add(made);
    return made;
  }

  private void addToSession(Reading reading, long gap) {
    long start = reading.time();
    long end = reading.time() + gap;
    List<Content> near = new ArrayList<>();
    for (Content content : contents) {
      if (Objects.equals(content.key(), reading.key())
          && !isOver(content.end(), reading.watermark())
          && content.start() <= end
          && start <= content.end()) {
        near.add(content);
      }
    }
    for (Content content : near) {
      start = Math.min(start, content.start());
      end = Math.max(end, content.end());
    }
    if (isOver(end, reading.watermark())) {
      late++;
      return;
    }
    near.sort(Comparator.comparingLong(Content::start));
    List<Reading> readings = new ArrayList<>();
    near.forEach(content -> readings.addAll(content.readings()));
    readings.add(reading);
    contents.removeAll(near);
    contents.add(new Content(reading.key(), start, end, readings));
  }
}
