package io.sedge.connector.alarm.internal;

import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmReport;
import io.sedge.alarm.AlarmState;
import io.sedge.alarm.AlarmStore;
import io.sedge.alarm.AlarmTable;
import io.sedge.alarm.Alarms;
import io.sedge.alarm.NoticeMark;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Reports;
import io.sedge.connector.Sink;
import io.sedge.connector.Tenfold;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Gives the store what rows and time make of alarms, in steps of {@value AlarmBatch#MAX_REPORTS}
 * reports, one on its way at a time. The store keeps with each step the row that it has come to, so
 * rows that are offered again after a death are passed over.
 */
final class AlarmSink implements Sink {
  /** Steps that may wait; a batch that has begun goes over it. */
  private static final int MAX_WAITING = 1_024;

  /** How often time is looked at. */
  private static final long TICK_MILLIS = 200;

  /** How often keys that found no room in the store may ask again. */
  private static final long RETRY_MILLIS = 10_000;

  /** Changes that are said one by one; more at once are counted. */
  private static final int MAX_SAID = 5;

  private final AlarmOptions options;
  private final AlarmStore store;
  private final ConnectorContext context;
  private final RowReader rows;
  private final Detector detector;
  private final Reports reports;
  private final List<Notices> notices;

  /** Ways that are switched off, until the store knows. */
  private final Map<String, NoticeMark> off = new HashMap<>();

  private final Tenfold missing = new Tenfold();
  private final Tenfold unkept = new Tenfold();
  private final Tenfold unwatched = new Tenfold();
  private final Deque<Step> waiting = new ArrayDeque<>();
  private @Nullable CompletableFuture<Boolean> underWay;

  /** What of {@link #waiting} is under way. */
  private int sent;

  private long sentPosition;

  private Map<String, NoticeMark> sentMarks = Map.of();

  /** Rows up to here are in the store already, amid a batch. */
  private final long applied;

  /** The last row of the last batch that was taken. */
  private long taken;

  private long durable;
  private long bytes;
  private long tickedAtMillis;

  /** The last row that was there when time was looked at. */
  private long seenRow;

  private long seenAtMillis;
  private long retriedAtMillis;

  /** When there was no room for the table; it tells nobody either until it has asked again. */
  private long unkeptAtMillis;

  private long refused;
  private long said;

  /**
   * A report with the row that it came of.
   *
   * @param row its sequence
   * @param floor the last row of the batch before
   */
  private record Step(AlarmReport report, long row, long floor) {}

  AlarmSink(AlarmOptions options, AlarmStore store, Delivery delivery, ConnectorContext context) {
    this.options = options;
    this.store = store;
    this.context = context;
    this.rows = new RowReader(options);
    this.detector = new Detector(options);
    this.reports = new Reports(options.table(), context);
    String series =
        delivery
            .writer()
            .map(Delivery.Writer::name)
            .orElseGet(() -> "run-" + UUID.randomUUID() + "/" + options.table());
    long now = context.clock().millis();
    this.notices = new ArrayList<>();
    this.applied =
        store.read(
            options.table(),
            table -> {
              detector.resume(table.alarms(), now);
              taken = Math.max(table.position(), delivery.recoveryPoint());
              refused = table.refused();
              said = table.lastChange();
              options
                  .notices()
                  .open()
                  .forEach(
                      (way, sender) ->
                          notices.add(new Notices(way, series, table, options, sender, context)));
              table.ways().stream()
                  .filter(way -> notices.stream().noneMatch(open -> open.name().equals(way)))
                  .filter(way -> !table.mark(way).equals(Optional.of(NoticeMark.OFF)))
                  .forEach(way -> off.put(way, NoticeMark.OFF));
              return table.applied();
            });
    this.durable = taken;
    this.tickedAtMillis = now - TICK_MILLIS;
    this.retriedAtMillis = now;
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    drive();
    if (waiting.size() >= MAX_WAITING) {
      return false;
    }
    long now = context.clock().millis();
    for (int row = 0; row < numbered.batch().rows(); row++) {
      long sequence = numbered.first() + row;
      if (sequence > applied) {
        Optional<Detector.Row> read = rows.row(numbered.batch(), row, now);
        if (read.isPresent()) {
          take(read.get(), sequence, now);
        }
      }
    }
    taken = Math.max(taken, numbered.last());
    drive();
    return true;
  }

  private void take(Detector.Row row, long sequence, long now) {
    if (!detector.hasRoom(row.key())) {
      if (unwatched.add(1)) {
        reports.warn(
            "%,d rows were not looked at: %,d keys are in alarm or wait to be, which is the most there may be"
                .formatted(unwatched.count(), Detector.MAX_KEYS));
      }
      return;
    }
    detector.row(row, now).ifPresent(report -> add(report, sequence));
  }

  private void add(AlarmReport report, long sequence) {
    waiting.add(new Step(report, sequence, taken));
    bytes += report.key().length() + report.message().length() + Long.BYTES;
  }

  @Override
  public long flush() {
    tick();
    drive();
    return durable;
  }

  private void tick() {
    long now = context.clock().millis();
    if (Math.abs(now - tickedAtMillis) < TICK_MILLIS || waiting.size() >= MAX_WAITING) {
      return;
    }
    tickedAtMillis = now;
    endDelays(now);
    store.read(
        options.table(),
        table -> {
          unshelve(table, now);
          askAgain(table, now);
          return say(table);
        });
  }

  /** Time tells nothing against rows that wait to be taken: they may say otherwise. */
  private void endDelays(long now) {
    if (taken < seenRow) {
      return;
    }
    long before = seenAtMillis;
    seenAtMillis = now;
    seenRow = store.lastRow(options.table(), taken);
    detector
        .tick(taken < seenRow ? before : now, AlarmBatch.MAX_REPORTS)
        .forEach(report -> add(report, taken));
  }

  private void unshelve(AlarmTable table, long now) {
    table.alarms().stream()
        .filter(alarm -> alarm.state().isShelved() && alarm.shelvedUntilMillis() <= now)
        .filter(alarm -> isNew(AlarmEvent.UNSHELVE, alarm.key()))
        .limit(AlarmBatch.MAX_REPORTS)
        .forEach(
            alarm ->
                add(
                    new AlarmReport(
                        AlarmEvent.UNSHELVE,
                        alarm.key(),
                        now,
                        alarm.shelvedUntilMillis(),
                        null,
                        ""),
                    taken));
  }

  private boolean isNew(AlarmEvent event, String key) {
    return waiting.stream()
        .noneMatch(step -> step.report().event() == event && step.report().key().equals(key));
  }

  /** Whoever has no page open learns it too. */
  private long say(AlarmTable table) {
    List<AlarmChange> raised =
        table.changesAfter(said).stream()
            .filter(change -> change.state() == AlarmState.UNACKNOWLEDGED)
            .toList();
    String priority = options.priority().name().toLowerCase(Locale.ROOT);
    raised.stream()
        .limit(MAX_SAID)
        .forEach(
            change ->
                reports.warn(
                    "alarm %d, %s: %s".formatted(change.id(), priority, NoticeText.line(change))));
    if (raised.size() > MAX_SAID) {
      reports.warn("%,d more alarms, %s".formatted(raised.size() - MAX_SAID, priority));
    }
    said = table.lastChange();
    return said;
  }

  /**
   * Keys that the store had no room for are raised anew while they are active; one alone as long as
   * there is none.
   */
  private void askAgain(AlarmTable table, long now) {
    if (Math.abs(now - retriedAtMillis) < RETRY_MILLIS || !waiting.isEmpty()) {
      return;
    }
    retriedAtMillis = now;
    long more = table.refused() - refused;
    refused = table.refused();
    if (more > 0 && missing.add(more)) {
      reports.warn(
          "%,d alarms were not taken in: the site has %,d, which is the most there may be"
              .formatted(missing.count(), Alarms.MAX_ALARMS));
    }
    detector.active().stream()
        .filter(key -> table.alarm(key).filter(alarm -> alarm.state().isActive()).isEmpty())
        .limit(more > 0 ? 1 : AlarmBatch.MAX_REPORTS)
        .forEach(key -> add(detector.again(key, now), taken));
  }

  /** Goes on with what is under way, and begins the next steps. */
  private void drive() {
    while (isFinished()) {
      Map<String, NoticeMark> marks = drivenNotices();
      if (waiting.isEmpty() && marks.isEmpty()) {
        durable = taken;
        return;
      }
      CompletableFuture<Boolean> step = begin(marks);
      underWay = step;
      if (!step.isDone()) {
        var _ = step.whenComplete((_, _) -> context.wakeUp());
        return;
      }
    }
  }

  private Map<String, NoticeMark> drivenNotices() {
    if (Math.abs(context.clock().millis() - unkeptAtMillis) < RETRY_MILLIS) {
      return Map.of();
    }
    if (notices.isEmpty()) {
      return Map.copyOf(off);
    }
    store.read(
        options.table(),
        table -> {
          notices.forEach(way -> way.drive(table));
          return table;
        });
    Map<String, NoticeMark> marks = new HashMap<>(off);
    notices.forEach(way -> way.toKeep().ifPresent(mark -> marks.put(way.name(), mark)));
    return marks;
  }

  private CompletableFuture<Boolean> begin(Map<String, NoticeMark> marks) {
    List<Step> steps = waiting.stream().limit(AlarmBatch.MAX_REPORTS).toList();
    Optional<Step> next = waiting.stream().skip(steps.size()).findFirst();
    long position = Math.max(durable, next.map(Step::floor).orElse(taken));
    long row = next.isEmpty() ? position : Math.max(position, steps.getLast().row());
    sent = steps.size();
    sentMarks = marks;
    sentPosition = position;
    return store.commit(
        new AlarmBatch(
            options.table(),
            options.priority(),
            position,
            row,
            context.clock().millis(),
            steps.stream().map(Step::report).toList(),
            marks));
  }

  /**
   * Whether nothing is under way any more; what the store had no room for comes with a later call.
   */
  private boolean isFinished() {
    CompletableFuture<Boolean> step = underWay;
    if (step == null) {
      return true;
    }
    if (!step.isDone()) {
      return false;
    }
    underWay = null;
    return finish(step);
  }

  private boolean finish(CompletableFuture<Boolean> step) {
    boolean kept;
    try {
      kept = step.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof AlarmStore.TooManyTablesException) {
        passOver(cause);
        return true;
      }
      throw new ConnectorException(
          Kind.EXTERNAL,
          "table %s: alarms are not taken from here: %s"
              .formatted(options.table(), cause.getMessage()),
          e);
    }
    if (kept) {
      removeSent();
      off.keySet().removeAll(sentMarks.keySet());
      notices.forEach(
          way -> {
            NoticeMark mark = sentMarks.get(way.name());
            if (mark != null) {
              way.kept(mark);
            }
          });
    }
    return kept;
  }

  private void removeSent() {
    for (int i = 0; i < sent; i++) {
      waiting.removeFirst();
    }
    durable = Math.max(durable, sentPosition);
  }

  /** One table too many holds up none of the job's others. */
  private void passOver(Throwable cause) {
    if (unkept.add(sent)) {
      reports.warn(
          "%,d changes of alarms were not kept: %s".formatted(unkept.count(), cause.getMessage()));
    }
    removeSent();
    unkeptAtMillis = context.clock().millis();
  }

  /** It wakes the task up when a step is kept. */
  @Override
  public boolean wakes() {
    return true;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** What is not kept by then is offered to the next one again. */
  @Override
  public void close() {
    notices.forEach(Notices::close);
    notices.clear();
    try {
      drive();
      store.read(options.table(), this::say);
    } catch (ConnectorException _) {
      // Another sink goes on with it.
    }
  }
}
