package io.sedge.division;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.Option;
import io.sedge.connector.TableDescriptor;
import io.sedge.division.Cut.Exchange;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A version of a job as it is compared with another one: the plans that its tasks run, and the
 * prints of their steps. One thread.
 *
 * <p>What its tasks do is told by their work: {@link Fragments#ALL}, {@link Fragments#MERGE}, or
 * the table of which each has a shard, with {@code /*} after it.
 */
final class JobVersion {
  private static final String SHARDS = "/*";

  private final Job job;
  private final Map<String, Division> divided;
  private final Connectors connectors;
  private final Map<String, Plan> plans = new TreeMap<>();
  private final Map<String, Exchange> exchanges;
  private final Map<String, PlanNode.WindowAggregate> inTwoSteps;
  private final Fingerprints prints;

  JobVersion(Job job, Map<String, Division> divisions, Connectors connectors) {
    this.job = job;
    this.connectors = connectors;
    this.divided = Fragments.divided(job, divisions);
    if (divided.isEmpty()) {
      inTwoSteps = Map.of();
      exchanges = Map.of();
      plans.put(Fragments.ALL, job.plan());
    } else {
      Cut cut = new Cut(job, divided);
      inTwoSteps = cut.inTwoSteps();
      exchanges =
          cut.exchanges().stream().collect(Collectors.toMap(Exchange::name, Function.identity()));
      divided.keySet().forEach(table -> plans.put(table + SHARDS, cut.ofShards(table)));
      if (!cut.ofMerge().sinks().isEmpty()) {
        plans.put(Fragments.MERGE, cut.ofMerge());
      }
    }
    prints = new Fingerprints(job, inTwoSteps, this::table);
  }

  /** The table whose shards have a work; empty if it is that of one task. */
  static Optional<String> dividedTable(String work) {
    return work.endsWith(SHARDS)
        ? Optional.of(work.substring(0, work.length() - SHARDS.length()))
        : Optional.empty();
  }

  Job job() {
    return job;
  }

  /** By work. */
  Map<String, Plan> plans() {
    return plans;
  }

  Fingerprints.Print print(PlanNode node) {
    return prints.of(node);
  }

  /** The aggregations that are done in two steps, by the name with which their calls end. */
  Map<String, PlanNode.WindowAggregate> inTwoSteps() {
    return inTwoSteps;
  }

  Map<String, Exchange> exchanges() {
    return exchanges;
  }

  /** How a table is divided, but for the shards that there are. */
  String division(String table) {
    Division division = divided.getOrDefault(table, Division.WHOLE);
    return division instanceof Division.ByKey(int column, var _)
        ? "by column " + columnName(table, column)
        : String.valueOf(division);
  }

  private String columnName(String table, int column) {
    Job.SourceTable source = job.sources().get(table);
    return source == null ? "" : source.table().schema().name(column);
  }

  /** What tells a table, or an exchange, from others. */
  private String table(PlanNode.Scan scan) {
    Exchange exchange = exchanges.get(scan.table());
    return exchange == null ? identity(scan.table()) : identity(exchange);
  }

  /** What tells rows of an exchange from others: who gives them, and what they are. */
  String identity(Exchange exchange) {
    return Fingerprints.digest(
        "exchange",
        exchange.table(),
        division(exchange.table()),
        prints.of(exchange.inShard()).whole(),
        exchange.partial().isPresent());
  }

  private String identity(String table) {
    Job.SourceTable source = job.sources().get(table);
    return source == null
        ? table
        : Fingerprints.digest(
            table,
            division(table),
            source.connector(),
            material(source.connector(), source.table()),
            metadata(source.table()),
            source.bounds(),
            source.keep().isPresent());
  }

  /** The metadata columns by name: others may come and go. */
  private static Map<String, String> metadata(TableDescriptor table) {
    Map<String, String> metadata = new TreeMap<>();
    table.metadata().forEach((column, key) -> metadata.put(table.schema().name(column), key));
    return metadata;
  }

  /** The options that say which rows a table has. */
  Map<String, String> material(String connector, TableDescriptor table) {
    Map<String, String> options = new TreeMap<>(table.options());
    if (!connector.equals(Job.TERMINAL)) {
      for (Option option : connectors.options(connectors.named(table.name(), connector), table)) {
        if (option.tuning()) {
          options.keySet().removeIf(option::declares);
        }
      }
    }
    return options;
  }

  /** What tells a sink table from others: rows that are given for one can go to its equal. */
  Map<String, Object> sink(String table) {
    Job.SinkTable sink = job.sinks().get(table);
    Map<String, Object> identity = new HashMap<>();
    if (sink != null) {
      identity.put("connector", sink.connector());
      identity.put("options", material(sink.connector(), sink.table()));
      identity.put("columns", sink.table().schema());
      identity.put("metadata", sink.table().metadata());
      identity.put("PRIMARY KEY", sink.table().primaryKey());
      identity.put("PARTITIONED BY", sink.table().partitionKeys());
      identity.put("updates", sink.updating());
    }
    return identity;
  }
}
