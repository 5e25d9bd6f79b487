package io.sedge.ledger;

import java.util.List;

/**
 * What a center may write to a table of a job.
 *
 * @param columns the columns that it may set; empty for all
 * @param count how many rows it may give within {@code perMillis}; 0 for any number
 */
public record Allowance(String job, String table, List<Column> columns, int count, long perMillis) {
  /** How many the state keeps. */
  public static final int MAX_ALLOWANCES = 256;

  /** How many columns one has. */
  public static final int MAX_COLUMNS = 64;

  /** The most rows of a rate: of so many the ledger knows when they were given. */
  public static final int MAX_COUNT = Order.MAX_ORDERS / 2;

  public Allowance {
    Names.check(job, "job");
    Names.check(table, "table");
    columns = List.copyOf(columns);
    if (columns.size() > MAX_COLUMNS || count < 0 || count > MAX_COUNT || perMillis < 0) {
      throw new IllegalArgumentException(
          "%d columns and %d rows; at most %d and %d are allowed"
              .formatted(columns.size(), count, MAX_COLUMNS, MAX_COUNT));
    }
  }

  /**
   * A column that may be set.
   *
   * @param least the least value, a decimal number; empty if there is none
   * @param most the greatest; empty if there is none
   */
  public record Column(String name, String least, String most) {
    public Column {
      Names.check(name, "column");
      Names.checkOrEmpty(least, "least value");
      Names.checkOrEmpty(most, "greatest value");
    }
  }
}
