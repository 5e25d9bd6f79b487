package io.sedge.tensor.training.data;

import java.util.ArrayList;
import java.util.List;

/**
 * What the first line of a CSV file says.
 *
 * @param separator what stands between fields
 * @param columns the names of all columns
 * @param positions where the wanted columns are, from 0, in the order in which they were asked for
 */
public record CsvHeader(char separator, List<String> columns, List<Integer> positions) {
  /** Copies the lists. */
  public CsvHeader {
    columns = List.copyOf(columns);
    positions = List.copyOf(positions);
  }

  /**
   * Reads a first line.
   *
   * @param source the file, for messages
   * @param wanted names of columns
   * @throws DataException if one of them is not there
   */
  public static CsvHeader parse(String source, String line, List<String> wanted) {
    String plain = line.startsWith("\uFEFF") ? line.substring(1) : line;
    char separator = separator(plain);
    List<String> columns = fields(plain, separator).stream().map(String::strip).toList();
    return new CsvHeader(
        separator,
        columns,
        wanted.stream().map(name -> Table.position(name, columns, source)).toList());
  }

  private static char separator(String header) {
    char best = ',';
    for (char candidate : new char[] {';', '\t'}) {
      if (count(header, candidate) > count(header, best)) {
        best = candidate;
      }
    }
    return best;
  }

  private static long count(String text, char wanted) {
    return text.chars().filter(c -> c == wanted).count();
  }

  /** The fields of a line; one may stand in double quotes. */
  static List<String> fields(String line, char separator) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
          field.append('"');
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (c == separator && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }
}
