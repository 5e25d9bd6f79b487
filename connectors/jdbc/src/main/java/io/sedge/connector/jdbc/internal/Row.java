package io.sedge.connector.jdbc.internal;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row on its way to the database: as its driver takes the values. The array is not changed. One
 * thread at a time.
 */
final class Row {
  private final @Nullable Object[] values;
  private final boolean deleted;
  private boolean refused;

  /**
   * @param deleted whether the row of its key is to go
   */
  Row(@Nullable Object[] values, boolean deleted) {
    this.values = values;
    this.deleted = deleted;
  }

  @Nullable Object[] values() {
    return values;
  }

  boolean isDeleted() {
    return deleted;
  }

  /** The values of some columns, to compare rows by. */
  List<@Nullable Object> key(List<Integer> columns) {
    @Nullable Object[] key = new @Nullable Object[columns.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = values[columns.get(i)];
    }
    return Arrays.asList(key);
  }

  /**
   * The database does not take it, and never will.
   *
   * @return whether that is new
   */
  boolean refuse() {
    boolean isNew = !refused;
    refused = true;
    return isNew;
  }

  boolean isRefused() {
    return refused;
  }
}
