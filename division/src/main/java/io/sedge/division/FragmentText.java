package io.sedge.division;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.Division;
import io.sedge.division.Cut.Exchange;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.PartialAggregates;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * How a job is divided, in words: by what, what each shard does alone, what goes through the
 * exchange and how much that is, and what is merged. Stateless.
 */
final class FragmentText {
  private static final int SHOWN_SHARDS = 8;

  private FragmentText() {}

  /**
   * The text, in lines; the same for equal arguments.
   *
   * @param divisions of each source table; one that is absent is not divided
   * @param repeating the sink tables that may get rows again, with the changes that they take
   */
  static String of(Job job, Map<String, Division> divisions, Map<String, ChangelogMode> repeating) {
    StringBuilder text = new StringBuilder("on a site\n");
    demand(text, "", job.labels());
    new TreeMap<>(job.sources())
        .forEach((table, source) -> demand(text, table + " is read ", source.labels()));
    new TreeMap<>(job.sinks())
        .forEach((table, sink) -> demand(text, table + " is written ", sink.labels()));
    new TreeMap<>(repeating)
        .forEach(
            (table, changes) ->
                line(
                    text,
                    1,
                    table
                        + " gets rows at least once: when a device dies, the last ones may come"
                        + " again"
                        + (changes == ChangelogMode.UPSERT
                            ? "; what each key has then is the same"
                            : "")));
    new TreeMap<>(divisions)
        .forEach(
            (table, division) -> {
              if (division instanceof Division.Undiscovered) {
                line(text, 1, table + " is to be divided " + by(job, table, division));
              }
            });
    Map<String, Division> divided = Fragments.divided(job, divisions);
    if (divided.isEmpty()) {
      line(
          text,
          1,
          job.batch()
              ? "one task, on one device at a time: what it does needs the rows of all parts"
              : "one task, on one device at a time: none of its sources is divided");
      return text.toString();
    }
    Cut cut = new Cut(job, divided);
    divided.forEach(
        (table, division) -> {
          line(text, 1, table + " is divided " + by(job, table, division));
          shard(text, table, cut);
        });
    merge(text, cut.ofMerge());
    return text.toString();
  }

  /** What the sites give the center, and what it makes of that, in lines. */
  static String ofSites(Job job, AcrossSites cut) {
    StringBuilder text = new StringBuilder("across sites\n");
    for (CenterMerge merge : cut.merges()) {
      line(
          text,
          1,
          "each site gives the center, in %s, for each %s one row with the accumulators of %s"
              .formatted(merge.partsTable(), slice(merge.aggregated()), calls(merge.aggregated())));
      line(text, 1, "the center merges these to the rows of " + merge.table().name());
    }
    if (cut.merges().isEmpty()) {
      line(text, 1, "nothing is left to merge: each site has rows of its own");
    } else {
      line(
          text,
          1,
          "it waits %s for a site that has given nothing of a window; what comes later corrects the row"
              .formatted(duration(TimeUnit.NANOSECONDS.toMicros(job.mergeWait().toNanos()))));
    }
    return text.toString();
  }

  private static void demand(StringBuilder text, String what, Map<String, String> labels) {
    if (!labels.isEmpty()) {
      line(
          text,
          1,
          "%sonly on devices with %s"
              .formatted(
                  what,
                  new TreeMap<>(labels)
                      .entrySet().stream()
                          .map(Object::toString)
                          .collect(Collectors.joining(" and "))));
    }
  }

  private static String by(Job job, String table, Division division) {
    return switch (division) {
      case Division.Whole _ -> "not at all";
      case Division.Undiscovered(int column, String _) ->
          "by %s, whose values are looked for when the job is submitted; until then:"
              .formatted(
                  requireNonNull(job.sources().get(table), table).table().schema().name(column));
      case Division.ByPart _ -> "into parts of its input, as many as suit the devices";
      case Division.ByDevice _ -> "by device: each reads its own";
      case Division.ByKey(int column, List<String> shards) ->
          "by %s into %d shards: %s%s"
              .formatted(
                  requireNonNull(job.sources().get(table), table).table().schema().name(column),
                  shards.size(),
                  shards.stream().limit(SHOWN_SHARDS).collect(Collectors.joining(", ")),
                  shards.size() > SHOWN_SHARDS ? " …" : "");
    };
  }

  private static void shard(StringBuilder text, String table, Cut cut) {
    List<Exchange> given =
        cut.exchanges().stream().filter(exchange -> exchange.table().equals(table)).toList();
    List<String> names = given.stream().map(Exchange::name).toList();
    List<String> sinks = new ArrayList<>(sinks(cut.ofShards(table)));
    sinks.removeAll(names);
    line(text, 2, "each shard is a task, on whichever device has time for it, and");
    if (!sinks.isEmpty()) {
      line(text, 3, "gives rows of " + String.join(", ", sinks) + ", which need nothing else");
    }
    for (Exchange exchange : given) {
      line(text, 3, "gives the merging task %s: %s".formatted(exchange.name(), volume(exchange)));
    }
    if (given.stream().anyMatch(Exchange::isEveryReading)) {
      line(
          text,
          3,
          "so every reading goes through the site's ledger, to all its devices: where that is too"
              + " much,");
      line(
          text,
          3,
          "group by the column that the table is divided by, or aggregate in windows first");
    }
  }

  private static void merge(StringBuilder text, Plan plan) {
    if (plan.sinks().isEmpty()) {
      line(text, 1, "nothing is left to merge");
      return;
    }
    line(
        text,
        1,
        "one task, on any device, merges that and gives rows of " + String.join(", ", sinks(plan)));
  }

  private static List<String> sinks(Plan plan) {
    return List.copyOf(new TreeSet<>(plan.sinks().stream().map(Plan.SinkNode::table).toList()));
  }

  private static String volume(Exchange exchange) {
    Schema schema = exchange.scan().schema();
    return exchange
        .partial()
        .map(
            window ->
                "for each %s one row with the accumulators of %s"
                    .formatted(slice(window), calls(window)))
        .orElseGet(
            () ->
                "%s (%s)"
                    .formatted(
                        switch (RowBounds.of(exchange.inShard())) {
                          case EVERY -> "a row for every reading";
                          case FILTERED -> "a row for every reading that passes the filters";
                          case AGGREGATED -> "the rows of what it has aggregated";
                        },
                        String.join(", ", schema.names())));
  }

  private static String slice(PlanNode.WindowAggregate window) {
    Schema input = window.input().schema();
    List<String> parts = new ArrayList<>(window.keys().stream().map(input::name).toList());
    parts.add(
        switch (window.window()) {
          case Window.Tumbling(long size, long _) -> "window of " + duration(size);
          case Window.Hopping(long _, long slide, long _) -> "slice of " + duration(slide);
          case Window.Cumulating(long _, long step, long _) -> "slice of " + duration(step);
          case Window.Session _ -> "session";
        });
    return String.join(", ", parts);
  }

  private static String calls(PlanNode.WindowAggregate window) {
    Schema input = window.input().schema();
    return window.aggregates().isEmpty()
        ? "nothing: the keys are all"
        : window.aggregates().stream()
            .map(call -> call(call, input))
            .collect(Collectors.joining(", "));
  }

  private static String call(AggregateCall call, Schema input) {
    if (PartialAggregates.isPartial(call)) {
      return "the parts of windows that all sites have";
    }
    String arguments =
        call.arguments().isEmpty()
            ? "*"
            : call.arguments().stream().map(input::name).collect(Collectors.joining(", "));
    return "%s(%s%s)".formatted(call.function(), call.distinct() ? "DISTINCT " : "", arguments);
  }

  private static String duration(long micros) {
    return Duration.ofNanos(micros * 1_000).toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static void line(StringBuilder text, int depth, String line) {
    text.append("  ".repeat(depth)).append(line).append('\n');
  }
}
