package io.sedge.cli.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Aligned columns. A name in the header that begins with {@code >} is of a column of numbers. */
final class TextTable {
  private static final String GAP = "  ";
  private static final String RIGHT = ">";

  private final boolean[] right;
  private final List<String[]> rows = new ArrayList<>();

  TextTable(String... header) {
    right = new boolean[header.length];
    String[] names = new String[header.length];
    for (int i = 0; i < header.length; i++) {
      right[i] = header[i].startsWith(RIGHT);
      names[i] = right[i] ? header[i].substring(1) : header[i];
    }
    rows.add(names);
  }

  /** A text that is cut to so many characters, with an ellipsis then. */
  static String shortened(String text, int characters) {
    return text.length() <= characters ? text : text.substring(0, characters) + "…";
  }

  void add(String... cells) {
    if (cells.length != right.length) {
      throw new IllegalArgumentException(
          "%d cells for %d columns".formatted(cells.length, right.length));
    }
    rows.add(cells);
  }

  /** The header first. */
  List<String> lines() {
    int[] widths = new int[right.length];
    for (String[] row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], row[i].codePointCount(0, row[i].length())));
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length; i++) {
      String padding = " ".repeat(widths[i] - row[i].codePointCount(0, row[i].length()));
      line.append(i == 0 ? "" : GAP).append(right[i] ? padding + row[i] : row[i] + padding);
    }
    return line.toString().stripTrailing();
  }
}
