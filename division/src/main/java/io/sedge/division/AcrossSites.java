package io.sedge.division;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.TableDescriptor;
import io.sedge.division.Cut.Exchange;
import io.sedge.division.Cut.Naming;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  public AcrossSites {
    merges = List.copyOf(merges);
  }

  /** What a site runs of a job: all of it, unless the job is merged in the center. */
  public static Job ofSite(Job job) {
    return job.mergesInCenter() ? of(job).ofSite() : job;
  }

  /**
   * Cuts a job; the same on every machine.
   *
   * @param job one that {@link Job#mergesInCenter merges in the center}
   * @throws ConnectorException of kind USER if it cannot be cut so that no reading leaves its site
   */
  public static AcrossSites of(Job job) {
    Map<String, Division> divided = new TreeMap<>();
    Set<String> lookedUp = Fragments.lookedUp(job.plan());
    job.sources().keySet().stream()
        .filter(table -> !lookedUp.contains(table))
        .forEach(table -> divided.put(table, Division.BY_DEVICE));
    if (job.batch()) {
      throw refusal("input that ends is not merged in the center: run it as a stream");
    }
    Cut cut =
        new Cut(
            job,
            divided,
            new Naming(
                _ -> SITE,
                "site-part-",
                (number, window) ->
                    "of sites %d %s"
                        .formatted(number, Fingerprints.digest(window.aggregates(), window.zone()))));
    cut.exchanges().forEach(AcrossSites::check);
    List<CenterMerge> merges = new ArrayList<>();
    Map<String, String> options = new TreeMap<>();
    for (Plan.SinkNode sink : cut.ofMerge().sinks()) {
      Job.SinkTable table = sink(job, sink.table());
      options.putIfAbsent(exchange(cut, sink).name(), sink.table());
      merges.add(merge(job, cut, sink, table));
    }
    return new AcrossSites(siteJob(job, cut, options), merges);
  }

  /** Refuses what would bring readings, and not parts of windows, to the center. */
  private static void check(Exchange exchange) {
    if (exchange.partial().isEmpty()) {
      throw refusal(
          "a job that is merged in the center may bring rows of sites together by GROUP BY of a tumbling, hopping or cumulating window alone, without 'sedge.allowed-lateness'; this one would send %s rows (%s)"
              .formatted(
                  RowBounds.of(exchange.inShard()) == RowBounds.AGGREGATED ? "aggregated" : "all",
                  String.join(", ", exchange.scan().schema().names())));
    }
  }

  private static Job.SinkTable sink(Job job, String table) {
    Job.SinkTable sink = requireNonNull(job.sinks().get(table), table);
    if (!sink.connector().equals(CONNECTOR)) {
      throw refusal(
          "table %s has rows that the center merges, so its connector is '%s' and not '%s'"
              .formatted(table, CONNECTOR, sink.connector()));
    }
    if (sink.table().primaryKey().isEmpty()) {
      throw refusal(
          "table %s has rows that the center merges, and replaces when a part of a site is late: declare PRIMARY KEY (…) NOT ENFORCED, the columns of GROUP BY with the window's"
              .formatted(table));
    }
    return sink;
  }

  private static CenterMerge merge(
      Job job, Cut cut, Plan.SinkNode sink, Job.SinkTable table) {
    Exchange exchange = exchange(cut, sink);
    PlanNode.WindowAggregate window = windowOver(sink.input());
    if (!window.zone().equals("UTC") && !job.settings().containsKey(Job.ZONE)) {
      throw refusal(
          "table %s has windows of local time, and sites may be in several zones: SET '%s'"
              .formatted(sink.table(), Job.ZONE));
    }
    return new CenterMerge(
        partsTable(job, exchange),
        table.table(),
        sink.input(),
        window,
        cut.functions(),
        cut.aggregates());
  }

  /** The exchange that a sink's rows are made of. */
  private static Exchange exchange(Cut cut, Plan.SinkNode sink) {
    PlanNode.WindowAggregate window = windowOver(sink.input());
    return cut.exchanges().stream()
        .filter(exchange -> exchange.scan().equals(window.input()))
        .findFirst()
        .orElseThrow(() -> severalSteps(sink.table()));
  }

  /** The one windowed aggregation that a sink's rows come from. */
  private static PlanNode.WindowAggregate windowOver(PlanNode node) {
    return switch (node) {
      case PlanNode.WindowAggregate window when window.input() instanceof PlanNode.Scan -> window;
      case PlanNode.Project project -> windowOver(project.input());
      case PlanNode.Filter filter -> windowOver(filter.input());
      case PlanNode.Unnest unnest -> windowOver(unnest.input());
      case PlanNode.TopN top when top.windowEnd() >= 0 -> windowOver(top.input());
      default -> throw severalSteps("");
    };
  }

  private static ConnectorException severalSteps(String table) {
    return refusal(
        "%sthe center merges one windowed aggregation, filters and projects its rows, and ranks those of one window; what else is to be done with them is a query over the center's table"
            .formatted(table.isEmpty() ? "" : "table %s: ".formatted(table)));
  }

  private static ConnectorException refusal(String message) {
    return new ConnectorException(ConnectorException.Kind.USER, message);
  }

  /** Parts of other accumulators go to another table: what they mean is in the script alone. */
  private static String partsTable(Job job, Exchange exchange) {
    String name = job.name().replaceAll("[^A-Za-z0-9_]", "_").replaceFirst("^(?=[0-9])", "_");
    String digest =
        Fingerprints.digest(
            exchange.inShard(), exchange.partial().orElseThrow().aggregates().toString());
    return "%s_parts_%s"
        .formatted(
            name.substring(0, Math.min(name.length(), NAME_LENGTH)),
            digest.substring(0, DIGEST_LENGTH));
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
                    partsTable(job, exchange),
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

  /** The tables of parts that the center reads. */
  public Collection<String> partsTables() {
    return new TreeSet<>(merges.stream().map(CenterMerge::partsTable).toList());
  }
}
