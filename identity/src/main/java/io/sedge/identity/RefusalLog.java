package io.sedge.identity;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.task.JobListener;
import io.sedge.task.Printable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Says who was refused and why, each once; repeats are counted and said with the next one that
 * comes a minute later or more. Of addresses the last {@value #MAX_ADDRESSES} are remembered. Any
 * thread.
 */
final class RefusalLog {
  static final int MAX_ADDRESSES = 256;
  static final long QUIET_NANOS = 60_000_000_000L;

  private static final int MAX_REASON = 300;

  private final JobListener listener;
  private final LongSupplier nanoClock;
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long refusals;

  private static final class Entry {
    private long saidNanos;
    private long repeats;
  }

  RefusalLog(JobListener listener, LongSupplier nanoClock) {
    this.listener = listener;
    this.nanoClock = nanoClock;
  }

  /**
   * @param kind what repeats are told by, with the address
   * @param reason may come from outside
   */
  void refused(String address, String kind, String reason) {
    String message = take(address, kind, reason);
    if (!message.isEmpty()) {
      listener.report(Severity.WARNING, message);
    }
  }

  private synchronized String take(String address, String kind, String reason) {
    refusals++;
    long now = nanoClock.getAsLong();
    String key = address + " " + kind;
    Entry entry = entries.get(key);
    if (entry != null && now - entry.saidNanos < QUIET_NANOS) {
      entry.repeats++;
      return "";
    }
    long repeats = entry == null ? 0 : entry.repeats;
    Entry fresh = new Entry();
    fresh.saidNanos = now;
    entries.put(key, fresh);
    if (entries.size() > MAX_ADDRESSES) {
      entries.remove(entries.keySet().iterator().next());
    }
    String text = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + "…";
    return "refused %s: %s%s"
        .formatted(
            address,
            Printable.text(text),
            repeats == 0 ? "" : " (%,d more of that since it was last said)".formatted(repeats));
  }

  /** How many there were. */
  synchronized long refusals() {
    return refusals;
  }
}
