package io.sedge.tensor.training.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * Rows of finite numbers in named columns, all in memory: 8 bytes a number. Immutable.
 *
 * <p>A number that is missing, infinite or not a number is refused when the table is made, with its
 * row and column: a model that has seen one NaN is NaN for ever.
 */
public final class Table {
  /** More numbers than this do not fit an array with certainty. */
  static final int MAX_NUMBERS = Integer.MAX_VALUE - 16;

  private final String name;
  private final List<String> columns;
  private final double[] values;
  private final int rows;

  private Table(String name, List<String> columns, double[] values, int rows) {
    this.name = name;
    this.columns = columns;
    this.values = values;
    this.rows = rows;
  }

  /**
   * A table of what a supplier gives, in its order.
   *
   * @param name how messages call the source
   * @param columns a name for each number of a row, each once
   * @param rows read once; every row as long as {@code columns}
   * @throws DataException for a row of another length or a number that is not finite
   */
  public static Table of(String name, List<String> columns, Iterable<double[]> rows) {
    Builder builder = new Builder(name, columns);
    long row = 0;
    for (double[] numbers : rows) {
      row++;
      if (numbers.length != columns.size()) {
        throw new DataException(
            "%s, row %d has %d numbers; its columns are %d: %s"
                .formatted(name, row, numbers.length, columns.size(), columns));
      }
      builder.add(numbers, name + ", row " + row);
    }
    return builder.build();
  }

  /** One table of the rows of several, in their order; their columns must be the same. */
  public static Table concat(List<Table> parts) {
    if (parts.isEmpty()) {
      throw new DataException("no table was given, and there is nothing to train on");
    }
    Table first = parts.getFirst();
    Builder builder = new Builder(first.name, first.columns);
    for (Table part : parts) {
      if (!part.columns.equals(first.columns)) {
        throw new DataException(
            "%s has columns %s, but %s has %s"
                .formatted(part.name, part.columns, first.name, first.columns));
      }
      builder.addAll(part);
    }
    return builder.build();
  }

  /** The rows from {@code from}, inclusive, to {@code to}, exclusive: at least one. */
  public Table rows(int from, int to) {
    if (from < 0 || to > rows || from >= to) {
      throw new DataException("rows %d to %d of %s, which has %d".formatted(from, to, name, rows));
    }
    int width = columns.size();
    return new Table(
        name, columns, Arrays.copyOfRange(values, from * width, to * width), to - from);
  }

  /** How messages call the source. */
  public String name() {
    return name;
  }

  /** The columns, in their order. */
  public List<String> columns() {
    return columns;
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /** The number in a row and column, both from 0. */
  public double value(int row, int column) {
    return values[row * columns.size() + column];
  }

  /**
   * The position of a column.
   *
   * @throws DataException if there is none of that name, with those that there are
   */
  public int column(String wanted) {
    return position(wanted, columns, name);
  }

  static int position(String wanted, List<String> columns, String source) {
    int position = columns.indexOf(wanted);
    if (position < 0) {
      throw new DataException(
          "%s has no column '%s'%s; its columns are %s"
              .formatted(source, wanted, suggestion(wanted, columns), String.join(", ", columns)));
    }
    return position;
  }

  private static String suggestion(String wanted, List<String> columns) {
    String plain = wanted.strip().toLowerCase(Locale.ROOT);
    return columns.stream()
        .filter(column -> column.strip().toLowerCase(Locale.ROOT).equals(plain))
        .findFirst()
        .map(column -> " (did you mean '" + column + "'?)")
        .orElse("");
  }

  /** Collects checked rows. */
  static final class Builder {
    private final String name;
    private final List<String> columns;
    private double[] values = new double[1024];
    private int used;

    Builder(String name, List<String> columns) {
      this.name = name;
      this.columns = List.copyOf(columns);
      if (columns.isEmpty()) {
        throw new DataException(name + " has no columns");
      }
      if (new LinkedHashSet<>(columns).size() != columns.size()) {
        List<String> twice = new ArrayList<>(columns);
        new LinkedHashSet<>(columns).forEach(twice::remove);
        throw new DataException(name + " has a column twice: " + twice);
      }
    }

    void add(double[] numbers, String where) {
      for (int i = 0; i < numbers.length; i++) {
        if (!Double.isFinite(numbers[i])) {
          throw new DataException(
              "%s, column '%s' is %s; only finite numbers can be trained on: remove the row or fill"
                      .formatted(where, columns.get(i), numbers[i])
                  + " the gap");
        }
      }
      reserve(numbers.length);
      System.arraycopy(numbers, 0, values, used, numbers.length);
      used += numbers.length;
    }

    private void addAll(Table part) {
      int length = part.rows * columns.size();
      reserve(length);
      System.arraycopy(part.values, 0, values, used, length);
      used += length;
    }

    private void reserve(int more) {
      long needed = (long) used + more;
      if (needed > MAX_NUMBERS) {
        throw new DataException(
            "%s has more than %d numbers, which is the most that one training holds"
                .formatted(name, MAX_NUMBERS));
      }
      if (needed > values.length) {
        values = Arrays.copyOf(values, (int) Math.min(MAX_NUMBERS, Math.max(needed, 2L * used)));
      }
    }

    Table build() {
      if (used == 0) {
        throw new DataException(name + " has no rows");
      }
      return new Table(name, columns, Arrays.copyOf(values, used), used / columns.size());
    }
  }
}
