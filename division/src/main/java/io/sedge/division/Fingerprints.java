package io.sedge.division;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Tells what steps of two versions of a job mean the same by what they keep. A step's print is made
 * of what its state depends on: what it does, and the prints of what feeds it, down to the tables.
 * It does not depend on the names of columns, nor on columns that are carried along and that no
 * state holds, so that a query that needs one more column of a table leaves the others what they
 * were. One thread.
 */
final class Fingerprints {
  private final Job job;
  private final Map<String, PlanNode.WindowAggregate> inTwoSteps;
  private final Function<PlanNode.Scan, String> tables;
  private final Map<PlanNode, Print> known = new HashMap<>();

  /**
   * What a step gives.
   *
   * @param rows tells which rows, and at which times; of a step with state, all that it depends on
   * @param columns tells what each of its columns holds
   */
  record Print(String rows, List<String> columns) {
    Print {
      columns = List.copyOf(columns);
    }

    /** Of rows that are kept whole. */
    String whole() {
      return digest(rows, columns);
    }
  }

  /**
   * @param inTwoSteps the aggregations that are done in two steps, by the name of both
   * @param tables what tells a table from others
   */
  Fingerprints(
      Job job,
      Map<String, PlanNode.WindowAggregate> inTwoSteps,
      Function<PlanNode.Scan, String> tables) {
    this.job = job;
    this.inTwoSteps = Map.copyOf(inTwoSteps);
    this.tables = tables;
  }

  Print of(PlanNode node) {
    Print print = known.get(node);
    if (print == null) {
      print = make(node, node.inputs().stream().map(this::of).toList());
      known.put(node, print);
    }
    return print;
  }

  private Print make(PlanNode node, List<Print> inputs) {
    return switch (node) {
      case PlanNode.Scan scan -> scan(scan);
      case PlanNode.Values values ->
          numbered(digest("values", values.rows(), values.schema().types()), values.schema());
      case PlanNode.Filter filter -> {
        Print input = inputs.getFirst();
        String condition = text(filter.condition(), input.columns());
        yield new Print(digest("filter", input.rows(), condition), input.columns());
      }
      case PlanNode.Project project -> {
        Print input = inputs.getFirst();
        yield new Print(
            input.rows(),
            project.expressions().stream().map(each -> text(each, input.columns())).toList());
      }
      case PlanNode.Watermark watermark -> {
        Print input = inputs.getFirst();
        String time = input.columns().get(watermark.timeColumn());
        String expression = text(watermark.watermark(), input.columns());
        PlanNode.Watermark.PerKey perKey = watermark.perKey();
        String keys =
            perKey == null
                ? ""
                : "%s %d".formatted(input.columns().get(perKey.column()), perKey.idleAfter());
        yield new Print(digest("watermark", input.rows(), time, expression, keys), input.columns());
      }
      case PlanNode.WindowAssign assign -> {
        Print input = inputs.getFirst();
        String rows =
            digest(
                "windows",
                input.rows(),
                assign.window(),
                input.columns().get(assign.timeColumn()),
                assign.zone());
        yield more(rows, input.columns(), assign.schema());
      }
      case PlanNode.LateRows late -> {
        Print input = of(late.window().input());
        yield new Print(digest("late", inputs.getFirst().rows()), input.columns());
      }
      case PlanNode.Unnest unnest -> {
        Print input = inputs.getFirst();
        String array = input.columns().get(unnest.array());
        String rows = digest("unnest", input.rows(), array, unnest.ordinality(), unnest.outer());
        yield more(rows, columns(unnest.kept(), input), unnest.schema());
      }
      case PlanNode.Union _ -> union(inputs);
      case PlanNode.Limit limit -> {
        Print input = inputs.getFirst();
        yield new Print(digest("limit", input.rows(), limit.count()), input.columns());
      }
      case PlanNode.WindowAggregate _, PlanNode.GroupAggregate _, PlanNode.OverAggregate _ ->
          aggregate(node, inputs.getFirst());
      case PlanNode.TopN top -> topN(top, inputs.getFirst());
      case PlanNode.IntervalJoin join -> join(join, inputs.getFirst(), inputs.getLast());
      case PlanNode.LookupJoin join -> join(join, inputs.getFirst(), inputs.getLast());
    };
  }

  private Print scan(PlanNode.Scan scan) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < scan.schema().size(); i++) {
      columns.add(digest("column", i, scan.schema().name(i), scan.schema().type(i)));
    }
    List<String> times = scan.timeColumns().stream().map(columns::get).toList();
    return new Print(digest("scan", tables.apply(scan), times), columns);
  }

  private Print aggregate(PlanNode node, Print input) {
    List<String> in = input.columns();
    return switch (node) {
      case PlanNode.WindowAggregate window ->
          numbered(
              digest(
                  "window aggregate",
                  input.rows(),
                  window.window(),
                  in.get(window.timeColumn()),
                  columns(window.keys(), input),
                  calls(window.aggregates(), input),
                  window.zone(),
                  window.allowedLateness()),
              window.schema());
      case PlanNode.GroupAggregate group ->
          numbered(
              digest(
                  "group aggregate",
                  input.rows(),
                  columns(group.keys(), input),
                  calls(group.aggregates(), input)),
              group.schema());
      case PlanNode.OverAggregate over ->
          more(
              digest(
                  "over",
                  input.whole(),
                  columns(over.partition(), input),
                  in.get(over.timeColumn()),
                  over.frame(),
                  calls(over.aggregates(), input)),
              in,
              over.schema());
      default -> throw new IllegalArgumentException("%s does not aggregate".formatted(node));
    };
  }

  private static Print topN(PlanNode.TopN top, Print input) {
    List<String> orderings = new ArrayList<>();
    for (Ordering ordering : top.orderings()) {
      orderings.add(
          digest(
              input.columns().get(ordering.column()),
              ordering.descending(),
              ordering.nullsFirst()));
    }
    String rows =
        digest(
            "top",
            input.whole(),
            columns(top.partition(), input),
            orderings,
            top.from(),
            top.to(),
            top.windowEnd() < 0 ? "" : input.columns().get(top.windowEnd()),
            top.zone(),
            top.rankName() != null);
    return more(rows, input.columns(), top.schema());
  }

  private Print join(PlanNode.IntervalJoin join, Print left, Print right) {
    List<String> columns = both(left, right);
    String rows =
        digest(
            "interval join",
            left.whole(),
            right.whole(),
            join.kind(),
            columns(join.leftKeys(), left),
            columns(join.rightKeys(), right),
            left.columns().get(join.leftTime()),
            right.columns().get(join.rightTime()),
            join.lower(),
            join.upper(),
            join.ofWindows(),
            text(join.condition(), columns));
    return new Print(rows, columns.stream().map(column -> digest(rows, column)).toList());
  }

  private Print join(PlanNode.LookupJoin join, Print input, Print table) {
    List<String> columns = both(input, table);
    String rows =
        digest(
            "lookup join",
            input.rows(),
            table.whole(),
            join.kind(),
            columns(join.inputKeys(), input),
            columns(join.tableKeys(), table),
            text(join.condition(), columns));
    return new Print(rows, columns);
  }

  private static List<String> both(Print left, Print right) {
    List<String> columns = new ArrayList<>(left.columns());
    right.columns().forEach(column -> columns.add(digest("right", right.rows(), column)));
    return columns;
  }

  private static Print union(List<Print> inputs) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < inputs.getFirst().columns().size(); i++) {
      int column = i;
      columns.add(
          digest("union", inputs.stream().map(input -> input.columns().get(column)).toList()));
    }
    return new Print(digest("union", inputs.stream().map(Print::rows).toList()), columns);
  }

  /** The columns of a step all of which it makes. */
  private static Print numbered(String rows, Schema schema) {
    return more(rows, List.of(), schema);
  }

  /** The columns of a step that passes some on and makes those after them. */
  private static Print more(String rows, List<String> passed, Schema schema) {
    List<String> columns = new ArrayList<>(passed);
    IntStream.range(passed.size(), schema.size())
        .forEach(i -> columns.add(digest(rows, i - passed.size())));
    return new Print(rows, columns);
  }

  private static List<String> columns(List<Integer> columns, Print input) {
    return columns.stream().map(input.columns()::get).toList();
  }

  private List<String> calls(List<AggregateCall> calls, Print input) {
    return calls.stream()
        .map(
            call ->
                digest(
                    function(call.function()),
                    columns(call.arguments(), input),
                    call.argumentTypes(),
                    call.parameters(),
                    call.filter() < 0 ? "" : input.columns().get(call.filter()),
                    call.distinct(),
                    call.type()))
        .toList();
  }

  private String text(Optional<Expression> expression, List<String> columns) {
    return expression.map(each -> text(each, columns)).orElse("");
  }

  private String text(Expression expression, List<String> columns) {
    return switch (expression) {
      case Expression.Input input -> columns.get(input.column());
      case Expression.Literal literal -> digest("literal", literal, literal.type());
      case Expression.Call call ->
          digest(
              function(call.function()),
              call.arguments().stream().map(argument -> text(argument, columns)).toList(),
              call.type(),
              job.settings().getOrDefault(Job.ZONE, ""));
    };
  }

  /**
   * What a function's name stands for. Those that shards and the merging task share are numbered
   * through the job: they are told by what they aggregate.
   */
  private String function(String name) {
    for (Map.Entry<String, PlanNode.WindowAggregate> entry : inTwoSteps.entrySet()) {
      if (name.endsWith(entry.getKey())) {
        String kind = name.substring(0, name.length() - entry.getKey().length());
        PlanNode.WindowAggregate window = entry.getValue();
        return digest(kind, calls(window.aggregates(), of(window.input())));
      }
    }
    String meant = name.startsWith(Job.WATCHED) ? name.substring(Job.WATCHED.length()) : name;
    return digest(meant, job.userFunctions().getOrDefault(name, ""));
  }

  /** SHA-256, so that prints of prints stay short. */
  static String digest(Object... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Object part : parts) {
        byte[] bytes = Objects.toString(part).getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
