package io.sedge.console.internal.run;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.console.internal.http.Line;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** What a job has said: the latest {@value #MOST_LINES} lines. Thread-safe. */
final class JobLog {
  static final int MOST_LINES = 1_000;
  private static final int MOST_CHARACTERS = 4_000;

  private final Deque<Line> lines = new ArrayDeque<>();
  private long number;

  /** Adds a line; its end is left out if it is very long. */
  synchronized Line add(long atMillis, Severity severity, String message) {
    number++;
    Line line =
        new Line(
            number,
            atMillis,
            severity.name().toLowerCase(Locale.ROOT),
            null,
            null,
            message.length() <= MOST_CHARACTERS
                ? message
                : message.substring(0, MOST_CHARACTERS) + "…");
    lines.add(line);
    if (lines.size() > MOST_LINES) {
      lines.remove();
    }
    return line;
  }

  /** The lines after the one of this number. */
  synchronized List<Line> after(long given) {
    return lines.stream().filter(line -> line.number() > given).toList();
  }
}
