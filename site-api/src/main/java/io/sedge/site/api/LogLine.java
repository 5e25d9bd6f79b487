package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext.Severity;

/**
 * Something that was said to people. What is said again and again has a line when it is first said,
 * and then one now and then that says how often it was repeated.
 *
 * @param number grows by one with each line of the device
 * @param atMillis by the device's wall clock
 * @param task {@code job/shard}; empty for what the device itself says
 * @param message one line, printable; if it stands for repeats, the last of them
 * @param repeats how often it was repeated: within the seconds, or, if these are 0, since this line
 *     and not told by a line of their own yet
 * @param seconds for what time this line stands for repeats; 0 if it stands for itself
 */
public record LogLine(
    long number,
    long atMillis,
    Severity severity,
    String task,
    String message,
    long repeats,
    long seconds) {
  public LogLine {
    requireNonNull(severity, "no severity");
    requireNonNull(task, "no task");
    requireNonNull(message, "no message");
  }

  /** The message with its repeats, for people. */
  public String text() {
    if (seconds > 0) {
      return "… %,d more like this in the last %d s: %s".formatted(repeats, seconds, message);
    }
    return repeats == 0 ? message : "%s (… %,d more like this)".formatted(message, repeats);
  }
}
