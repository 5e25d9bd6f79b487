package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.internal.RowFunctions.Row;

/** Cuts characters off the ends of strings. */
final class Trimming {
  private Trimming() {}

  /** TRIM with its first argument BOTH, LEADING or TRAILING, its second the characters. */
  static String byFlag(Row row) {
    String flag = row.text(0);
    return characters(row.text(2), row.text(1), !flag.equals("TRAILING"), !flag.equals("LEADING"));
  }

  static String spaces(String string, boolean leading, boolean trailing) {
    return characters(string, " ", leading, trailing);
  }

  static String characters(String string, String cut, boolean leading, boolean trailing) {
    int from = 0;
    int to = string.length();
    while (leading && from < to && cut.indexOf(string.codePointAt(from)) >= 0) {
      from += Character.charCount(string.codePointAt(from));
    }
    while (trailing && to > from && cut.indexOf(string.codePointBefore(to)) >= 0) {
      to -= Character.charCount(string.codePointBefore(to));
    }
    return string.substring(from, to);
  }
}
