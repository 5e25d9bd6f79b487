package io.sedge.task.internal;

import io.sedge.engine.operator.FailedRows.FailedRow;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to write for a time that is not understood, as far as its text tells. */
final class TimeHint {
  /** ISO 8601: date, {@code T}, time to the second, fraction, zone. */
  private static final Pattern ISO =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.(\\d{1,9}))?(Z|[+-]\\d{2}:\\d{2})?");

  private static final int SHOWN_CHARACTERS = 60;

  private TimeHint() {}

  /**
   * The raw values, and what to write: {@code t='2026-03-01T10:00:03Z'; write …}.
   *
   * @param row without an event time, as its table gave it
   * @param madeOf the columns that the event time is made of
   */
  static String of(FailedRow row, List<Integer> madeOf) {
    StringBuilder text = new StringBuilder();
    String remedy = "";
    for (int column : madeOf) {
      String name = row.schema().name(column);
      Object value = row.batch().column(column).value(row.row());
      if (value == null) {
        text.append(text.isEmpty() ? "" : ", ").append("`%s` has no value".formatted(name));
      } else {
        String shown = cut(String.valueOf(value));
        text.append(text.isEmpty() ? "" : ", ").append("`%s` is '%s'".formatted(name, shown));
        remedy = value instanceof String string ? remedy(name, string) : remedy;
      }
    }
    return text.append(remedy).toString();
  }

  private static String remedy(String column, String value) {
    Matcher iso = ISO.matcher(value);
    if (!iso.matches()) {
      return "";
    }
    String zone = iso.group(2);
    if (zone != null && !zone.equals("Z")) {
      return "; declare `%s` TIMESTAMP_LTZ(3), with 'json.timestamp-format.standard' = 'ISO-8601'"
          .formatted(column);
    }
    String fraction = iso.group(1);
    String pattern =
        "yyyy-MM-dd''T''HH:mm:ss"
            + (fraction == null ? "" : "." + "S".repeat(fraction.length()))
            + (zone == null ? "" : "''Z''");
    return zone == null
        ? "; write TO_TIMESTAMP(%s, '%s')".formatted(column, pattern)
        : "; write TO_TIMESTAMP_LTZ(%s, '%s')".formatted(column, pattern);
  }

  private static String cut(String text) {
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
