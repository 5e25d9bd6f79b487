package io.sedge.site.internal.device;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.Enrolment;
import io.sedge.identity.LogQuery;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteControl;
import io.sedge.task.Printable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What a device and its tasks have said lately: the one way by which they say anything. Any thread.
 *
 * <p>A message that is said for the first time has a line. Its repeats ({@link MessageKind}) are
 * counted and told in one line after {@link #FIRST_WINDOW}, then after {@link #WINDOW} each, until
 * there are none in a window. Of each severity {@link #BURST} different messages, and one more a
 * second, have lines; what is above that is counted and told once a window.
 *
 * <p>What scripts mark as secret is in no line ({@link Blanking}).
 *
 * <p>Bounds: {@link SiteControl#MAX_LOG_LINES} lines of {@link #MAX_CHARACTERS}, {@link #MAX_KINDS}
 * kinds of messages that are told apart. So whatever happens, a device writes some hundred lines a
 * minute at most.
 */
public final class DeviceLog implements Enrolment.Log, AutoCloseable {
  /** How soon repeats are first told: a device that comes and goes is not hidden for long. */
  static final Duration FIRST_WINDOW = Duration.ofSeconds(10);

  /** How often they are told then. */
  static final Duration WINDOW = Duration.ofMinutes(1);

  static final int BURST = 100;
  static final int MAX_KINDS = 256;
  static final int MAX_CHARACTERS = 2_000;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** Tells the lines of this process from those of the device's next one, which begin at 1 too. */
  private final String own = UUID.randomUUID() + ":";

  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final Consumer<LogLine> listener;
  private final Deque<LogLine> lines = new ArrayDeque<>();
  private final Map<Severity, Long> counts = new EnumMap<>(Severity.class);
  private final Map<Severity, Allowance> allowances = new EnumMap<>(Severity.class);
  private final Map<MessageKind, Repeats> kinds = new LinkedHashMap<>();

  /** What each task has complained of since it last said something good. */
  private final Map<String, String> complaints = new LinkedHashMap<>();

  private final DeviceLeftOut ofTasks = new DeviceLeftOut();

  private volatile Function<String, List<ModelDrift>> drifts = _ -> List.of();

  private Blanking blanking = new Blanking(List.of());
  private long number;
  private long leftOut;
  private long leftOutSinceNanos;

  /** A message that may be repeated. */
  private static final class Repeats {
    final long firstNumber;
    Duration window = FIRST_WINDOW;
    long sinceNanos;
    long count;
    String last = "";

    /** Whether those are told by a line of their own, and not beside the first. */
    boolean told;

    Repeats(long firstNumber, long sinceNanos) {
      this.firstNumber = firstNumber;
      this.sinceNanos = sinceNanos;
    }
  }

  /** How many lines there may be now. */
  private static final class Allowance {
    private double left = BURST;
    private long atNanos;

    Allowance(long nowNanos) {
      atNanos = nowNanos;
    }

    boolean take(long nowNanos) {
      left = Math.min(BURST, left + (double) (nowNanos - atNanos) / SECOND_NANOS);
      atNanos = nowNanos;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }

  /**
   * @param listener hears each line, one at a time; must not wait
   */
  public DeviceLog(InstantSource clock, Consumer<LogLine> listener) {
    this(clock, System::nanoTime, listener);
  }

  DeviceLog(InstantSource clock, LongSupplier nanoClock, Consumer<LogLine> listener) {
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.listener = listener;
    for (Severity severity : Severity.values()) {
      allowances.put(severity, new Allowance(nanoClock.getAsLong()));
    }
  }

  /**
   * Takes secrets out of what is said from now on.
   *
   * @param scripts all that may have some
   */
  synchronized void hideSecretsOf(Collection<String> scripts) {
    blanking = new Blanking(scripts);
  }

  /** A text without secrets, for where else it is said. */
  synchronized String blank(String text) {
    return blanking.blank(text);
  }

  /**
   * @param task {@code job/shard}; empty for the device itself
   */
  public synchronized void add(Severity severity, String task, String message) {
    counts.merge(severity, 1L, Long::sum);
    long now = nanoClock.getAsLong();
    tell(now);
    String text = Printable.text(cut(message));
    complain(severity, task, text);
    MessageKind kind = MessageKind.of(severity, task, text);
    Repeats repeats = kinds.get(kind);
    if (repeats != null) {
      repeats.count++;
      repeats.last = text;
    } else if (requireNonNull(allowances.get(severity)).take(now)) {
      show(severity, task, text, 0, 0);
      kinds.put(kind, new Repeats(number, now));
      forgetTheOldest();
    } else {
      leftOutSinceNanos = leftOut == 0 ? now : leftOutSinceNanos;
      leftOut++;
    }
  }

  private void complain(Severity severity, String task, String text) {
    complaints.remove(task);
    if (severity != Severity.INFO && !task.isEmpty()) {
      complaints.put(task, text);
      if (complaints.size() > MAX_KINDS) {
        complaints.remove(complaints.keySet().iterator().next());
      }
    }
  }

  /** What a task has complained of last, unless it has said something good since; else empty. */
  synchronized String complaint(String task) {
    return blanking.blank(complaints.getOrDefault(task, ""));
  }

  private static String cut(String message) {
    return message.length() <= MAX_CHARACTERS
        ? message
        : message.substring(0, MAX_CHARACTERS) + "…";
  }

  private void show(Severity severity, String task, String text, long repeats, long seconds) {
    String safe = blanking.blank(text);
    LogLine line = new LogLine(++number, clock.millis(), severity, task, safe, repeats, seconds);
    lines.add(line);
    if (lines.size() > SiteControl.MAX_LOG_LINES) {
      lines.removeFirst();
    }
    listener.accept(line);
  }

  private void forgetTheOldest() {
    if (kinds.size() > MAX_KINDS) {
      Iterator<Map.Entry<MessageKind, Repeats>> oldest = kinds.entrySet().iterator();
      Map.Entry<MessageKind, Repeats> first = oldest.next();
      oldest.remove();
      tell(first.getKey(), first.getValue(), nanoClock.getAsLong());
    }
  }

  /** Tells what was repeated, where it is time; to be called now and then. */
  public synchronized void tell() {
    tell(nanoClock.getAsLong());
  }

  private void tell(long now) {
    kinds
        .entrySet()
        .removeIf(
            entry -> {
              Repeats repeats = entry.getValue();
              if (now - repeats.sinceNanos < repeats.window.toNanos()) {
                return false;
              }
              boolean over = repeats.count == 0;
              tell(entry.getKey(), repeats, now);
              return over;
            });
    if (leftOut > 0 && now - leftOutSinceNanos >= WINDOW.toNanos()) {
      tellLeftOut();
    }
  }

  private void tell(MessageKind kind, Repeats repeats, long now) {
    if (repeats.count > 0) {
      long seconds = Math.max(1, (now - repeats.sinceNanos) / SECOND_NANOS);
      show(kind.severity(), kind.task(), repeats.last, repeats.count, seconds);
    }
    repeats.count = 0;
    repeats.told = true;
    repeats.sinceNanos = now;
    repeats.window = WINDOW;
  }

  private void tellLeftOut() {
    String text =
        "%,d more messages were left out: too many different ones at a time".formatted(leftOut);
    leftOut = 0;
    show(Severity.WARNING, "", text, 0, 0);
  }

  /** How often something of that severity was said. */
  public synchronized long count(Severity severity) {
    return counts.getOrDefault(severity, 0L);
  }

  /** As {@link SiteControl#logs}. */
  public synchronized List<LogLine> lines(String job, long after) {
    tell(nanoClock.getAsLong());
    Map<Long, Long> pending = new HashMap<>();
    kinds.values().stream()
        .filter(repeats -> !repeats.told)
        .forEach(repeats -> pending.put(repeats.firstNumber, repeats.count));
    List<LogLine> shown = new ArrayList<>();
    for (LogLine line : lines) {
      if (line.number() > after && (job.isEmpty() || line.task().startsWith(job + "/"))) {
        long repeats = pending.getOrDefault(line.number(), line.repeats());
        shown.add(
            new LogLine(
                line.number(),
                line.atMillis(),
                line.severity(),
                line.task(),
                line.message(),
                repeats,
                line.seconds()));
      }
    }
    return shown;
  }

  /**
   * As {@link SiteControl#siteLogs}, of this device. The mark of another process means all; a page
   * has {@link LogPage#MAX_CHARACTERS} at most, but for a single line that is longer.
   */
  @Override
  public synchronized LogPage page(LogQuery query) {
    List<LogLine> all = lines(query.job(), after(query.mark()));
    int left = Math.min(query.characters(), LogPage.MAX_CHARACTERS);
    if (query.latest()) {
      return new LogPage(latest(all, left), own + number, false);
    }
    int count = 0;
    while (count < all.size() && (count == 0 || left >= length(all.get(count)))) {
      left -= length(all.get(count));
      count++;
    }
    boolean more = count < all.size();
    long last = more ? all.get(count - 1).number() : number;
    return new LogPage(all.subList(0, count), own + last, more);
  }

  /** As {@link SiteControl#leftOut}, of this device, and without secrets. */
  @Override
  public LeftOutPage leftOut(String job) {
    LeftOutPage page = LeftOutPage.of(ofTasks.sum(job));
    return new LeftOutPage(
        page.reasons().stream().map(out -> out.with(this::blank)).toList(), page.others());
  }

  @Override
  public List<ModelDrift> drifts(String job) {
    return drifts.apply(job);
  }

  /** Has somebody else say what is known of a job's models. */
  void askForDrifts(Function<String, List<ModelDrift>> known) {
    drifts = known;
  }

  /** What is left out by the tasks whose words this log has. */
  DeviceLeftOut ofTasks() {
    return ofTasks;
  }

  private static List<LogLine> latest(List<LogLine> all, int characters) {
    int begin = all.size();
    int left = characters;
    while (begin > 0 && (begin == all.size() || left >= length(all.get(begin - 1)))) {
      begin--;
      left -= length(all.get(begin));
    }
    return all.subList(begin, all.size());
  }

  private long after(String mark) {
    try {
      return mark.startsWith(own) ? Long.parseLong(mark.substring(own.length())) : 0;
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private static int length(LogLine line) {
    return LogPage.LINE_CHARACTERS + line.task().length() + line.message().length();
  }

  /** Tells all that was repeated. */
  @Override
  public synchronized void close() {
    long now = nanoClock.getAsLong();
    kinds.forEach((kind, repeats) -> tell(kind, repeats, now));
    kinds.clear();
    if (leftOut > 0) {
      tellLeftOut();
    }
  }
}
