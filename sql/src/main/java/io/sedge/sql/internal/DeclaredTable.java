package io.sedge.sql.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What CREATE TABLE has declared.
 *
 * @param name of the table
 * @param rowType all its columns, as queries see them
 * @param columns where each of them comes from, over the columns of {@code descriptor}: an input or
 *     a computed column's expression
 * @param timeColumn the column of WATERMARK FOR, or -1
 * @param watermark its expression, over all columns
 * @param perKey the column of the sensors that each have a watermark, if they do
 * @param descriptor the table as its connector sees it
 * @param connector the value of its option {@code connector}
 * @param writable the positions in {@code rowType} of the columns that INSERT gives, in the order
 *     of the descriptor's columns; metadata columns that are VIRTUAL are not among them
 * @param allOptions what stands in WITH (…), {@code connector} included
 * @param position where it is declared
 */
record DeclaredTable(
    String name,
    RelDataType rowType,
    List<Expression> columns,
    int timeColumn,
    Optional<Expression> watermark,
    Optional<PlanNode.Watermark.PerKey> perKey,
    TableDescriptor descriptor,
    String connector,
    List<Integer> writable,
    java.util.Map<String, String> allOptions,
    SqlParserPos position) {
  DeclaredTable {
    columns = List.copyOf(columns);
    writable = List.copyOf(writable);
    allOptions = java.util.Map.copyOf(allOptions);
  }

  DeclaredTable withDescriptor(TableDescriptor its) {
    return new DeclaredTable(
        name,
        rowType,
        columns,
        timeColumn,
        watermark,
        perKey,
        its,
        connector,
        writable,
        allOptions,
        position);
  }
}
