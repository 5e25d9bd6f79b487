package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.LogLine;
import io.sedge.site.Printable;
import io.sedge.site.SiteControl;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a device and its tasks have said lately. Bounded; any thread. */
public final class DeviceLog {
  private final InstantSource clock;
  private final Consumer<LogLine> listener;
  private final Deque<LogLine> lines = new ArrayDeque<>();
  private final Map<Severity, Long> counts = new EnumMap<>(Severity.class);
  private long number;

  /**
   * @param listener hears each line, one at a time; must not wait
   */
  public DeviceLog(InstantSource clock, Consumer<LogLine> listener) {
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * @param task {@code job/shard}; empty for the device itself
   */
  public synchronized void add(Severity severity, String task, String message) {
    counts.merge(severity, 1L, Long::sum);
    LogLine line = new LogLine(++number, clock.millis(), severity, task, Printable.text(message));
    lines.add(line);
    if (lines.size() > SiteControl.MAX_LOG_LINES) {
      lines.removeFirst();
    }
    listener.accept(line);
  }

  /** How often something of that severity was said. */
  public synchronized long count(Severity severity) {
    return counts.getOrDefault(severity, 0L);
  }

  /** As {@link SiteControl#logs}. */
  public synchronized List<LogLine> lines(String job, long after) {
    return lines.stream()
        .filter(line -> line.number() > after)
        .filter(line -> job.isEmpty() || line.task().startsWith(job + "/"))
        .toList();
  }
}
