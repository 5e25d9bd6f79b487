package io.sedge.task.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.format.RowText;
import io.sedge.engine.expression.Expression.Place;
import io.sedge.engine.operator.FailedRows.FailedRow;
import io.sedge.sql.Job;
import io.sedge.task.JobListener;
import io.sedge.task.LeftOut;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts payloads that could not be decoded, rows that an expression failed for or whose time is of
 * no use, and rows that could not be written; says a few of them, and hands those on that a table
 * is named for. Any thread; bounded.
 *
 * <p>A complaint is (what, table, kind of reason): reasons that differ only in numbers and in what
 * is quoted are of one kind. Its first one is reported at once; repeats are counted and reported
 * together, with the first reason as an example, every {@link #REPEAT_INTERVAL}. Of more than
 * {@link #MAX_COMPLAINTS} different ones the others of a table are counted as one.
 *
 * <p>Of the first one secrets are blanked before it is cut to what is shown, and before the numbers
 * are taken out of its kind: half of a secret is not known again. Of repeats nothing is kept, so
 * they cost no search for secrets.
 *
 * <p>What waits for its table is bounded by {@link #MAX_WAITING_BYTES}. Sources are not polled
 * while more than {@link #ENOUGH_BYTES} wait, and a poll that is under way is asked to end ({@link
 * ConnectorContext#takesMalformed}); so what one poll still adds has room, and nothing is lost.
 */
public final class MalformedLog {
  /** How many different complaints are told apart. */
  static final int MAX_COMPLAINTS = 100;

  /** How many sensors of a table whose clocks are wrong are told apart. */
  static final int MAX_SENSORS = 20;

  /** How much may wait for its table, in bytes of payloads and what is kept with each. */
  static final int MAX_WAITING_BYTES = 16 << 20;

  /** Above this no more is read. */
  static final int ENOUGH_BYTES = 1 << 20;

  /** What a payload takes besides its text: its place in the queue, and its origin and reason. */
  private static final int OVERHEAD_BYTES = 200;

  /** How much of a payload is kept. */
  static final int MAX_PAYLOAD_BYTES = 4096;

  /** How often repeats are reported. */
  static final Duration REPEAT_INTERVAL = Duration.ofSeconds(10);

  /** How much of a row is kept: a batch of which every row fails must have room. */
  private static final int MAX_ROW_CHARACTERS = 1_000;

  private static final int SHOWN_CHARACTERS = 120;

  /** Of the first of each complaint, as it is shown. */
  private static final int MAX_LEFT_OUT_CHARACTERS = 400;

  /** The kind of all that are too many to be told apart. */
  private static final String VARIOUS = "";

  private final JobListener listener;
  private final Map<String, String> keptIn;
  private final Map<Complaint, Repeats> complaints = new LinkedHashMap<>();
  private final Queue<Rejected> waiting = new ArrayDeque<>();
  private final Map<String, Long> failedRows = new HashMap<>();
  private final Map<String, Long> unwritten = new HashMap<>();
  private final Map<String, Set<String>> sensors = new HashMap<>();
  private long total;
  private int waitingBytes;
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
  record Rejected(String keptIn, String origin, String payload, String reason) {
    int bytes() {
      return payload.length() + OVERHEAD_BYTES;
    }
  }

  /**
   * @param kind as the reason has it, secrets and all: it leaves this log nowhere
   */
  private record Complaint(LeftOut.What what, String table, String kind) {}

  /** What the first of a complaint says, worked out where it is wanted; without secrets. */
  private record First(Supplier<String> kind, Supplier<String> reason, Supplier<String> values) {
    First various() {
      return new First(() -> VARIOUS, () -> "various other reasons", values);
    }
  }

  private static final class Repeats {
    private final String kind;
    private final String example;
    private final String sample;
    private long count;
    private long reported;

    Repeats(First first) {
      this.kind = first.kind.get();
      this.example = first.reason.get();
      this.sample = cut(first.values.get());
    }
  }

  /** Takes a payload, as {@link io.sedge.connector.ConnectorContext#malformed} says. */
  public synchronized void add(String table, String origin, byte[] payload, String reason) {
    total++;
    First first = first(payload, reason);
    if (isFirst(new Complaint(LeftOut.What.PAYLOAD, table, kind(reason)), first)) {
      report("table %s: %s from %s".formatted(table, LeftOut.What.PAYLOAD.one(), origin), first);
    }
    String target = keptIn.get(table);
    if (target != null) {
      keep(new Rejected(target, origin, text(payload), reason));
    }
  }

  private First first(byte[] payload, String reason) {
    return new First(() -> kind(safe(reason)), () -> safe(reason), () -> safe(text(payload)));
  }

  private String safe(String text) {
    return listener.withoutSecrets(text);
  }

  private void report(String what, First first) {
    listener.report(
        Severity.WARNING,
        "%s: %s: %s".formatted(what, first.reason.get(), shown(first.values.get())));
  }

  private static String cut(String text) {
    return text.length() <= MAX_LEFT_OUT_CHARACTERS
        ? text
        : text.substring(0, MAX_LEFT_OUT_CHARACTERS) + "…";
  }

  private static String text(byte[] payload) {
    return new String(
        payload, 0, Math.min(payload.length, MAX_PAYLOAD_BYTES), StandardCharsets.UTF_8);
  }

  /** Takes a row, as {@link ConnectorContext#unwritten} says. */
  synchronized void addUnwritten(String table, String origin, byte[] payload, String reason) {
    total++;
    unwritten.merge(table, 1L, Long::sum);
    First first = first(payload, reason);
    if (isFirst(new Complaint(LeftOut.What.UNWRITTEN, table, kind(reason)), first)) {
      report("table %s: %s (%s)".formatted(table, LeftOut.What.UNWRITTEN.one(), origin), first);
    }
  }

  /**
   * Takes a row that an expression has failed for and that is left out. It goes to the table of the
   * first of its sources that names one.
   */
  synchronized void addRow(FailedRow row) {
    count(row);
    tell(LeftOut.What.ROW, row, () -> reason(row));
  }

  /**
   * Takes a row without an event time, as {@link #addRow}; it is counted where it is dropped.
   *
   * @param hint what its time was made of, and what to do
   */
  synchronized void addTimeless(FailedRow row, Supplier<String> hint) {
    tell(LeftOut.What.TIMELESS, row, () -> reason(row) + ": " + hint.get());
  }

  /**
   * Takes a reading whose event time is too far ahead of the clock, as {@link #addRow}. Each sensor
   * is told apart, because each has a clock of its own: the first text of a row names it as a rule.
   * All readings may be such, so the reason is worked out only where it is said.
   */
  synchronized void addEarly(FailedRow row) {
    count(row);
    String sensor = firstText(row, UnaryOperator.identity());
    boolean apart = isToldApart(tables(row), sensor);
    First first =
        new First(
            () -> earlyKind(row, apart, firstText(row, this::safe)),
            () -> safe(earlyReason(row, firstText(row, this::safe))),
            () -> safe(values(row)));
    tell(
        new Complaint(LeftOut.What.EARLY, tables(row), earlyKind(row, apart, sensor)),
        row,
        first,
        () -> earlyReason(row, sensor));
  }

  private static String earlyReason(FailedRow row, String sensor) {
    return reason(row)
        + "; put the clock of %s right, or allow more with '%s'"
            .formatted(sensor.isEmpty() ? "its sensor" : sensor, Job.MAX_AHEAD);
  }

  private static String earlyKind(FailedRow row, boolean apart, String sensor) {
    return row.failure().place() + " of " + (apart ? sensor : "others");
  }

  /** Not if too many sensors of its table have been told apart already. */
  private boolean isToldApart(String tables, String sensor) {
    Set<String> names = sensors.computeIfAbsent(tables, _ -> new HashSet<>());
    return names.contains(sensor) || (names.size() < MAX_SENSORS && names.add(sensor));
  }

  /**
   * @param words what is shown of it
   */
  private static String firstText(FailedRow row, UnaryOperator<String> words) {
    for (int i = 0; i < row.schema().size(); i++) {
      if (row.batch().column(i).value(row.row()) instanceof String text) {
        return row.schema().name(i) + " '" + shown(words.apply(text)) + "'";
      }
    }
    return "";
  }

  private void count(FailedRow row) {
    total++;
    row.tables().stream().limit(1).forEach(table -> failedRows.merge(table, 1L, Long::sum));
  }

  private void tell(LeftOut.What what, FailedRow row, Supplier<String> why) {
    String message = String.valueOf(row.failure().getMessage());
    First first =
        new First(() -> kindOf(row, safe(message)), () -> safe(why.get()), () -> safe(values(row)));
    tell(new Complaint(what, tables(row), kindOf(row, message)), row, first, why);
  }

  private static String kindOf(FailedRow row, String message) {
    return row.failure().place() + kind(message);
  }

  private void tell(Complaint complaint, FailedRow row, First first, Supplier<String> why) {
    if (isFirst(complaint, first)) {
      report("table %s: %s".formatted(complaint.table, complaint.what.one()), first);
    }
    row.tables().stream()
        .filter(keptIn::containsKey)
        .map(keptIn::get)
        .findFirst()
        .ifPresent(
            table -> keep(new Rejected(table, "table " + complaint.table, values(row), why.get())));
  }

  /** The tables that a row comes from, in words. */
  static String tables(FailedRow row) {
    return row.tables().isEmpty() ? "of constants" : String.join(", ", row.tables());
  }

  /** Why an expression has failed for a row, after where it was written. */
  static String reason(FailedRow row) {
    Place place = row.failure().place();
    return (place == null ? "" : place + ": ") + row.failure().getMessage();
  }

  static String values(FailedRow row) {
    return RowText.of(row.schema(), row.batch(), row.row(), MAX_ROW_CHARACTERS);
  }

  /** Counts a complaint; whether it is to be reported at once. */
  private boolean isFirst(Complaint complaint, First first) {
    Repeats repeats = repeats(complaint, first);
    repeats.count++;
    if (repeats.count == 1) {
      repeats.reported = 1;
    }
    return repeats.count == 1;
  }

  private void keep(Rejected rejected) {
    if (waitingBytes + rejected.bytes() <= MAX_WAITING_BYTES) {
      waiting.add(rejected);
      waitingBytes += rejected.bytes();
    } else {
      lost++;
    }
  }

  /** How many payloads and rows there were. */
  public synchronized long total() {
    return total;
  }

  /** How many rows were left out whose first or only source is a table. */
  synchronized long failedRows(String table) {
    return failedRows.getOrDefault(table, 0L);
  }

  /** How many rows of a table were not written. */
  synchronized long unwritten(String table) {
    return unwritten.getOrDefault(table, 0L);
  }

  /** Begins anew: what was said and counted is forgotten, what waits for its table still waits. */
  synchronized void forget() {
    complaints.clear();
    sensors.clear();
    failedRows.clear();
    unwritten.clear();
    total = 0;
    lost = 0;
  }

  /** What was said first of a table's payloads, or of rows of which it is the first source. */
  synchronized String example(String table) {
    return complaints.entrySet().stream()
        .filter(entry -> (entry.getKey().table + ",").startsWith(table + ","))
        .map(entry -> shown(entry.getValue().example))
        .findFirst()
        .orElse("");
  }

  /** What was said first of all. */
  public synchronized String firstExample() {
    return complaints.entrySet().stream()
        .map(
            entry ->
                "table %s: %s".formatted(entry.getKey().table, shown(entry.getValue().example)))
        .findFirst()
        .orElse("");
  }

  /** All that was left out, by its reasons, those that came first first. */
  public synchronized List<LeftOut> leftOut() {
    return complaints.entrySet().stream()
        .map(
            entry ->
                new LeftOut(
                    entry.getKey().table,
                    entry.getKey().what,
                    entry.getValue().kind,
                    cut(entry.getValue().example),
                    entry.getValue().sample,
                    entry.getValue().count))
        .toList();
  }

  /** Whether more may be read before some have been taken. */
  synchronized boolean hasRoom() {
    return waitingBytes <= ENOUGH_BYTES;
  }

  /** Whether none waits for its table. */
  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The next payload for a table, or null. */
  synchronized @Nullable Rejected take() {
    Rejected taken = waiting.poll();
    waitingBytes -= taken == null ? 0 : taken.bytes();
    return taken;
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
                "table %s: %,d more %s, such as: %s"
                    .formatted(
                        complaint.table,
                        repeats.count - repeats.reported,
                        complaint.what.many(),
                        repeats.example));
            repeats.reported = repeats.count;
          }
        });
    if (lost > 0) {
      listener.report(
          Severity.WARNING,
          "%,d malformed payloads and rows were counted but not kept: more than %,d bytes of them waited for their table"
              .formatted(lost, MAX_WAITING_BYTES));
      lost = 0;
    }
  }

  private Repeats repeats(Complaint complaint, First first) {
    Repeats known = complaints.get(complaint);
    if (known != null) {
      return known;
    }
    if (complaints.size() < MAX_COMPLAINTS) {
      return complaints.computeIfAbsent(complaint, _ -> new Repeats(first));
    }
    return complaints.computeIfAbsent(
        new Complaint(complaint.what, complaint.table, VARIOUS), _ -> new Repeats(first.various()));
  }

  /** A reason without its numbers and without what stands in quotes, cut to what is shown. */
  static String kind(String reason) {
    StringBuilder kind = new StringBuilder();
    for (int i = 0; i < reason.length() && kind.length() < SHOWN_CHARACTERS; i++) {
      char c = reason.charAt(i);
      int close = c == '\'' || c == '"' || c == '`' ? reason.indexOf(c, i + 1) : -1;
      if (close > 0) {
        kind.append('…');
        i = close;
      } else if (!Character.isDigit(c)) {
        kind.append(c);
      } else if (kind.isEmpty() || kind.charAt(kind.length() - 1) != '#') {
        kind.append('#');
      }
    }
    return kind.toString();
  }

  private static String shown(String text) {
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
