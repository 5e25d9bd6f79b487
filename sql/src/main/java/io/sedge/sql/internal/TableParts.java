package io.sedge.sql.internal;

import java.util.List;
import java.util.Map;
import org.apache.flink.sql.parser.ddl.SqlTableColumn;
import org.apache.flink.sql.parser.ddl.SqlWatermark;
import org.apache.flink.sql.parser.ddl.constraint.SqlTableConstraint;
import org.jspecify.annotations.Nullable;

/** The clauses of CREATE TABLE; kept, so that a later table may be LIKE it. */
record TableParts(
    List<SqlTableColumn> columns,
    @Nullable SqlWatermark watermark,
    List<SqlTableConstraint> constraints,
    List<String> partitionKeys,
    Map<String, String> options) {
  TableParts {
    columns = List.copyOf(columns);
    constraints = List.copyOf(constraints);
    partitionKeys = List.copyOf(partitionKeys);
    options = Map.copyOf(options);
  }
}
