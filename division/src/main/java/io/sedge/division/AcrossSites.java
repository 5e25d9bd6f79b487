package io.sedge.division;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.Division;
import io.sedge.connector.TableDescriptor;
import io.sedge.division.Cut.Exchange;
import io.sedge.division.Cut.Naming;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.SliceLayout;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A job over many sites, cut in two as a site's job is cut over its shards: a site is a shard whose
 * tables are its own. What a site computes of a window, the accumulators of each key and slice of
 * time, are rows of a <em>parts table</em> at the center, and the center makes the windows of those
 * of all sites. Immutable.
 *
 * <p>What the center does is bounded by a window: it is asked for one at a time, as often as parts
 * of it come. So all that is done there is one windowed aggregation and what looks at its rows, or
 * at those of one window.
 *
 * @param ofSite what each site runs: the same for every site
 * @param merges what the center does, for each table that it writes
 */
public record AcrossSites(Job ofSite, List<CenterMerge> merges) {
  private static final String SITE = "site";
  private static final String CONNECTOR = "center";
  private static final String TABLE_NAME = "table-name";
  private static final int NAME_LENGTH = 45;
  private static final int DIGEST_LENGTH = 8;

  /** A part is of so many windows at most. */
  private static final int MOST_WINDOWS = 1_000;

  private static final String WHEN_FULL = "when-full";

  /** SQLite keeps so many of a DECIMAL. */
  private static final int EXACT_DIGITS = 15;

  public AcrossSites {
    merges = List.copyOf(merges);
  }

  /**
   * What a site runs of a job: all of it, unless the job is merged in the center.
   *
   * @throws SqlException as {@link #of}
   */
  public static Job ofSite(Job job) throws SqlException {
    return job.mergesInCenter() ? of(job).ofSite() : job;
  }

  /**
   * Cuts a job; the same on every machine.
   *
   * @param job one that {@link Job#mergesInCenter merges in the center}
   * @throws SqlException if it cannot be cut so that no reading leaves its site
   */
  public static AcrossSites of(Job job) throws SqlException {
    Map<String, Division> divided = new TreeMap<>();
    Set<String> lookedUp = Fragments.lookedUp(job.plan());
    job.sources().keySet().stream()
        .filter(table -> !lookedUp.contains(table))
        .forEach(table -> divided.put(table, Division.BY_DEVICE));
    if (job.batch()) {
      throw refusal(
          job,
          Optional.empty(),
          "windows over input that ends are not merged in the center",
          "SET 'execution.runtime-mode' = 'streaming'");
    }
    refuseJars(job);
    Naming naming =
        new Naming(
            _ -> SITE,
            "site-part-",
            (number, window) -> "of sites %d %s".formatted(number, print(job, Map.of(), window)));
    Cut cut = new Cut(job, divided, naming);
    for (Exchange exchange : cut.exchanges()) {
      check(job, exchange);
    }
    List<CenterMerge> merges = new ArrayList<>();
    Map<String, String> origins = new TreeMap<>();
    for (Plan.SinkNode sink : cut.ofMerge().sinks()) {
      TableDescriptor table = table(job, sink.table());
      PlanNode.WindowAggregate window =
          windowOver(sink.input()).orElseThrow(() -> severalSteps(job, sink.table()));
      Exchange exchange =
          cut.exchanges().stream()
              .filter(given -> given.scan().equals(window.input()))
              .findFirst()
              .orElseThrow(() -> severalSteps(job, sink.table()));
      checkZone(job, sink.table(), sink.input());
      checkZone(job, sink.table(), exchange.inShard());
      checkSpan(job, sink.table(), window.window());
      checkKey(job, table, sink.input(), exchange);
      origins.putIfAbsent(exchange.name(), sink.table());
      merges.add(
          new CenterMerge(
              partsTable(job, cut, exchange),
              table,
              sink.input(),
              window,
              exchange.partial().orElseThrow(),
              windowColumns(sink.input()),
              job.skipsFailedRows(),
              cut.functions(),
              cut.aggregates()));
    }
    return new AcrossSites(siteJob(job, cut, origins), merges);
  }

  /** Refuses what would bring readings, and not parts of windows, to the center. */
  private static void check(Job job, Exchange exchange) throws SqlException {
    if (exchange.partial().isEmpty()) {
      throw refusal(
          job,
          Optional.empty(),
          "rows of several sites (%s) are needed in one place, and they are no parts of windows"
              .formatted(String.join(", ", exchange.scan().schema().names())),
          "GROUP BY window_start, window_end over TUMBLE, HOP or CUMULATE, without"
              + " 'sedge.allowed-lateness'; or leave out SET 'sedge.merge' where each site is to"
              + " have rows of its own");
    }
  }

  private static TableDescriptor table(Job job, String name) throws SqlException {
    Job.SinkTable sink = requireNonNull(job.sinks().get(name), name);
    if (!sink.connector().equals(CONNECTOR)) {
      throw refusal(
          job,
          Optional.of(name),
          "the center merges the rows of table %s, whose connector is '%s'"
              .formatted(name, sink.connector()),
          "'connector' = '%s'".formatted(CONNECTOR));
    }
    if (sink.table().primaryKey().isEmpty()) {
      throw refusal(
          job,
          Optional.of(name),
          "the center merges the rows of table %s, and replaces one when a part of it comes late: the table needs a key"
              .formatted(name),
          "PRIMARY KEY (…) NOT ENFORCED, with the columns of GROUP BY and the window's end");
    }
    return sink.table();
  }

  /** A center loads no code of scripts. */
  private static void refuseJars(Job job) throws SqlException {
    if (!job.userFunctions().isEmpty()) {
      throw refusal(
          job,
          Optional.empty(),
          "function %s comes from a jar, which a center does not load"
              .formatted(new TreeSet<>(job.userFunctions().keySet()).getFirst()),
          "the job without it, or without SET '%s'".formatted(Job.MERGE));
    }
  }

  /** Sites, and the center, may be in other zones than each other. */
  private static void checkZone(Job job, String table, PlanNode node) throws SqlException {
    if (job.settings().containsKey(Job.ZONE)) {
      return;
    }
    if (node.schema().types().stream().anyMatch(type -> type.kind() == Kind.TIMESTAMP_LTZ)) {
      throw refusal(
          job,
          Optional.of(table),
          "table %s is made of times with a local time zone, and the sites may be in several zones"
              .formatted(table),
          "SET '%s' = 'Europe/Berlin'".formatted(Job.ZONE));
    }
    for (PlanNode input : node.inputs()) {
      checkZone(job, table, input);
    }
  }

  /** Whenever a part comes its windows are computed anew. */
  private static void checkSpan(Job job, String table, Window window) throws SqlException {
    long windows = SliceLayout.of(window).slicesPerWindow();
    if (windows > MOST_WINDOWS) {
      throw refusal(
          job,
          Optional.of(table),
          "each reading of table %s is in %,d windows, and %,d are the most that are merged"
              .formatted(table, windows, MOST_WINDOWS),
          "a longer step");
    }
  }

  /** Rows of one window must not take the place of another's, nor lose what tells them apart. */
  private static void checkKey(Job job, TableDescriptor table, PlanNode rows, Exchange exchange)
      throws SqlException {
    Set<Integer> ofWindow = windowColumns(rows).keySet();
    if (table.primaryKey().stream().noneMatch(ofWindow::contains)) {
      throw refusal(
          job,
          Optional.of(table.name()),
          "the key of table %s does not say which window a row is of".formatted(table.name()),
          "window_end among the columns that are inserted, and its column in PRIMARY KEY");
    }
    for (Schema.Field field : exchange.scan().schema().fields()) {
      Kind kind = field.type().kind();
      if (kind == Kind.ARRAY
          || kind == Kind.ROW
          || kind == Kind.FLOAT
          || kind == Kind.DOUBLE
          || (kind == Kind.DECIMAL && field.type().precision() > EXACT_DIGITS)) {
        throw refusal(
            job,
            Optional.of(table.name()),
            "column %s, by which is grouped, is %s, which not every database of a center keeps as it is"
                .formatted(field.name(), field.type()),
            "CAST(… AS STRING)");
      }
    }
  }

  /** The columns that tell the window that a row is of, and what they say of it. */
  private static Map<Integer, CenterMerge.WindowColumn> windowColumns(PlanNode node) {
    return switch (node) {
      case PlanNode.WindowAggregate window -> {
        int size = window.schema().size();
        Map<Integer, CenterMerge.WindowColumn> columns = new HashMap<>();
        // Cumulating windows begin together.
        if (!(window.window() instanceof Window.Cumulating)) {
          columns.put(size - 3, CenterMerge.WindowColumn.START);
        }
        columns.put(size - 2, CenterMerge.WindowColumn.END);
        yield columns;
      }
      case PlanNode.Project project -> {
        Map<Integer, CenterMerge.WindowColumn> input = windowColumns(project.input());
        Map<Integer, CenterMerge.WindowColumn> columns = new HashMap<>();
        for (int i = 0; i < project.expressions().size(); i++) {
          if (project.expressions().get(i) instanceof Expression.Input column
              && input.containsKey(column.column())) {
            columns.put(i, input.get(column.column()));
          }
        }
        yield columns;
      }
      case PlanNode.Unnest unnest -> {
        Map<Integer, CenterMerge.WindowColumn> input = windowColumns(unnest.input());
        Map<Integer, CenterMerge.WindowColumn> columns = new HashMap<>();
        for (int i = 0; i < unnest.kept().size(); i++) {
          if (input.containsKey(unnest.kept().get(i))) {
            columns.put(i, input.get(unnest.kept().get(i)));
          }
        }
        yield columns;
      }
      default -> node.inputs().size() == 1 ? windowColumns(node.inputs().getFirst()) : Map.of();
    };
  }

  /** The one windowed aggregation that rows come from; empty if there is more to them. */
  private static Optional<PlanNode.WindowAggregate> windowOver(PlanNode node) {
    return switch (node) {
      case PlanNode.WindowAggregate window when window.input() instanceof PlanNode.Scan ->
          Optional.of(window);
      case PlanNode.Project project -> windowOver(project.input());
      case PlanNode.Filter filter -> windowOver(filter.input());
      case PlanNode.Unnest unnest -> windowOver(unnest.input());
      case PlanNode.TopN top when top.windowEnd() >= 0 -> windowOver(top.input());
      default -> Optional.empty();
    };
  }

  private static SqlException severalSteps(Job job, String table) {
    return refusal(
        job,
        Optional.of(table),
        "the center makes table %s of windows, filters and projects their rows, and ranks those of one window; this needs more"
            .formatted(table),
        "one windowed aggregation; what follows can be a query over the center's table");
  }

  /**
   * @param table whose declaration is at fault; else that of a table that is written
   */
  private static SqlException refusal(
      Job job, Optional<String> table, String message, String remedy) {
    String shown = table.orElseGet(() -> new TreeSet<>(job.sinks().keySet()).getFirst());
    String location = requireNonNull(job.sinks().get(shown), shown).table().location();
    int line = Integer.parseInt(location.substring(location.lastIndexOf(':') + 1));
    return new SqlException(List.of(new Problem(line, 1, message, Optional.of(remedy))));
  }

  /**
   * Parts of other accumulators, and of other jobs, go to another table: what they mean is in the
   * script alone.
   */
  private static String partsTable(Job job, Cut cut, Exchange exchange) {
    String name = job.name().replaceAll("[^A-Za-z0-9_]", "_");
    String digest =
        Fingerprints.digest(job.name(), print(job, cut.inTwoSteps(), exchange.inShard()));
    return "parts_%s_%s"
        .formatted(
            name.substring(0, Math.min(name.length(), NAME_LENGTH)),
            digest.substring(0, DIGEST_LENGTH));
  }

  /** What a step means, whatever its columns are called. */
  private static String print(
      Job job, Map<String, PlanNode.WindowAggregate> inTwoSteps, PlanNode node) {
    return new Fingerprints(job, inTwoSteps, PlanNode.Scan::table).of(node).whole();
  }

  /**
   * @param origins for each exchange a table that the center makes of it, whose options say how it
   *     is reached
   */
  private static Job siteJob(Job job, Cut cut, Map<String, String> origins) {
    Job part =
        Fragments.part(
            job,
            cut,
            cut.ofShards(SITE),
            exchange ->
                partsSink(
                    exchange,
                    partsTable(job, cut, exchange),
                    requireNonNull(job.sinks().get(origins.get(exchange.name())))));
    return new Job(
        part.name(),
        part.settings(),
        part.notes(),
        part.sources(),
        part.sinks(),
        part.plan(),
        part.functions(),
        part.aggregates(),
        job.userFunctions());
  }

  private static Job.SinkTable partsSink(
      Exchange exchange, String partsTable, Job.SinkTable origin) {
    Map<String, String> options = new HashMap<>(origin.table().options());
    options.put(TABLE_NAME, partsTable);
    // A part that is dropped would make a window wrong, not old.
    options.remove(WHEN_FULL);
    return new Job.SinkTable(
        new TableDescriptor(
            exchange.name(),
            exchange.scan().schema(),
            Map.of(),
            List.of(),
            List.of(),
            options,
            origin.table().location()),
        CONNECTOR,
        false,
        origin.labels());
  }
}
