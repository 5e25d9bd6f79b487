package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Keep;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.Source;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tables that are read anew at intervals, since rows are looked up in them: those of Flink's
 * look-up options ({@code org.apache.flink.table.connector.source.lookup.LookupOptions} of Flink
 * 2.3) that are about a cache of the whole table.
 */
final class LookupCache {
  private static final String CACHE = "lookup.cache";
  private static final String FULL = "FULL";
  private static final String STRATEGY = "lookup.full-cache.reload-strategy";
  private static final String PERIODIC = "PERIODIC";
  private static final String INTERVAL = "lookup.full-cache.periodic-reload.interval";
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  static final List<Option> OPTIONS =
      List.of(
          Option.choice(
              CACHE,
              FULL,
              List.of(FULL),
              "What is kept of a table that rows are looked up in: all of it."),
          Option.choice(
              STRATEGY,
              PERIODIC,
              List.of(PERIODIC),
              "When such a table is read anew: at intervals."),
          Option.optional(
              INTERVAL,
              Option.Kind.DURATION,
              "How long after it was read such a table is read anew; it is read once unless"
                  + " given."));

  private LookupCache() {}

  /** After what time a table is read anew, if it is. */
  static Optional<Duration> interval(DeclaredTable table, Source source) {
    Map<String, String> given = new HashMap<>(table.allOptions());
    given.keySet().retainAll(OPTIONS.stream().map(Option::key).toList());
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Options options = Options.of(table.name(), OPTIONS, given);
    checkChoices(table, options);
    if (!given.containsKey(INTERVAL)) {
      throw refusal(
          table,
          given.containsKey(CACHE) ? CACHE : STRATEGY,
          "needs how old its rows may be",
          "'%s' = '10 min'".formatted(INTERVAL));
    }
    if (!given.containsKey(CACHE)) {
      throw refusal(
          table,
          INTERVAL,
          "is for a table that is kept whole",
          "'%s' = '%s'".formatted(CACHE, FULL));
    }
    if (!source.bounded()) {
      throw refusal(table, CACHE, "is for a table that ends; this one does not", null);
    }
    if (!source.isRepeatable()) {
      throw refusal(
          table,
          CACHE,
          "is for a table that begins at the same place each time that it is read; this one goes on"
              + " where its readers have come to",
          "'scan.startup.mode' = 'earliest-offset'");
    }
    switch (source.division()) {
      case Division.ByKey _, Division.ByDevice _, Division.Undiscovered _ ->
          throw refusal(
              table,
              CACHE,
              "is for a table that each device may read whole; this one is divided",
              null);
      case Division.Whole _, Division.ByPart _ -> {}
    }
    if (table.allOptions().containsKey(Keep.AGE)) {
      throw refusal(
          table,
          CACHE,
          "cannot be used together with '%s': each reading would be kept again".formatted(Keep.AGE),
          null);
    }
    return Optional.of(interval(table, options));
  }

  private static void checkChoices(DeclaredTable table, Options options) {
    try {
      var _ = options.choice(CACHE);
      var _ = options.choice(STRATEGY);
    } catch (ConnectorException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null, table.position());
    }
  }

  private static Duration interval(DeclaredTable table, Options options) {
    try {
      Duration interval = options.duration(INTERVAL);
      if (interval.compareTo(SHORTEST) < 0) {
        throw options.wrong(INTERVAL, "is less than 1 s");
      }
      return interval;
    } catch (ConnectorException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null, table.position());
    }
  }

  /** The tables that are read anew although the plan makes something else of them. */
  static Set<String> misused(Plan plan, Map<String, Job.SourceTable> sources) {
    Set<String> streams = new TreeSet<>();
    plan.sinks().forEach(sink -> collectStreams(sink.input(), false, streams));
    streams.retainAll(
        sources.values().stream()
            .filter(source -> source.reloadInterval().isPresent())
            .map(source -> source.table().name())
            .toList());
    return streams;
  }

  /**
   * @param lookedUp whether rows are only looked up in what the node gives, and each row of it is
   *     made of one of the table
   */
  private static void collectStreams(PlanNode node, boolean lookedUp, Set<String> streams) {
    switch (node) {
      case PlanNode.Scan scan -> {
        if (!lookedUp) {
          streams.add(scan.table());
        }
      }
      case PlanNode.LookupJoin join -> {
        collectStreams(join.input(), false, streams);
        collectStreams(join.table(), true, streams);
      }
      case PlanNode.Filter filter -> collectStreams(filter.input(), lookedUp, streams);
      case PlanNode.Project project -> collectStreams(project.input(), lookedUp, streams);
      default -> node.inputs().forEach(input -> collectStreams(input, false, streams));
    }
  }

  /** What is wrong with a table that {@link #misused} names. */
  static String misuse(String table) {
    return "table `%s`: '%s' = '%s' is for a table that rows are only looked up in (FOR SYSTEM_TIME AS OF), with no WATERMARK, aggregate or join of its own"
        .formatted(table, CACHE, FULL);
  }

  private static UnsupportedException refusal(
      DeclaredTable table, String option, String why, @Nullable String remedy) {
    return new UnsupportedException(
        "table `%s`: '%s' %s".formatted(table.name(), option, why), remedy, table.position());
  }
}
