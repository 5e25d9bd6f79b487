package io.sedge.site.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.JobListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Counts payloads that could not be decoded, says a few of them, and hands those on that a table is
 * named for. Any thread; bounded.
 *
 * <p>A complaint is (table, reason). Its first payload is reported at once; repeats are counted and
 * reported together every {@link #REPEAT_INTERVAL}. Of more than {@link #MAX_COMPLAINTS} different
 * ones the others of a table are counted as one.
 */
public final class MalformedLog {
  /** How many different complaints are told apart. */
  static final int MAX_COMPLAINTS = 100;

  /** How many payloads may wait for their table. */
  static final int MAX_WAITING = 1024;

  /** How much of a payload is kept. */
  static final int MAX_PAYLOAD_BYTES = 4096;

  /** How often repeats are reported. */
  static final Duration REPEAT_INTERVAL = Duration.ofSeconds(10);

  private static final int SHOWN_CHARACTERS = 120;

  private final JobListener listener;
  private final Map<String, String> keptIn;
  private final Map<Complaint, Repeats> complaints = new LinkedHashMap<>();
  private final Queue<Rejected> waiting = new ArrayDeque<>();
  private long total;
  private long lost;
  private long lastRepeatNanos = Long.MIN_VALUE;

  /**
   * @param keptIn for each table that names one the table that takes its malformed payloads
   */
  public MalformedLog(JobListener listener, Map<String, String> keptIn) {
    this.listener = listener;
    this.keptIn = Map.copyOf(keptIn);
  }

  /** A payload on its way to the table that keeps it. */
  record Rejected(String keptIn, String origin, String payload, String reason) {}

  private record Complaint(String table, String reason) {}

  private static final class Repeats {
    private long count;
    private long reported;
  }

  /** Takes a payload, as {@link io.sedge.connector.ConnectorContext#malformed} says. */
  public synchronized void add(String table, String origin, byte[] payload, String reason) {
    total++;
    String text =
        new String(payload, 0, Math.min(payload.length, MAX_PAYLOAD_BYTES), StandardCharsets.UTF_8);
    Repeats repeats = repeats(table, reason);
    repeats.count++;
    if (repeats.count == 1) {
      repeats.reported = 1;
      listener.report(
          Severity.WARNING,
          "table %s: malformed payload from %s: %s: %s"
              .formatted(table, origin, reason, shown(text)));
    }
    String target = keptIn.get(table);
    if (target == null) {
      return;
    }
    if (waiting.size() < MAX_WAITING) {
      waiting.add(new Rejected(target, origin, text, reason));
    } else {
      lost++;
    }
  }

  /** How many there were. */
  public synchronized long total() {
    return total;
  }

  /** Whether the sources should not be read until some have been taken. */
  synchronized boolean isNearlyFull() {
    return waiting.size() > MAX_WAITING / 2;
  }

  /** The next payload for a table, or null. */
  synchronized @Nullable Rejected take() {
    return waiting.poll();
  }

  /** Reports what was repeated, if it is time. */
  synchronized void reportRepeats(long nowNanos) {
    if (lastRepeatNanos == Long.MIN_VALUE) {
      lastRepeatNanos = nowNanos;
    }
    if (nowNanos - lastRepeatNanos >= REPEAT_INTERVAL.toNanos()) {
      lastRepeatNanos = nowNanos;
      reportRepeats();
    }
  }

  /** Reports what was repeated since it was last reported. */
  public synchronized void reportRepeats() {
    complaints.forEach(
        (complaint, repeats) -> {
          if (repeats.count > repeats.reported) {
            listener.report(
                Severity.WARNING,
                "table %s: %,d more payloads malformed: %s"
                    .formatted(
                        complaint.table, repeats.count - repeats.reported, complaint.reason));
            repeats.reported = repeats.count;
          }
        });
    if (lost > 0) {
      listener.report(
          Severity.WARNING,
          "%,d malformed payloads were counted but not kept: more than %,d waited for their table"
              .formatted(lost, MAX_WAITING));
      lost = 0;
    }
  }

  private Repeats repeats(String table, String reason) {
    Complaint complaint = new Complaint(table, reason);
    Repeats known = complaints.get(complaint);
    if (known != null) {
      return known;
    }
    if (complaints.size() >= MAX_COMPLAINTS) {
      complaint = new Complaint(table, "various other reasons");
    }
    return complaints.computeIfAbsent(complaint, _ -> new Repeats());
  }

  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "·");
    return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
