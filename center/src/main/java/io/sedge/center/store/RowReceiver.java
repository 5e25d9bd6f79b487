package io.sedge.center.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what a query returns, on the thread that asked. */
public interface RowReceiver {
  /** The columns, once, before any row. */
  void columns(List<Column> columns);

  /**
   * A row: Boolean, Long, Double, BigDecimal, String or null. Times are text as the dialect writes
   * them. The list is not used again.
   */
  void row(List<@Nullable Object> values);

  /**
   * A column of a result.
   *
   * @param type the database's name of its type, which may be empty
   */
  record Column(String name, String type) {}
}
