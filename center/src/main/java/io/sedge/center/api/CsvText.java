package io.sedge.center.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results as CSV (RFC 4180, with lines that end in LF): NULL is nothing at all, an empty string is
 * {@code ""}.
 */
public final class CsvText {
  private CsvText() {}

  /** A row, with the end of its line. */
  public static String line(List<? extends @Nullable Object> values) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        line.append(',');
      }
      append(line, values.get(i));
    }
    return line.append('\n').toString();
  }

  private static void append(StringBuilder line, @Nullable Object value) {
    if (value == null) {
      return;
    }
    String text = value.toString();
    if (text.isEmpty() || text.chars().anyMatch(c -> c == ',' || c == '"' || c < ' ')) {
      line.append('"').append(text.replace("\"", "\"\"")).append('"');
    } else {
      line.append(text);
    }
  }
}
