package io.sedge.tensor.training.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads tables from text files: UTF-8, one row a line, names of the columns in the first. Columns
 * that nobody wants may hold anything. The separator is the one of comma, semicolon and tabulator
 * that the first line has most of. A field may stand in double quotes; no line ends within them.
 */
public final class CsvFiles {
  private CsvFiles() {}

  /**
   * Reads the wanted columns of files that have them all, one file after the other.
   *
   * @param files in the order in which their rows shall stand
   * @param wanted names of columns, which need not be in the files' order
   * @throws DataException with file, line and column for what is missing or no number
   * @throws UncheckedIOException if a file cannot be read
   */
  public static Table read(List<Path> files, List<String> wanted) {
    return Table.concat(files.stream().map(file -> read(file, wanted)).toList());
  }

  private static Table read(Path file, List<String> wanted) {
    if (!Files.isRegularFile(file)) {
      throw new DataException(
          file + (Files.exists(file) ? " is not a file" : " does not exist") + ": name a CSV file");
    }
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return read(file, reader, wanted);
    } catch (MalformedInputException e) {
      throw new DataException(file + " is not text in UTF-8: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Table read(Path file, BufferedReader reader, List<String> wanted)
      throws IOException {
    String header = reader.readLine();
    if (header == null) {
      throw new DataException(file + " is empty; its first line should name the columns");
    }
    CsvHeader first = CsvHeader.parse(file.toString(), header, wanted);
    List<String> columns = first.columns();
    int[] positions = first.positions().stream().mapToInt(Integer::intValue).toArray();
    Table.Builder builder = new Table.Builder(file.toString(), wanted);
    double[] row = new double[positions.length];
    long line = 1;
    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
      line++;
      if (!text.isBlank()) {
        String where = file + ", line " + line;
        List<String> fields = CsvHeader.fields(text, first.separator());
        if (fields.size() != columns.size()) {
          throw new DataException(
              "%s has %d fields; the first line names %d columns"
                  .formatted(where, fields.size(), columns.size()));
        }
        for (int i = 0; i < positions.length; i++) {
          row[i] = number(fields.get(positions[i]), where, wanted.get(i));
        }
        builder.add(row, where);
      }
    }
    return builder.build();
  }

  private static double number(String text, String where, String column) {
    String plain = text.strip();
    if (plain.isEmpty()) {
      throw new DataException(
          "%s, column '%s' is empty; every row needs a number there: remove the row or fill the gap"
              .formatted(where, column));
    }
    try {
      return Double.parseDouble(plain);
    } catch (NumberFormatException e) {
      throw new DataException(
          "%s, column '%s' is '%s', which is no number".formatted(where, column, plain));
    }
  }
}
