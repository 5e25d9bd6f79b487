package io.sedge.cli.internal;

import io.sedge.alarm.Alarm;
import io.sedge.task.Printable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Alarms as people read them. */
final class AlarmText {
  /** The column of when alarms were raised, which is not when a device heard of it. */
  static final String RAISED = "RAISED (ROW'S TIME)";

  private static final int MOST = 80;

  private AlarmText() {}

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static String state(Alarm alarm) {
    return alarm.state().isShelved()
        ? "shelved until " + time(alarm.shelvedUntilMillis())
        : name(alarm.state());
  }

  static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** What machines are called comes from the field: nothing in it moves a cursor. */
  static String printable(String text) {
    return Printable.text(text);
  }

  static String what(@Nullable Double value, String message) {
    String number = value == null ? "" : value.toString();
    String what = number.isEmpty() || message.isEmpty() ? number + message : number + " " + message;
    String text = printable(what);
    return text.length() > MOST ? text.substring(0, MOST - 1) + "…" : text;
  }
}
