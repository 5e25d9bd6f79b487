package io.sedge.sql.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlTableColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlComputedColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlMetadataColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlRegularColumn;
import org.apache.flink.sql.parser.ddl.SqlWatermark;
import org.apache.flink.sql.parser.ddl.constraint.SqlTableConstraint;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;

/** Turns CREATE TABLE into {@link DeclaredTable}s. */
final class TableDeclarations {
  private static final Duration DEFAULT_IDLE_AFTER = Duration.ofMinutes(1);

  private final QueryPlanner planner;
  private final ScalarCompiler scalars;
  private final String script;

  TableDeclarations(QueryPlanner planner, ScalarCompiler scalars, String script) {
    this.planner = planner;
    this.scalars = scalars;
    this.script = script;
  }

  /**
   * Declares a table.
   *
   * @param parts the clauses of the statement, those of LIKE included
   */
  DeclaredTable declare(String name, TableParts parts, SqlParserPos position) {
    Map<String, Type> given = new LinkedHashMap<>();
    Map<Integer, String> metadata = new HashMap<>();
    List<String> virtual = new ArrayList<>();
    for (SqlTableColumn column : parts.columns()) {
      switch (column) {
        case SqlRegularColumn regular ->
            given.put(nameOf(column), planner.columnType(regular.getType(), column));
        case SqlMetadataColumn meta -> {
          metadata.put(given.size(), meta.getMetadataAlias().orElse(nameOf(column)));
          given.put(nameOf(column), planner.columnType(meta.getType(), column));
          if (meta.isVirtual()) {
            virtual.add(nameOf(column));
          }
        }
        default -> {}
      }
    }
    Ordered ordered = order(given, metadata);
    List<String> names = parts.columns().stream().map(TableDeclarations::nameOf).toList();
    refuseRepeated(parts.columns());
    Columns columns = columns(parts, ordered.schema());
    int timeColumn = timeColumn(parts, columns);
    Optional<Expression> watermark =
        Optional.ofNullable(parts.watermark())
            .map(clause -> scalars.compile(clause.getWatermarkStrategy(), columns.rowType()));
    Map<String, String> options = new HashMap<>(parts.options());
    String connector = options.remove("connector");
    SourceOptions.ALL.forEach(option -> options.remove(option.key()));
    TableDescriptor descriptor =
        new TableDescriptor(
            name,
            ordered.schema(),
            ordered.metadata(),
            primaryKey(parts, ordered.schema()),
            parts.partitionKeys(),
            options,
            "%s:%d".formatted(script, position.getLineNum()));
    List<Integer> writable =
        ordered.schema().names().stream()
            .filter(column -> !virtual.contains(column))
            .map(names::indexOf)
            .toList();
    return new DeclaredTable(
        name,
        columns.rowType(),
        columns.expressions(),
        timeColumn,
        watermark,
        perKey(name, parts.options(), columns, timeColumn, position),
        descriptor,
        connector == null ? "" : connector,
        writable,
        parts.options(),
        position);
  }

  private record Ordered(Schema schema, Map<Integer, String> metadata) {}

  /** The connector's columns: physical ones, then metadata ones. */
  private static Ordered order(Map<String, Type> given, Map<Integer, String> metadata) {
    Schema.Builder builder = Schema.builder();
    Map<Integer, String> positions = new HashMap<>();
    List<Map.Entry<String, Type>> columns = List.copyOf(given.entrySet());
    int next = 0;
    for (int i = 0; i < columns.size(); i++) {
      if (!metadata.containsKey(i)) {
        builder.add(columns.get(i).getKey(), columns.get(i).getValue());
        next++;
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      String key = metadata.get(i);
      if (key != null) {
        builder.add(columns.get(i).getKey(), columns.get(i).getValue());
        positions.put(next++, key);
      }
    }
    return new Ordered(builder.build(), positions);
  }

  private record Columns(RelDataType rowType, List<Expression> expressions) {}

  /** All columns in their order: those of the connector, and computed ones over them. */
  private Columns columns(TableParts parts, Schema schema) {
    RelDataTypeFactory.Builder physical = planner.types().builder();
    schema
        .fields()
        .forEach(field -> physical.add(field.name(), Types.of(field.type(), planner.types())));
    RelDataType physicalType = physical.build();
    RelDataTypeFactory.Builder all = planner.types().builder();
    List<Expression> expressions = new ArrayList<>();
    for (SqlTableColumn column : parts.columns()) {
      if (column instanceof SqlComputedColumn computed) {
        ScalarCompiler.Typed typed = scalars.compileTyped(computed.getExpr(), physicalType);
        expressions.add(typed.expression());
        all.add(nameOf(column), typed.type());
      } else {
        int index = schema.indexOf(nameOf(column));
        expressions.add(new Expression.Input(index, schema.type(index)));
        all.add(nameOf(column), Types.of(schema.type(index), planner.types()));
      }
    }
    return new Columns(all.build(), expressions);
  }

  private static int timeColumn(TableParts parts, Columns columns) {
    SqlWatermark watermark = parts.watermark();
    if (watermark == null) {
      return -1;
    }
    SqlIdentifier column = watermark.getEventTimeColumnName();
    SqlParserPos position = column.getParserPosition();
    if (!column.isSimple()) {
      throw new UnsupportedException(
          "WATERMARK FOR takes a column, not a field of one (%s)".formatted(column),
          "a computed column for it: ts AS %s, WATERMARK FOR ts AS …".formatted(column),
          position);
    }
    int index = columns.rowType().getFieldNames().indexOf(column.getSimple());
    if (index < 0) {
      throw new UnsupportedException(
          "WATERMARK FOR `%s`: there is no such column%s"
              .formatted(
                  column, Names.didYouMean(column.getSimple(), columns.rowType().getFieldNames())),
          null,
          position);
    }
    Type type = columns.expressions().get(index).type();
    if (!type.kind().isTimestamp()) {
      throw new UnsupportedException(
          "WATERMARK FOR `%s`: the column is %s, not TIMESTAMP or TIMESTAMP_LTZ"
              .formatted(column, type.withNullable(true)),
          type.kind().isNumeric()
              ? "a computed column: ts AS TO_TIMESTAMP_LTZ(%s, 3), WATERMARK FOR ts AS …"
                  .formatted(column)
              : "a computed column: ts AS TO_TIMESTAMP(%s), WATERMARK FOR ts AS …"
                  .formatted(column),
          position);
    }
    return index;
  }

  /** The sensors that each have a clock of their own, if the table says so. */
  private static Optional<PlanNode.Watermark.PerKey> perKey(
      String table,
      Map<String, String> options,
      Columns columns,
      int timeColumn,
      SqlParserPos position) {
    String column = options.get(SourceOptions.PER_KEY);
    Optional<Duration> idleAfter =
        TableUse.duration(table, options, SourceOptions.PER_KEY_IDLE_AFTER, position);
    if (column == null) {
      if (idleAfter.isPresent()) {
        throw new UnsupportedException(
            "table `%s`: '%s' says nothing without '%s'"
                .formatted(table, SourceOptions.PER_KEY_IDLE_AFTER, SourceOptions.PER_KEY),
            "'%s' = 'the column of the sensor'".formatted(SourceOptions.PER_KEY),
            position);
      }
      return Optional.empty();
    }
    List<String> names = columns.rowType().getFieldNames();
    int index = names.indexOf(column);
    if (index < 0) {
      throw new UnsupportedException(
          "table `%s`: '%s' = '%s': there is no such column%s"
              .formatted(table, SourceOptions.PER_KEY, column, Names.didYouMean(column, names)),
          null,
          position);
    }
    if (timeColumn < 0) {
      throw new UnsupportedException(
          "table `%s`: '%s' needs WATERMARK FOR".formatted(table, SourceOptions.PER_KEY),
          "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND",
          position);
    }
    Duration idle = idleAfter.orElse(DEFAULT_IDLE_AFTER);
    if (idle.toMillis() <= 0) {
      throw new UnsupportedException(
          "table `%s`: '%s' is less than 1 ms".formatted(table, SourceOptions.PER_KEY_IDLE_AFTER),
          null,
          position);
    }
    Kind kind = columns.expressions().get(index).type().kind();
    if (index == timeColumn || !isKey(kind)) {
      throw new UnsupportedException(
          "table `%s`: '%s' = '%s': a %s does not name a sensor"
              .formatted(table, SourceOptions.PER_KEY, column, kind),
          "the column of the sensor's name or number",
          position);
    }
    return Optional.of(
        new PlanNode.Watermark.PerKey(index, TimeUnit.MILLISECONDS.toMicros(idle.toMillis())));
  }

  private static boolean isKey(Kind kind) {
    return switch (kind) {
      case FLOAT, DOUBLE, ARRAY, ROW, TIMESTAMP, TIMESTAMP_LTZ -> false;
      default -> true;
    };
  }

  private static List<Integer> primaryKey(TableParts parts, Schema schema) {
    List<Integer> key = new ArrayList<>();
    for (SqlTableConstraint constraint : parts.constraints()) {
      if (!constraint.isPrimaryKey()) {
        throw new UnsupportedException(
            "UNIQUE is not supported",
            "PRIMARY KEY (…) NOT ENFORCED",
            constraint.getParserPosition());
      }
      if (constraint.isEnforced()) {
        throw new UnsupportedException(
            "a stream cannot enforce a PRIMARY KEY",
            "PRIMARY KEY (…) NOT ENFORCED",
            constraint.getParserPosition());
      }
      for (String column : constraint.getColumnNames()) {
        int index = schema.indexOf(column);
        if (index < 0) {
          throw new UnsupportedException(
              "PRIMARY KEY: there is no column `%s` that is not computed%s"
                  .formatted(column, Names.didYouMean(column, schema.names())),
              null,
              constraint.getParserPosition());
        }
        key.add(index);
      }
    }
    return key;
  }

  private static void refuseRepeated(List<SqlTableColumn> columns) {
    List<String> seen = new ArrayList<>();
    for (SqlTableColumn column : columns) {
      if (seen.contains(nameOf(column))) {
        throw new UnsupportedException(
            "column `%s` is declared twice".formatted(nameOf(column)),
            null,
            column.getName().getParserPosition());
      }
      seen.add(nameOf(column));
    }
  }

  private static String nameOf(SqlTableColumn column) {
    return column.getName().getSimple();
  }

  /** The clauses of a CREATE TABLE without LIKE. */
  static TableParts parts(SqlCreateTable create) {
    List<SqlTableColumn> columns = new ArrayList<>();
    for (SqlNode node : create.getColumnList()) {
      columns.add((SqlTableColumn) node);
    }
    return new TableParts(
        columns,
        create.getWatermark().orElse(null),
        create.getFullConstraints(),
        create.getPartitionKeyList(),
        create.getProperties());
  }
}
