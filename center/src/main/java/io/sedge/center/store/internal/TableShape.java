package io.sedge.center.store.internal;

import io.sedge.engine.type.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a table of results looks like.
 *
 * @param declared its columns with the types that jobs have declared, without the store's own
 * @param key the columns by which rows of a site replace each other; empty if each row is one of
 *     its own
 * @param rollUp what is kept of its numbers; null for nothing
 */
record TableShape(String name, Schema declared, List<String> key, @Nullable RollUp rollUp) {
  TableShape {
    key = List.copyOf(key);
  }

  /** The columns that {@link #read} wants. */
  static final String COLUMNS = "name, columns, key_columns, rollup";

  /** A row of {@code sedge_table}. */
  static TableShape read(ResultSet row) throws SQLException {
    String rollUp = row.getString("rollup");
    return new TableShape(
        row.getString("name"),
        Schemas.schema(row.getString("columns")),
        Schemas.names(row.getString("key_columns")),
        rollUp == null ? null : Schemas.rollUp(rollUp));
  }

  TableShape withoutRollUp() {
    return new TableShape(name, declared, key, null);
  }

  /** The columns that the database knows a row by. */
  List<String> primaryKey() {
    if (key.isEmpty()) {
      return List.of(TableNames.STREAM, TableNames.SEQUENCE);
    }
    List<String> columns = new ArrayList<>(List.of(TableNames.SITE));
    columns.addAll(key);
    return columns;
  }

  /** The position of a column whatever its case, or -1. */
  int indexOf(String column) {
    for (int i = 0; i < declared.size(); i++) {
      if (declared.name(i).toLowerCase(Locale.ROOT).equals(column.toLowerCase(Locale.ROOT))) {
        return i;
      }
    }
    return -1;
  }
}
