package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.Expression.Place;
import io.sedge.engine.operator.FailedRows;
import io.sedge.engine.operator.FailedRows.FailedRow;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the rows of a table whose event time is NULL, or later than {@link
 * FailedRows#latestTime} allows: one of those would make all rows after it late.
 *
 * <p>A row that is left out is handed on as the table gave it, before the event time was made of
 * it: what is wrong with a time is seen there.
 */
final class EventTimeCheck {
  private final FailedRows failedRows;
  private final List<String> tables;
  private final Schema schema;
  private final int timeColumn;
  private final @Nullable Place place;
  private final EvaluationException timeless;
  private final List<Integer> madeOf;
  private final Schema originSchema;
  private final @Nullable ProjectOperator maker;
  private long withoutTime;

  /**
   * @param tables that the rows come from
   * @param maker the operator that makes the event times, if one does
   */
  EventTimeCheck(
      FailedRows failedRows,
      List<String> tables,
      PlanNode.Watermark plan,
      @Nullable ProjectOperator maker) {
    this.failedRows = failedRows;
    this.tables = List.copyOf(tables);
    this.schema = plan.schema();
    this.timeColumn = plan.timeColumn();
    this.place = plan.watermark() instanceof Expression.Call call ? call.place() : null;
    this.timeless =
        new EvaluationException(
                "the event time `%s` is NULL, so the row is in no window"
                    .formatted(schema.name(timeColumn)))
            .at(place);
    if (maker != null && plan.input() instanceof PlanNode.Project project) {
      this.maker = maker;
      this.originSchema = project.input().schema();
      this.madeOf = inputs(project.expressions().get(timeColumn));
      maker.remember();
    } else {
      this.maker = null;
      this.originSchema = schema;
      this.madeOf = List.of(timeColumn);
    }
  }

  private static List<Integer> inputs(Expression expression) {
    return switch (expression) {
      case Expression.Input input -> List.of(input.column());
      case Expression.Literal _ -> List.of();
      case Expression.Call call ->
          call.arguments().stream()
              .flatMap(argument -> inputs(argument).stream())
              .distinct()
              .toList();
    };
  }

  /** How many rows had no event time so far. */
  long withoutTime() {
    return withoutTime;
  }

  /** The rows that have a time which is not too late. */
  Batch apply(Batch batch) {
    Type type = schema.type(timeColumn);
    long latest =
        tables.isEmpty() ? Long.MAX_VALUE : failedRows.latestTime(tables.getFirst(), type);
    LongColumn time = (LongColumn) batch.column(timeColumn);
    if (time.nulls() == null && (latest == Long.MAX_VALUE || time.greatest() <= latest)) {
      return batch;
    }
    int[] selected = new int[batch.rows()];
    int count = 0;
    for (int i = 0; i < batch.rows(); i++) {
      if (time.isNull(i)) {
        withoutTime++;
        failedRows.takeTimeless(row(batch, i, timeless), madeOf);
      } else if (time.values()[i] > latest) {
        failedRows.takeEarly(row(batch, i, early(time.values()[i], latest, type)));
      } else {
        selected[count++] = i;
      }
    }
    return count == batch.rows() ? batch : batch.gather(selected, count);
  }

  private FailedRow row(Batch batch, int row, EvaluationException failure) {
    Batch origin = maker == null ? null : maker.origin(batch);
    return origin == null
        ? new FailedRow(tables, schema, batch, row, failure)
        : new FailedRow(tables, originSchema, origin, row, failure);
  }

  private EvaluationException early(long time, long latest, Type type) {
    return new EvaluationException(
        () ->
            "the event time `%s` is %s, and now none after %s is taken"
                .formatted(schema.name(timeColumn), text(time, type), text(latest, type)),
        place);
  }

  private static String text(long micros, Type type) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.SECONDS);
    return type.kind() == Kind.TIMESTAMP_LTZ
        ? instant.toString()
        : instant.atOffset(ZoneOffset.UTC).toLocalDateTime().toString();
  }
}
