package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.dml.RichSqlInsert;

/**
 * Which column of a query goes into which column of a sink.
 *
 * @param table the sink
 * @param fromQuery for each of the sink's columns the query's, or -1 for NULL
 */
record InsertColumns(DeclaredTable table, List<Integer> fromQuery, SqlParserPos position) {

  InsertColumns {
    fromQuery = List.copyOf(fromQuery);
  }

  static InsertColumns of(RichSqlInsert insert, DeclaredTable table, RelDataType query) {
    Schema schema = table.descriptor().schema();
    SqlNodeList targets = insert.getTargetColumnList();
    List<Integer> columns =
        targets == null || targets.isEmpty() ? all(table, schema) : named(targets, table, schema);
    SqlParserPos position = insert.getSource().getParserPosition();
    if (columns.size() != query.getFieldCount()) {
      throw new UnsupportedException(
          "INSERT INTO `%s`: the query gives %d columns, but the table takes %d: %s"
              .formatted(
                  table.name(),
                  query.getFieldCount(),
                  columns.size(),
                  String.join(", ", columns.stream().map(schema::name).toList())),
          targets == null
              ? "INSERT INTO `%s` (the columns to fill) SELECT …".formatted(table.name())
              : null,
          position);
    }
    List<Integer> fromQuery = new ArrayList<>(Collections.nCopies(schema.size(), -1));
    for (int i = 0; i < columns.size(); i++) {
      fromQuery.set(columns.get(i), i);
    }
    return new InsertColumns(table, fromQuery, position);
  }

  /** The columns that INSERT fills: in the order of their declaration, computed ones left out. */
  private static List<Integer> all(DeclaredTable table, Schema schema) {
    return table.rowType().getFieldNames().stream()
        .filter(name -> table.writable().contains(table.rowType().getFieldNames().indexOf(name)))
        .map(schema::indexOf)
        .filter(column -> column >= 0)
        .toList();
  }

  private static List<Integer> named(SqlNodeList targets, DeclaredTable table, Schema schema) {
    List<Integer> columns = new ArrayList<>();
    for (SqlNode target : targets) {
      String name = ((SqlIdentifier) target).names.getLast();
      int column = schema.indexOf(name);
      if (column < 0) {
        boolean computed = table.rowType().getFieldNames().contains(name);
        throw new UnsupportedException(
            computed
                ? "INSERT INTO `%s`: column `%s` is computed".formatted(table.name(), name)
                : "INSERT INTO `%s`: there is no column `%s`%s"
                    .formatted(table.name(), name, Names.didYouMean(name, schema.names())),
            null,
            target.getParserPosition());
      }
      columns.add(column);
    }
    return columns;
  }

  /** The sink's columns from the query's. */
  PlanNode project(PlanNode query, ExpressionLowering expressions) {
    Schema schema = table.descriptor().schema();
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      Type target = schema.type(i);
      if (fromQuery.get(i) < 0) {
        if (!target.nullable()) {
          throw new UnsupportedException(
              "INSERT INTO `%s`: column `%s` is NOT NULL and gets no value"
                  .formatted(table.name(), schema.name(i)),
              null,
              position);
        }
        columns.add(new Expression.Literal(null, target));
        continue;
      }
      Type given = query.schema().type(fromQuery.get(i));
      if (!assignable(given, target)) {
        throw new UnsupportedException(
            "INSERT INTO `%s`: column `%s` is %s, but the query gives %s"
                .formatted(
                    table.name(),
                    schema.name(i),
                    target.withNullable(true),
                    given.withNullable(true)),
            "CAST(… AS %s)".formatted(target.withNullable(true)),
            position);
      }
      columns.add(
          expressions.cast(
              new Expression.Input(fromQuery.get(i), given),
              target.withNullable(given.nullable())));
    }
    return Nodes.project(query, columns, schema);
  }

  /** Flink's implicit casts into a sink: to wider numbers, any length of text, between times. */
  static boolean assignable(Type from, Type to) {
    Kind a = from.kind();
    Kind b = to.kind();
    if (a == b) {
      return switch (a) {
        case ARRAY -> assignable(from.children().getFirst(), to.children().getFirst());
        case ROW ->
            from.children().size() == to.children().size()
                && java.util.stream.IntStream.range(0, from.children().size())
                    .allMatch(i -> assignable(from.children().get(i), to.children().get(i)));
        default -> true;
      };
    }
    if (a == Kind.NULL || (a.isString() && b.isString())) {
      return true;
    }
    if (a.isNumeric() && b.isNumeric()) {
      return widens(a, b);
    }
    if (a.isTimestamp() && b.isTimestamp()) {
      return true;
    }
    return (a == Kind.DATE && b.isTimestamp()) || (a.isTimestamp() && b == Kind.DATE);
  }

  private static boolean widens(Kind from, Kind to) {
    return switch (to) {
      case FLOAT -> from.isInteger() || from == Kind.DECIMAL;
      case DOUBLE -> true;
      case DECIMAL -> from.isInteger();
      default -> from.isInteger() && from.compareTo(to) < 0;
    };
  }
}
