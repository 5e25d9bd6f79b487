package io.sedge.center.store.internal;

import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a table of results looks like.
 *
 * @param declared its columns with the types that jobs have declared, without the store's own
 * @param key the columns by which rows of a site replace each other; empty if each row is one of
 *     its own
 */
record TableShape(String name, Schema declared, List<String> key) {
  TableShape {
    key = List.copyOf(key);
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
