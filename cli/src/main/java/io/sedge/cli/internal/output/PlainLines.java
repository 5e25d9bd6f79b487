package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One aligned line per row, for logs and pipes. A header stands before the first row and wherever
 * another query's rows begin. A column is as wide as its type needs as a rule and as the rows of
 * the first batch need; it grows when a value is wider, and never shrinks. Rows of an updating
 * result begin with Flink's +I, -U, +U, -D.
 */
public final class PlainLines implements RowOutput {
  private final LineWriter writer;
  private final PrintStream messages;
  private final Cells cells;
  private final Map<Query, int[]> widths = new HashMap<>();
  private @Nullable Query last;
  private long bytes;

  public PlainLines(OutputStream output, PrintStream messages, Cells cells, Runnable onClosed) {
    this.writer = new LineWriter(output, messages, onClosed);
    this.messages = messages;
    this.cells = cells;
  }

  @Override
  public boolean offer(Query query, Batch batch) {
    if (!writer.hasRoom()) {
      return false;
    }
    Schema schema = query.schema();
    String[][] texts = new String[batch.rows()][schema.size()];
    for (int row = 0; row < batch.rows(); row++) {
      for (int column = 0; column < schema.size(); column++) {
        texts[row][column] = cells.text(schema.type(column), batch.column(column).value(row));
      }
    }
    int[] columnWidths = widths.computeIfAbsent(query, PlainLines::initialWidths);
    StringBuilder lines = new StringBuilder();
    grow(columnWidths, texts);
    if (!query.equals(last)) {
      appendHeader(lines, query, columnWidths, last != null);
      last = query;
    }
    for (int row = 0; row < batch.rows(); row++) {
      appendRow(lines, query, columnWidths, batch.change(row).symbol(), texts[row]);
    }
    byte[] encoded = lines.toString().getBytes(StandardCharsets.UTF_8);
    bytes += encoded.length;
    writer.add(encoded);
    return true;
  }

  private static void grow(int[] widths, String[][] texts) {
    for (String[] row : texts) {
      for (int column = 0; column < row.length; column++) {
        widths[column] = Math.max(widths[column], width(row[column]));
      }
    }
  }

  private static int[] initialWidths(Query query) {
    Schema schema = query.schema();
    int[] initial = new int[schema.size()];
    for (int i = 0; i < initial.length; i++) {
      initial[i] = Math.max(schema.name(i).length(), usualWidth(schema.type(i)));
    }
    return initial;
  }

  private static int usualWidth(Type type) {
    return switch (type.kind()) {
      case INT, BIGINT, FLOAT, DOUBLE, CHAR, VARCHAR -> 8;
      case BOOLEAN -> 5;
      default -> 1;
    };
  }

  private static void appendHeader(StringBuilder lines, Query query, int[] widths, boolean again) {
    lines.append(again ? "\n" : "");
    appendRow(lines, query, widths, "op", query.schema().names().toArray(String[]::new));
    lines.append(query.updating() ? "--  " : "");
    for (int i = 0; i < widths.length; i++) {
      lines.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
    }
    lines.append('\n');
  }

  private static void appendRow(
      StringBuilder lines, Query query, int[] widths, String change, String[] texts) {
    int begin = lines.length();
    if (query.updating()) {
      lines.append(change).append("  ");
    }
    for (int i = 0; i < texts.length; i++) {
      String padding = " ".repeat(Math.max(0, widths[i] - width(texts[i])));
      lines.append(i == 0 ? "" : "  ");
      if (Cells.isRightAligned(query.schema().type(i))) {
        lines.append(padding).append(texts[i]);
      } else {
        lines.append(texts[i]).append(padding);
      }
    }
    while (lines.length() > begin && lines.charAt(lines.length() - 1) == ' ') {
      lines.setLength(lines.length() - 1);
    }
    lines.append('\n');
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  @Override
  public void onRoom(Runnable wakeUp) {
    writer.onRoom(wakeUp);
  }

  @Override
  public boolean isWritten() {
    return writer.isWritten();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void message(String line) {
    messages.println(line);
  }

  @Override
  public void close() {
    writer.close();
  }
}
