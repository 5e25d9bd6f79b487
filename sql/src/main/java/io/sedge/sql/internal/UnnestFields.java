package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes fields out of ROWs before an UNNEST, not after it. Each element has a copy of its row, so a
 * ROW of which a field is read would be copied whole for each, often with the very array.
 */
final class UnnestFields {
  private final PlanNode.Unnest unnest;
  private final int width;
  private final List<Expression> fields;

  private UnnestFields(PlanNode.Unnest unnest, Set<Expression> fields) {
    this.unnest = unnest;
    this.width = unnest.kept().size();
    this.fields = List.copyOf(fields);
  }

  /**
   * A projection with the same result. Over an UNNEST, or a filter of one, the fields that it reads
   * are columns of their own; the ROWs stay for {@link Pruning} to take away.
   *
   * @param needed which of its columns are read
   */
  static PlanNode.Project below(PlanNode.Project project, BitSet needed) {
    PlanNode.@Nullable Filter filter = project.input() instanceof PlanNode.Filter f ? f : null;
    if (!((filter == null ? project.input() : filter.input()) instanceof PlanNode.Unnest unnest)) {
      return project;
    }
    List<Expression> read = new ArrayList<>();
    needed.stream().forEach(i -> read.add(project.expressions().get(i)));
    if (filter != null) {
      read.add(filter.condition());
    }
    BitSet whole = new BitSet();
    Set<Expression> fields = new LinkedHashSet<>();
    read.forEach(expression -> collect(expression, whole, fields));
    fields.removeIf(field -> whole.get(column(field)) || column(field) >= unnest.kept().size());
    if (fields.isEmpty()) {
      return project;
    }
    UnnestFields moved = new UnnestFields(unnest, fields);
    PlanNode input = moved.unnest();
    return new PlanNode.Project(
        filter == null ? input : new PlanNode.Filter(input, moved.over(filter.condition())),
        project.expressions().stream().map(moved::over).toList(),
        project.schema());
  }

  /** Adds the columns that are read whole, and the fields that are read of others. */
  private static void collect(Expression expression, BitSet whole, Set<Expression> fields) {
    switch (expression) {
      case Expression.Input input -> whole.set(input.column());
      case Expression.Literal _ -> {}
      case Expression.Call call when column(call) >= 0 -> fields.add(call);
      case Expression.Call call ->
          call.arguments().forEach(argument -> collect(argument, whole, fields));
    }
  }

  /** The column that a field is of, or a field of a field; -1 if the expression is no such. */
  private static int column(Expression expression) {
    return switch (expression) {
      case Expression.Call call when call.function().equals("FIELD") ->
          call.arguments().getFirst() instanceof Expression.Input input
              ? input.column()
              : column(call.arguments().getFirst());
      default -> -1;
    };
  }

  /** The UNNEST, which keeps the fields after all that it kept. */
  private PlanNode unnest() {
    PlanNode input = unnest.input();
    int inputWidth = input.schema().size();
    List<Expression> expressions = new ArrayList<>(Expressions.identity(input.schema()));
    List<String> names = new ArrayList<>(input.schema().names());
    List<Type> types = new ArrayList<>(input.schema().types());
    List<Integer> kept = new ArrayList<>(unnest.kept());
    Schema old = unnest.schema();
    List<String> keptNames = new ArrayList<>(old.names().subList(0, width));
    List<Type> keptTypes = new ArrayList<>(old.types().subList(0, width));
    for (int i = 0; i < fields.size(); i++) {
      Expression field = fields.get(i);
      expressions.add(
          Expressions.replaceInputs(
              field, k -> new Expression.Input(unnest.kept().get(k), old.type(k))));
      names.add("$field");
      types.add(field.type());
      kept.add(inputWidth + i);
      keptNames.add("$field");
      keptTypes.add(field.type());
    }
    keptNames.addAll(old.names().subList(width, old.size()));
    keptTypes.addAll(old.types().subList(width, old.size()));
    return new PlanNode.Unnest(
        Nodes.project(input, expressions, Nodes.schema(names, types)),
        unnest.array(),
        kept,
        unnest.ordinality(),
        unnest.outer(),
        Nodes.schema(keptNames, keptTypes));
  }

  /** An expression over the UNNEST as it was, over what it is now. */
  private Expression over(Expression expression) {
    int known = fields.indexOf(expression);
    if (known >= 0) {
      return new Expression.Input(width + known, expression.type());
    }
    return switch (expression) {
      case Expression.Input input ->
          input.column() < width
              ? input
              : new Expression.Input(input.column() + fields.size(), input.type());
      case Expression.Literal literal -> literal;
      case Expression.Call call ->
          call.withArguments(call.arguments().stream().map(this::over).toList());
    };
  }
}
