package io.sedge.cli.internal.output;

import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lays tables out for a screen: aligned columns, no line longer than the screen is wide, no more
 * lines than it has. Pure.
 *
 * <p>Where a table is too wide its widest name columns are cut first, down to {@link
 * #LEAST_NAME_WIDTH}; if that is not enough its last columns are left out, which the header shows
 * with {@code …}. Where it is too long the last line says how many rows are not shown.
 */
final class Frame {
  static final int LEAST_NAME_WIDTH = 8;

  /** The status line, and the line of the cursor below it. */
  private static final int LINES_BELOW = 2;

  private static final String GAP = "  ";
  private static final String CUT = "…";

  private final Cells cells;
  private final boolean colours;

  Frame(Cells cells, boolean colours) {
    this.cells = cells;
    this.colours = colours;
  }

  /**
   * The lines of a screen.
   *
   * @param status the last line
   */
  List<String> lines(List<TableModel> tables, String status, int width, int height) {
    List<String> lines = new ArrayList<>();
    int room = Math.max(1, height - LINES_BELOW);
    for (int i = 0; i < tables.size(); i++) {
      int share = (room - lines.size()) / (tables.size() - i);
      if (i > 0) {
        lines.add("");
        share--;
      }
      if (tables.size() > 1) {
        lines.add(Style.BOLD.on(colours, cut(tables.get(i).query().name(), width)));
        share--;
      }
      appendTable(lines, tables.get(i), width, share);
    }
    List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), room)));
    shown.add(Style.DIM.on(colours, cut(status, width)));
    return shown;
  }

  private void appendTable(List<String> lines, TableModel table, int width, int height) {
    Schema schema = table.query().schema();
    int rowRoom = Math.max(0, height - 1);
    boolean tooLong = table.size() > rowRoom || table.hidden() > 0;
    List<TableModel.Row> rows = table.rows(tooLong ? Math.max(0, rowRoom - 1) : rowRoom);
    List<String[]> texts = rows.stream().map(row -> texts(schema, row)).toList();
    int[] widths = widths(schema, texts);
    int columns = fit(schema, widths, width);
    lines.add(Style.BOLD.on(colours, header(schema, widths, columns)));
    for (int i = 0; i < rows.size(); i++) {
      String line = line(schema, widths, columns, texts.get(i));
      boolean fresh = rows.get(i).version() == table.version();
      lines.add(fresh || table.query().updating() ? line : Style.DIM.on(colours, line));
    }
    if (tooLong && rowRoom > 0) {
      long more = table.size() - rows.size() + table.hidden();
      lines.add(Style.DIM.on(colours, cut("… %,d more rows".formatted(more), width)));
    }
  }

  private String[] texts(Schema schema, TableModel.Row row) {
    String[] texts = new String[schema.size()];
    Arrays.setAll(texts, i -> cells.text(schema.type(i), row.values().get(i)));
    return texts;
  }

  private static int[] widths(Schema schema, List<String[]> texts) {
    int[] widths = new int[schema.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = width(schema.name(i));
      for (String[] row : texts) {
        widths[i] = Math.max(widths[i], width(row[i]));
      }
    }
    return widths;
  }

  /** Narrows names until the table fits; the number of columns that can be shown then. */
  private static int fit(Schema schema, int[] widths, int width) {
    int excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - width;
    while (excess > 0) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        if (schema.type(i).kind().isString()
            && widths[i] > LEAST_NAME_WIDTH
            && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return columnsThatFit(widths, width);
      }
      widths[widest]--;
      excess--;
    }
    return widths.length;
  }

  private static int columnsThatFit(int[] widths, int width) {
    int used = GAP.length() + CUT.length();
    int columns = 0;
    while (columns < widths.length && used + widths[columns] <= width) {
      used += widths[columns] + GAP.length();
      columns++;
    }
    return Math.max(1, columns);
  }

  private static String header(Schema schema, int[] widths, int columns) {
    String names = line(schema, widths, columns, schema.names().toArray(String[]::new));
    return columns < widths.length ? names + GAP + CUT : names;
  }

  private static String line(Schema schema, int[] widths, int columns, String[] texts) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < columns; i++) {
      String text = cutMiddle(texts[i], widths[i]);
      String padding = " ".repeat(widths[i] - width(text));
      boolean right = Cells.isRightAligned(schema.type(i));
      line.append(i == 0 ? "" : GAP).append(right ? padding + text : text + padding);
    }
    return line.toString();
  }

  private static String cut(String text, int width) {
    if (width(text) <= width) {
      return text;
    }
    return width <= 0 ? "" : text.substring(0, text.offsetByCodePoints(0, width - 1)) + CUT;
  }

  /** Names that belong together begin alike, and differ at their ends: the middle says least. */
  private static String cutMiddle(String text, int width) {
    int length = width(text);
    if (length <= width) {
      return text;
    }
    int head = (width - 1) / 2;
    int tail = width - 1 - head;
    return text.substring(0, text.offsetByCodePoints(0, head))
        + CUT
        + text.substring(text.offsetByCodePoints(0, length - tail));
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
