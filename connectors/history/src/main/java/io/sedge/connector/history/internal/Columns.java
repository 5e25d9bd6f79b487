package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a table that reads history, as those of a file: by name, whatever else the file
 * has. A column that the file does not have yet is NULL.
 */
final class Columns {
  private final Schema schema;

  /** For each column of the table its position among {@link #wanted}, or -1. */
  private final int[] positions;

  private final int[] wanted;

  Columns(String table, Schema schema, Schema stored) {
    this.schema = schema;
    this.positions = new int[schema.size()];
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      int column = stored.indexOf(schema.name(i));
      if (column < 0) {
        requireNullable(table, schema, i, stored);
        positions[i] = -1;
      } else {
        requireSame(table, schema.name(i), schema.type(i), stored.type(column));
        positions[i] = found.size();
        found.add(column);
      }
    }
    this.wanted = found.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void requireNullable(String table, Schema schema, int column, Schema stored) {
    if (!schema.type(column).nullable()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: column `%s` is NOT NULL, but what was kept has only %s; declare it without NOT NULL"
              .formatted(table, schema.name(column), stored));
    }
  }

  private static void requireSame(String table, String column, Type declared, Type stored) {
    boolean sameText = declared.kind().isString() && stored.kind().isString();
    boolean longer = sameText && declared.precision() >= stored.precision();
    boolean same = declared.withNullable(true).equals(stored.withNullable(true)) || longer;
    if (!same || (stored.nullable() && !declared.nullable())) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: column `%s` is %s, but was kept as %s; declare it so, and convert it in the query"
              .formatted(table, column, declared, stored));
    }
  }

  /** The file's columns that are to be read. */
  int[] wanted() {
    return wanted;
  }

  /** The table's columns of rows of which the wanted ones were read. */
  List<Column> of(Rows rows) {
    List<Column> columns = new ArrayList<>(positions.length);
    for (int i = 0; i < positions.length; i++) {
      columns.add(
          positions[i] < 0
              ? nulls(schema.type(i), rows.count())
              : rows.columns().get(positions[i]));
    }
    return columns;
  }

  private static Column nulls(Type type, int count) {
    ColumnBuilder builder = ColumnBuilder.of(type);
    for (int row = 0; row < count; row++) {
      builder.addNull();
    }
    return builder.build();
  }
}
