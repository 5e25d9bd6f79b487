package io.sedge.alarm;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An alarm that is not normal, from when it was raised until it is normal again. Times are
 * milliseconds since 1970-01-01T00:00:00Z.
 *
 * @param id which one, of all of its site or run; never used again
 * @param key the primary key of its row, as text
 * @param raised how often it was raised in this life; whoever acknowledges says what he has seen
 * @param raisedAtMillis when it was raised last, by the row's own time where it has one
 * @param changedAtMillis when its state changed last, by the wall clock
 * @param value of the row that changed it last, if the table has one
 * @param message of that row; empty if the table has none
 * @param waitingSinceMillis since when a delay runs, by the row's time; 0 if none does
 * @param dueMillis when that delay is over by the wall clock
 * @param shelvedUntilMillis by the wall clock; 0 if it is not shelved
 * @param by who acknowledged, shelved or unshelved it last; empty for nobody
 * @param note what he said
 */
public record Alarm(
    long id,
    String job,
    String table,
    AlarmPriority priority,
    String key,
    AlarmState state,
    long raised,
    long raisedAtMillis,
    long changedAtMillis,
    @Nullable Double value,
    String message,
    long waitingSinceMillis,
    long dueMillis,
    long shelvedUntilMillis,
    String by,
    String note) {
  /** Those that ask for attention first, then the most severe, then the newest. */
  public static final Comparator<Alarm> BY_URGENCY =
      Comparator.comparing((Alarm alarm) -> !alarm.state.asksForAttention())
          .thenComparing(alarm -> alarm.state.isShelved())
          .thenComparing(Alarm::priority, Comparator.reverseOrder())
          .thenComparing(Alarm::raisedAtMillis, Comparator.reverseOrder())
          .thenComparing(Alarm::id, Comparator.reverseOrder());

  /** One that is normal, and waits to be raised or is about to be. */
  static Alarm normal(long id, String job, String table, AlarmPriority priority, String key) {
    return new Alarm(
        id, job, table, priority, key, AlarmState.NORMAL, 0, 0, 0, null, "", 0, 0, 0, "", "");
  }

  /** Whether there is anything to keep of it. */
  boolean isKept() {
    return state != AlarmState.NORMAL || waitingSinceMillis != 0;
  }

  /** The same in a table whose priority was changed. */
  Alarm with(AlarmPriority other) {
    return new Alarm(
        id,
        job,
        table,
        other,
        key,
        state,
        raised,
        raisedAtMillis,
        changedAtMillis,
        value,
        message,
        waitingSinceMillis,
        dueMillis,
        shelvedUntilMillis,
        by,
        note);
  }

  /** The same after what its table reports; what that does not say stays. */
  Alarm after(AlarmReport report, AlarmState next, long atMillis) {
    boolean raises = !state.isActive() && next.isActive();
    boolean unshelves = report.event() == AlarmEvent.UNSHELVE;
    return new Alarm(
        id,
        job,
        table,
        priority,
        key,
        next,
        raises ? raised + 1 : raised,
        raises ? report.timeMillis() : raisedAtMillis,
        next == state ? changedAtMillis : atMillis,
        report.value() == null ? value : report.value(),
        report.message().isEmpty() ? message : report.message(),
        unshelves
            ? waitingSinceMillis
            : report.event() == AlarmEvent.WAIT ? report.timeMillis() : 0,
        unshelves ? dueMillis : report.dueMillis(),
        next.isShelved() ? shelvedUntilMillis : 0,
        by,
        note);
  }

  /** The same after what a person does. */
  Alarm after(AlarmAction action, AlarmState next) {
    return new Alarm(
        id,
        job,
        table,
        priority,
        key,
        next,
        raised,
        raisedAtMillis,
        next == state ? changedAtMillis : action.atMillis(),
        value,
        message,
        waitingSinceMillis,
        dueMillis,
        next.isShelved() ? action.untilMillis() : 0,
        action.by(),
        action.note());
  }
}
