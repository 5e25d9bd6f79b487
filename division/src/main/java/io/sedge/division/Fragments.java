package io.sedge.division;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Part;
import io.sedge.connector.TableDescriptor;
import io.sedge.division.Cut.Exchange;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cuts jobs into fragments: for each shard of each divided table one that does all that can be done
 * with its rows alone, and one that does the rest over what these give. {@link StepPlacement} says
 * what can be done where, {@link TwoPhaseAggregation} how windows that span shards are aggregated.
 */
public final class Fragments {
  /**
   * The connector of the tables through which shards give their rows to the fragment that merges
   * them.
   */
  public static final String EXCHANGE = "exchange";

  /** The name of a job's only fragment, where none of its sources is divided. */
  public static final String ALL = "all";

  /** The name of the fragment that merges what the shards give. */
  public static final String MERGE = "merge";

  /** The name of the fragment that writes committed rows to the job's sink tables. */
  public static final String DELIVERY = "delivery";

  /**
   * The option of an exchange table whose rows are partial results of windows, to be added up: what
   * a shard has of a window may be given in several rows.
   */
  public static final String PARTIAL = "partial";

  /**
   * The option of an exchange table whose rows the shards of a table give that is divided by
   * device: the name of that table. Which shards there are changes with the devices of the site.
   */
  public static final String BY_DEVICE = "by-device";

  private Fragments() {}

  /**
   * The fragments of a job, the same for equal arguments: those of shards in the order of tables
   * and of their divisions, then, if something is left for it, {@link #MERGE}. Rows of exchange
   * tables are only added, and their watermark is that of the shards that are not idle; a table of
   * the job that no other fragment needs is read by {@link #MERGE}, and one that rows are looked up
   * in by each fragment that does so.
   *
   * @param divisions of each source table; one that is absent is not divided
   * @param devices the site's devices and their labels, for tables that are divided by device
   * @param parts of each of the {@link #cutTables}
   * @throws ConnectorException if tables that one of them reads demand labels that no device can
   *     have
   */
  public static List<Fragment> of(
      Job job,
      Map<String, Division> divisions,
      Map<String, Map<String, String>> devices,
      Map<String, List<Part>> parts) {
    Map<String, Division> divided = divided(job, divisions);
    if (divided.isEmpty()) {
      return List.of(Fragment.whole(ALL, checked(job)));
    }
    Cut cut = new Cut(job, divided);
    List<Fragment> fragments = new ArrayList<>();
    divided.forEach(
        (table, division) -> {
          Job part = checked(part(job, cut, cut.ofShards(table), exchangeTable(job)));
          fragments.addAll(
              division instanceof Division.ByPart
                  ? parts.getOrDefault(table, List.of()).stream()
                      .map(its -> ofPart(part, table, its))
                      .toList()
                  : shards(part, table, division, suiting(part, devices)));
        });
    if (!cut.ofMerge().sinks().isEmpty()) {
      fragments.add(
          Fragment.whole(MERGE, checked(part(job, cut, cut.ofMerge(), exchangeTable(job)))));
    }
    return List.copyOf(fragments);
  }

  /** Refuses one that no device can run. */
  private static Job checked(Job part) {
    var _ = Labels.demanded(part);
    return part;
  }

  /** The names of the devices that may run a part of a job, in order. */
  private static List<String> suiting(Job part, Map<String, Map<String, String>> devices) {
    return devices.entrySet().stream()
        .filter(device -> Labels.suits(part, device.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** The tables whose parts must be known before the job can be cut into fragments. */
  public static Set<String> cutTables(Job job, Map<String, Division> divisions) {
    Set<String> tables = new TreeSet<>();
    divided(job, divisions)
        .forEach(
            (table, division) -> {
              if (division instanceof Division.ByPart) {
                tables.add(table);
              }
            });
    return tables;
  }

  /**
   * The divided tables of a job, in the order of their names. A table is cut into parts in batch
   * mode only, and if that is of use: not if rows are looked up in it, which each part would read
   * whole, nor if all of its rows had to be brought together again, nor if its readings are kept,
   * which would be a history for each part.
   */
  static Map<String, Division> divided(Job job, Map<String, Division> divisions) {
    Map<String, Division> divided = new TreeMap<>();
    Set<String> lookedUp = lookedUp(job.plan());
    for (String table : job.sources().keySet()) {
      Division division = divisions.getOrDefault(table, Division.WHOLE);
      boolean isDivided =
          switch (division) {
            case Division.Whole _, Division.Undiscovered _ -> false;
            case Division.ByPart _ ->
                job.batch() && !lookedUp.contains(table) && !isKept(job, table);
            case Division.ByKey _, Division.ByDevice _ -> true;
          };
      if (isDivided) {
        divided.put(table, division);
      }
    }
    List<String> useless = uselesslyCut(job, divided);
    while (!useless.isEmpty()) {
      useless.forEach(divided::remove);
      useless = uselesslyCut(job, divided);
    }
    return divided;
  }

  private static boolean isKept(Job job, String table) {
    Job.SourceTable source = job.sources().get(table);
    return source != null && source.keep().isPresent();
  }

  private static List<String> uselesslyCut(Job job, Map<String, Division> divided) {
    return divided.containsValue(Division.BY_PART)
        ? new Cut(job, divided)
            .exchanges().stream()
                .filter(Exchange::isEveryReading)
                .map(Exchange::table)
                .filter(table -> divided.get(table) instanceof Division.ByPart)
                .distinct()
                .toList()
        : List.of();
  }

  /** The tables that rows are looked up in. */
  static Set<String> lookedUp(Plan plan) {
    Set<String> tables = new TreeSet<>();
    plan.sinks().forEach(sink -> addLookedUp(sink.input(), tables));
    return tables;
  }

  private static void addLookedUp(PlanNode node, Set<String> tables) {
    if (node instanceof PlanNode.LookupJoin join) {
      addScans(join.table(), tables);
    }
    node.inputs().forEach(input -> addLookedUp(input, tables));
  }

  private static List<Fragment> shards(
      Job part, String table, Division division, List<String> devices) {
    return switch (division) {
      case Division.Whole _, Division.Undiscovered _, Division.ByPart _ -> List.of();
      case Division.ByKey(int _, List<String> shards) ->
          shards.stream().map(shard -> shard(part, table, shard, Optional.empty())).toList();
      case Division.ByDevice _ ->
          devices.stream().map(device -> shard(part, table, device, Optional.of(device))).toList();
    };
  }

  private static Fragment shard(Job part, String table, String shard, Optional<String> device) {
    return new Fragment(
        table + "/" + shard,
        part,
        Optional.of(table),
        Optional.of(shard),
        device,
        Optional.empty());
  }

  private static Fragment ofPart(Job job, String table, Part part) {
    return new Fragment(
        table + "/" + part.name(),
        job,
        Optional.of(table),
        Optional.of(part.range()),
        Optional.empty(),
        Optional.of(part));
  }

  private static Function<Exchange, Job.SinkTable> exchangeTable(Job job) {
    return exchange -> new Job.SinkTable(descriptor(job, exchange), EXCHANGE, false);
  }

  /**
   * What of the job a plan is about.
   *
   * @param given the tables that it writes for what merges
   */
  static Job part(Job job, Cut cut, Plan plan, Function<Exchange, Job.SinkTable> given) {
    Map<String, Exchange> exchanges =
        cut.exchanges().stream().collect(Collectors.toMap(Exchange::name, Function.identity()));
    Map<String, Job.SourceTable> sources = new HashMap<>();
    Map<String, Job.SinkTable> sinks = new HashMap<>();
    for (String table : scans(plan)) {
      sources.put(table, source(job, table, exchanges.get(table)));
    }
    for (Plan.SinkNode sink : plan.sinks()) {
      Exchange exchange = exchanges.get(sink.table());
      sinks.put(
          sink.table(),
          exchange == null ? known(job.sinks(), sink.table()) : given.apply(exchange));
    }
    for (Job.SourceTable source : sources.values()) {
      source.malformedTable().ifPresent(table -> sinks.put(table, known(job.sinks(), table)));
    }
    return new Job(
        job.name(),
        job.settings(),
        job.notes(),
        sources,
        sinks,
        plan,
        cut.functions(),
        cut.aggregates());
  }

  private static Job.SourceTable source(Job job, String table, @Nullable Exchange exchange) {
    return exchange == null
        ? known(job.sources(), table)
        : new Job.SourceTable(
            descriptor(job, exchange),
            EXCHANGE,
            known(job.sources(), exchange.table()).malformedTable(),
            Optional.empty());
  }

  private static <T> T known(Map<String, T> tables, String table) {
    T found = tables.get(table);
    if (found == null) {
      throw new IllegalArgumentException(
          "the plan has a table %s, the job only %s".formatted(table, tables.keySet()));
    }
    return found;
  }

  private static TableDescriptor descriptor(Job job, Exchange exchange) {
    Map<String, String> options = new HashMap<>();
    if (exchange.partial().isPresent()) {
      options.put(PARTIAL, "true");
    }
    if (exchange.division() instanceof Division.ByDevice) {
      options.put(BY_DEVICE, exchange.table());
    }
    return new TableDescriptor(
        exchange.name(),
        exchange.scan().schema(),
        Map.of(),
        List.of(),
        List.of(),
        options,
        known(job.sources(), exchange.table()).table().location());
  }

  private static Set<String> scans(Plan plan) {
    Set<String> tables = new TreeSet<>();
    plan.sinks().forEach(sink -> addScans(sink.input(), tables));
    return tables;
  }

  private static void addScans(PlanNode node, Set<String> tables) {
    if (node instanceof PlanNode.Scan scan) {
      tables.add(scan.table());
    }
    node.inputs().forEach(input -> addScans(input, tables));
  }
}
