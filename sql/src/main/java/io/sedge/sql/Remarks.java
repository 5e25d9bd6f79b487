package io.sedge.sql;

import io.sedge.connector.SecretKeys;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What may be better in a script that is accepted, for whoever checks it. */
public final class Remarks {
  private final boolean skips;
  private final Set<Expression.Call> casts = new LinkedHashSet<>();

  private Remarks(boolean skips) {
    this.skips = skips;
  }

  /**
   * A line for each secret that is named, and for each option that should name one; then for each
   * CAST of a text that may fail, in the order of the script.
   */
  public static List<String> of(Job job) {
    return Stream.of(named(job), literal(job), casts(job)).flatMap(List::stream).toList();
  }

  private static List<String> named(Job job) {
    return SecretReferences.of(job).entrySet().stream()
        .map(
            secret ->
                "the secret %s is taken for %s when the table is opened: on a site `sedge secret set %s` gives it, `sedge run` takes it from --secrets-file"
                    .formatted(
                        secret.getKey(), String.join(", ", secret.getValue()), secret.getKey()))
        .toList();
  }

  /** Passwords and the like that stand in the script, and so in the ledger of a site. */
  private static List<String> literal(Job job) {
    return Stream.concat(
            job.sources().values().stream().map(Job.SourceTable::table),
            job.sinks().values().stream().map(Job.SinkTable::table))
        .flatMap(Remarks::literal)
        .sorted()
        .distinct()
        .toList();
  }

  private static Stream<String> literal(TableDescriptor table) {
    return table.options().entrySet().stream()
        .filter(option -> SecretKeys.isSecret(option.getKey()))
        .filter(option -> !option.getValue().isEmpty())
        .filter(option -> SecretReferences.names(option.getValue()).isEmpty())
        .map(
            option ->
                "table %s: '%s' stands in the script in clear, and so in the ledger of a site; '%s' = '%s' keeps it out of both"
                    .formatted(
                        table.name(),
                        option.getKey(),
                        option.getKey(),
                        SecretReferences.reference("NAME")));
  }

  /** A line for each CAST of a text that may fail, in the order of the script. */
  public static List<String> casts(Job job) {
    Remarks remarks = new Remarks(job.skipsFailedRows());
    for (Plan.SinkNode sink : job.plan().sinks()) {
      remarks.visit(sink.input());
    }
    return remarks.casts.stream()
        .sorted(
            Comparator.comparingInt((Expression.Call cast) -> place(cast).line())
                .thenComparingInt(cast -> place(cast).column()))
        .map(remarks::text)
        .distinct()
        .toList();
  }

  private static Expression.Place place(Expression.Call cast) {
    Expression.Place place = cast.place();
    return place == null ? new Expression.Place(1, 1) : place;
  }

  private void visit(PlanNode node) {
    expressions(node).forEach(this::visit);
    node.inputs().forEach(this::visit);
  }

  private static Stream<Expression> expressions(PlanNode node) {
    return switch (node) {
      case PlanNode.Filter filter -> Stream.of(filter.condition());
      case PlanNode.Project project -> project.expressions().stream();
      case PlanNode.Watermark watermark -> Stream.of(watermark.watermark());
      case PlanNode.IntervalJoin join -> join.condition().stream();
      case PlanNode.LookupJoin join -> join.condition().stream();
      case PlanNode.Scan _,
          PlanNode.Values _,
          PlanNode.WindowAssign _,
          PlanNode.WindowAggregate _,
          PlanNode.LateRows _,
          PlanNode.GroupAggregate _,
          PlanNode.OverAggregate _,
          PlanNode.TopN _,
          PlanNode.Unnest _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          Stream.of();
    };
  }

  private void visit(Expression expression) {
    if (expression instanceof Expression.Call call) {
      if (call.place() != null && mayFail(call)) {
        casts.add(call);
      }
      call.arguments().forEach(this::visit);
    }
  }

  /** Texts are what sources give for anything; other casts fail for few values. */
  private static boolean mayFail(Expression.Call call) {
    return call.function().equals("CAST")
        && call.arguments().getFirst().type().kind().isString()
        && !call.type().kind().isString();
  }

  private String text(Expression.Call cast) {
    Type type = cast.type().withNullable(true);
    return "%s: CAST(… AS %s) fails for a text that is no %s, and %s; TRY_CAST gives NULL"
        .formatted(
            place(cast),
            type,
            type.kind(),
            skips ? "the row is left out and counted" : "the job ends");
  }
}
