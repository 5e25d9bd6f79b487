package io.sedge.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A table in Markdown, padded so that it reads well as it is. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    row(header);
  }

  public void row(String... cells) {
    rows.add(Arrays.asList(cells));
  }

  /** The first column is left-aligned, the others right-aligned. */
  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      for (int column = 0; column < columns; column++) {
        String form = "| %" + (column == 0 ? "-" : "") + widths[column] + "s ";
        text.append(form.formatted(rows.get(i).get(column)));
      }
      text.append("|\n");
      if (i == 0) {
        for (int column = 0; column < columns; column++) {
          text.append("| ").append("-".repeat(widths[column] - (column == 0 ? 0 : 1)));
          text.append(column == 0 ? " " : ": ");
        }
        text.append("|\n");
      }
    }
    return text.toString();
  }

  /** A number to three digits or to the unit: 0.0123, 1.23, 12.3, 123, 1,234,567. */
  public static String number(double number) {
    if (Double.isNaN(number)) {
      return "n/a";
    }
    double size = Math.abs(number);
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", number);
  }
}
