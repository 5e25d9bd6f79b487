package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.DriftAccumulators;
import io.sedge.learning.DriftOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The table that is told how far the rows that a model scores are from those of its training. */
final class DriftTables {
  private static final String MODEL = "model";

  /**
   * The rows that a query scores.
   *
   * @param scores gives them, each with its score
   * @param columns of the features and the score, in the model's order
   * @param timeColumn event time
   * @param zone in which windows are laid over it
   */
  record Scored(
      DeclaredModel model,
      PlanNode scores,
      List<Integer> columns,
      int timeColumn,
      String zone,
      SqlParserPos position) {}

  private DriftTables() {}

  /** The table that the model names. */
  static DeclaredTable find(Scored scored, Catalog catalog) {
    String name = options(scored).table();
    CatalogTable found = catalog.find(name);
    DeclaredTable table = found == null ? null : found.declared();
    if (table == null) {
      throw new UnsupportedException(
          "model %s: '%s' = '%s', but there is no such table%s"
              .formatted(
                  scored.model().name(),
                  DriftOptions.TABLE,
                  name,
                  Names.didYouMean(name, catalog.names())),
          ("CREATE TABLE %s (model STRING, feature STRING, window_end TIMESTAMP(3), psi DOUBLE)"
                  + " WITH (…) before the query")
              .formatted(name),
          scored.position());
    }
    return table;
  }

  private static DriftOptions options(Scored scored) {
    return scored.model().drift().orElseThrow();
  }

  /** What is said of a query that scores others than one before: two results would alternate. */
  static UnsupportedException otherRows(Scored scored) {
    return new UnsupportedException(
        "model %s: another ML_PREDICT of the script scores other rows by it, and '%s' compares one input with the training"
            .formatted(scored.model().name(), DriftOptions.TABLE),
        "one view of all rows that are scored, by UNION ALL, and ML_PREDICT over that view; or a"
            + " model of its own for each input",
        scored.position());
  }

  /** What each window of scored rows shows, as the table takes it. */
  static PlanNode rows(Scored scored, DeclaredTable table, ExpressionLowering expressions) {
    PlanNode found = elements(windows(scored));
    Schema given = found.schema();
    List<Expression> columns = new ArrayList<>();
    for (Schema.Field field : table.descriptor().schema().fields()) {
      int column = given.indexOf(field.name());
      if (column < 0 && !field.name().equals(MODEL)) {
        List<String> known = new ArrayList<>(List.of(MODEL));
        known.addAll(given.names());
        throw new UnsupportedException(
            "model %s: '%s' = '%s', but nothing is known for its column `%s`"
                .formatted(scored.model().name(), DriftOptions.TABLE, table.name(), field.name()),
            "columns that are among " + String.join(", ", known),
            table.position());
      }
      Expression value =
          column < 0
              ? new Expression.Literal(scored.model().name(), Type.STRING.notNull())
              : new Expression.Input(column, given.type(column));
      checkType(scored, table, field, value.type());
      columns.add(expressions.cast(value, field.type()));
    }
    return Nodes.project(found, columns, table.descriptor().schema());
  }

  /** A cast that gives NULL, or another meaning, would be noticed when it is too late. */
  private static void checkType(
      Scored scored, DeclaredTable table, Schema.Field field, Type given) {
    Kind kind = field.type().kind();
    boolean fits =
        switch (given.kind()) {
          case BIGINT -> kind == Kind.BIGINT || kind == Kind.INT;
          case DOUBLE -> kind == Kind.DOUBLE || kind == Kind.FLOAT;
          case TIMESTAMP -> kind == Kind.TIMESTAMP || kind == Kind.TIMESTAMP_LTZ;
          default -> kind.isString();
        };
    if (!fits) {
      throw new UnsupportedException(
          "model %s: '%s' = '%s', but its column `%s` is %s"
              .formatted(
                  scored.model().name(),
                  DriftOptions.TABLE,
                  table.name(),
                  field.name(),
                  field.type()),
          "%s %s".formatted(field.name(), given.withNullable(true)),
          table.position());
    }
    if (given.nullable() && !field.type().nullable()) {
      throw new UnsupportedException(
          "model %s: '%s' = '%s', but its column `%s` is NOT NULL; a window of rows that cannot be compared has NULL there"
              .formatted(scored.model().name(), DriftOptions.TABLE, table.name(), field.name()),
          "%s %s".formatted(field.name(), field.type().withNullable(true)),
          table.position());
    }
  }

  /** A row for each window: an array of what is known of each column, and the window's bounds. */
  private static PlanNode windows(Scored scored) {
    Schema schema = scored.scores().schema();
    List<Integer> columns = new ArrayList<>(scored.columns());
    columns.add(scored.timeColumn());
    List<Type> types = columns.stream().map(schema::type).toList();
    PlanNode values =
        Nodes.project(
            scored.scores(),
            IntStream.range(0, columns.size())
                .<Expression>mapToObj(i -> new Expression.Input(columns.get(i), types.get(i)))
                .toList(),
            Nodes.schema(columns.stream().map(schema::name).toList(), types));
    AggregateCall call =
        new AggregateCall(
            scored.model().driftName(),
            IntStream.range(0, columns.size()).boxed().toList(),
            types,
            List.of(),
            -1,
            false,
            DriftAccumulators.RESULT,
            "drifts");
    Type time = types.getLast();
    Type windowTime = time.kind() == Kind.TIMESTAMP_LTZ ? Type.timestampLtz(3) : Type.timestamp(3);
    return new PlanNode.WindowAggregate(
        values,
        new Window.Tumbling(options(scored).window().toNanos() / 1_000, 0),
        columns.size() - 1,
        List.of(),
        List.of(call),
        scored.zone(),
        0,
        Schema.builder()
            .add(call.name(), call.type())
            .add(WindowFunctions.START, Type.timestamp(3).notNull())
            .add(WindowFunctions.END, Type.timestamp(3).notNull())
            .add(WindowFunctions.TIME, windowTime.notNull())
            .build());
  }

  /** A row for each element. */
  private static PlanNode elements(PlanNode windows) {
    Type element = DriftAccumulators.RESULT.children().getFirst();
    Schema.Builder schema =
        Schema.builder()
            .add(WindowFunctions.START, windows.schema().type(1))
            .add(WindowFunctions.END, windows.schema().type(2));
    for (int i = 0; i < DriftAccumulators.COLUMNS.size(); i++) {
      schema.add(DriftAccumulators.COLUMNS.get(i), element.children().get(i));
    }
    return new PlanNode.Unnest(windows, 0, List.of(1, 2), false, false, schema.build());
  }
}
