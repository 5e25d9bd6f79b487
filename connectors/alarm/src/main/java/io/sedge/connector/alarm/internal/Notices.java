package io.sedge.connector.alarm.internal;

import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmState;
import io.sedge.alarm.AlarmTable;
import io.sedge.alarm.NoticeMark;
import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Reports;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tells people by one way what a table's journal has. There is no queue: the journal is it, and how
 * far it was told is kept in the store, so a far end that is away costs no memory and nothing is
 * told twice but what was on its way when a device died. That is sent again with the same id.
 *
 * <p>The first change is told at once, those after it together once in an interval: a flood is one
 * notice. A notice that the far end refuses {@value #MAX_REFUSALS} times is given up and counted.
 * What fails otherwise is tried again for as long as it takes. On the task's thread, but for
 * sending, which is on one of its own.
 */
final class Notices implements AutoCloseable {
  static final int MAX_REFUSALS = 3;

  /** After so long an attempt is broken off. */
  private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(60);

  private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

  /** The store learns at the latest after so many changes of which nobody is told. */
  private static final long MOST_UNKEPT = AlarmTable.MAX_CHANGES / 2;

  private static final Duration MOST_PAUSE = Duration.ofMinutes(5);

  private final String way;
  private final String series;
  private final AlarmOptions options;
  private final NoticeSender sender;
  private final ConnectorContext context;
  private final Reports reports;
  private final Backoff backoff = new Backoff(LEAST_PAUSE, MOST_PAUSE, ThreadLocalRandom.current());

  private NoticeMark mark;

  /** How far the store knows it. */
  private long keptDone;

  private Optional<NoticeMark> wanted;
  private @Nullable Attempt attempt;
  private int failures;
  private int refusals;
  private long notBeforeNanos;
  private long nextNanos;

  /** A notice that is being sent. */
  private static final class Attempt {
    final long startedNanos;
    final Thread thread;
    volatile boolean ended;
    volatile NoticeSender.@Nullable NotSentException failure;

    Attempt(long startedNanos, NoticeSender sender, Notice notice, Runnable onEnd) {
      this.startedNanos = startedNanos;
      this.thread =
          Thread.ofVirtual().name("sedge-notice").unstarted(() -> run(sender, notice, onEnd));
    }

    private void run(NoticeSender sender, Notice notice, Runnable onEnd) {
      try {
        sender.send(notice);
      } catch (NoticeSender.NotSentException e) {
        failure = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = new NoticeSender.NotSentException(false, "it was broken off", e);
      } catch (RuntimeException e) {
        failure = new NoticeSender.NotSentException(true, "a fault: " + e, e);
      } finally {
        ended = true;
        onEnd.run();
      }
    }
  }

  /**
   * @param way its name in the store
   * @param series names the rows of the table among all others
   * @param table where it begins: a way that is new, or was off, tells nothing that is past
   */
  Notices(
      String way,
      String series,
      AlarmTable table,
      AlarmOptions options,
      NoticeSender sender,
      ConnectorContext context) {
    this.way = way;
    this.series = series;
    Optional<NoticeMark> known = table.mark(way).filter(mark -> !mark.equals(NoticeMark.OFF));
    this.mark = known.orElse(new NoticeMark(table.lastChange(), table.lastChange(), 0));
    this.keptDone = mark.done();
    this.wanted = known.isPresent() ? Optional.empty() : Optional.of(mark);
    this.options = options;
    this.sender = sender;
    this.context = context;
    this.reports = new Reports(options.table(), context);
    this.notBeforeNanos = context.nanoTime();
    this.nextNanos = notBeforeNanos;
  }

  String name() {
    return way;
  }

  /** What is to be kept in the store before it goes on. */
  Optional<NoticeMark> toKeep() {
    return wanted;
  }

  /** The store has it. */
  void kept(NoticeMark kept) {
    mark = kept;
    keptDone = kept.done();
    wanted = Optional.empty();
  }

  /** Goes on; waits for nothing. */
  void drive(AlarmTable table) {
    long now = context.nanoTime();
    Attempt current = attempt;
    if (current != null) {
      if (!current.ended) {
        if (now - current.startedNanos > LONGEST_ATTEMPT.toNanos()) {
          current.thread.interrupt();
        }
        return;
      }
      attempt = null;
      ended(current.failure, now);
    }
    if (wanted.isPresent()) {
      return;
    }
    if (mark.begun() > mark.done()) {
      if (now - notBeforeNanos >= 0) {
        send(table, now);
      }
    } else if (table.lastChange() > mark.done() && now - nextNanos >= 0) {
      look(table);
    }
  }

  private void look(AlarmTable table) {
    long last = table.lastChange();
    if (table.changesAfter(mark.done()).stream().anyMatch(this::isTold)) {
      wanted = Optional.of(new NoticeMark(last, mark.done(), mark.lost()));
      return;
    }
    long forgotten = forgotten(table);
    NoticeMark next = new NoticeMark(last, last, mark.lost() + (forgotten > 0 ? 1 : 0));
    if (forgotten > 0) {
      reports.warn(
          "%s: %,d changes were not told, since they are not kept any more"
              .formatted(way, forgotten));
    }
    if (forgotten > 0 || last - keptDone > MOST_UNKEPT) {
      wanted = Optional.of(next);
    } else {
      mark = next; // Whoever goes on finds the same.
    }
  }

  /** How many changes were dropped before they were looked at. */
  private long forgotten(AlarmTable table) {
    long first =
        table.changesAfter(0).stream()
            .findFirst()
            .map(AlarmChange::number)
            .orElse(table.lastChange() + 1);
    return Math.max(0, first - 1 - mark.done());
  }

  private boolean isTold(AlarmChange change) {
    return switch (change.event()) {
      case RAISE, UNSHELVE -> change.state() == AlarmState.UNACKNOWLEDGED;
      case CLEAR -> options.notices().cleared() && !change.state().isShelved();
      case ACKNOWLEDGE, SHELVE, WAIT, SETTLE -> false;
    };
  }

  private void send(AlarmTable table, long now) {
    List<AlarmChange> told =
        table.changesAfter(mark.done()).stream()
            .filter(change -> change.number() <= mark.begun())
            .filter(this::isTold)
            .toList();
    if (told.isEmpty()) {
      // The journal is past them: what there is by now is told with the next one.
      reports.warn(
          "%s: a notice was given up, since the changes that it was of are not kept any more"
              .formatted(way));
      wanted = Optional.of(new NoticeMark(mark.begun(), mark.begun(), mark.lost() + 1));
      return;
    }
    List<AlarmChange> shown = told.subList(0, Math.min(told.size(), Notice.MAX_CHANGES));
    Notice notice =
        new Notice(
            name(table),
            options.table(),
            options.priority(),
            shown,
            told.size() - shown.size(),
            forgotten(table));
    Attempt next = new Attempt(now, sender, notice, context::wakeUp);
    attempt = next;
    next.thread.start();
  }

  /** After a job was removed, or a site restored, numbers begin again: id and time do not. */
  private String name(AlarmTable table) {
    AlarmChange last = table.changesAfter(mark.begun() - 1).stream().findFirst().orElseThrow();
    return "%s/%s/%d-%d/%d-%d"
        .formatted(series, way, mark.done() + 1, mark.begun(), last.id(), last.atMillis());
  }

  private void ended(NoticeSender.@Nullable NotSentException failure, long now) {
    if (failure == null) {
      failures = 0;
      refusals = 0;
      nextNanos = now + options.notices().interval().toNanos();
      wanted = Optional.of(new NoticeMark(mark.begun(), mark.begun(), mark.lost()));
      return;
    }
    failures++;
    refusals += failure.isRefused() ? 1 : 0;
    if (refusals >= MAX_REFUSALS) {
      reports.warn("%s: a notice was given up: %s".formatted(way, failure.getMessage()));
      failures = 0;
      refusals = 0;
      wanted = Optional.of(new NoticeMark(mark.begun(), mark.begun(), mark.lost() + 1));
      return;
    }
    if (failures == 1) {
      reports.warn(
          "%s: people could not be told, which is tried again: %s"
              .formatted(way, failure.getMessage()));
    }
    notBeforeNanos = now + backoff.delay(failures).toNanos();
  }

  @Override
  public void close() {
    Attempt current = attempt;
    if (current != null) {
      current.thread.interrupt();
    }
    sender.close();
  }
}
