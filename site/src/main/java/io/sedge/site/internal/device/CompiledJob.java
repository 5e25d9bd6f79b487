package io.sedge.site.internal.device;

import io.sedge.connector.Division;
import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.division.Labels;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.JobFile;
import io.sedge.site.internal.exchange.Outbox;
import io.sedge.sql.Job;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job with what is needed to run it over a site.
 *
 * @param divisions of each source table
 * @param cutter cuts the input of those that are divided by part
 * @param files that its script names
 */
public record CompiledJob(
    Job job, Map<String, Division> divisions, Cutter cutter, List<JobFile> files) {
  /** The name of the fragment that writes committed rows to the job's sink tables. */
  static final String DELIVERY = Fragments.DELIVERY;

  /** Cuts the input of a table; may block. */
  @FunctionalInterface
  public interface Cutter {
    /**
     * @throws io.sedge.connector.ConnectorException if the input cannot be looked at
     */
    List<Part> parts(String table, PartSizes sizes);
  }

  /** One whose input is not cut, and that names no files. */
  CompiledJob(Job job, Map<String, Division> divisions) {
    this(
        job,
        divisions,
        (table, sizes) -> {
          throw new IllegalStateException("table %s is not cut into parts".formatted(table));
        },
        List.of());
  }

  /**
   * @throws io.sedge.connector.ConnectorException if tables that a task reads demand labels that no
   *     device can have
   */
  public CompiledJob {
    divisions = Map.copyOf(divisions);
    files = List.copyOf(files);
    var _ = Fragments.of(job, divisions, Map.of(), Map.of());
    var _ = Labels.demanded(delivery(job));
  }

  /** Whether its input is cut into parts, which must be known before it can run. */
  boolean isCut() {
    return !Fragments.cutTables(job, divisions).isEmpty();
  }

  /**
   * Cuts its input; may block.
   *
   * @param sizes of all tables together
   */
  List<InputPart> cut(PartSizes sizes) {
    List<InputPart> parts = new ArrayList<>();
    Collection<String> tables = Fragments.cutTables(job, divisions);
    PartSizes ofEach = sizes.among(Math.max(1, tables.size()));
    for (String table : tables) {
      cutter
          .parts(table, ofEach)
          .forEach(
              part -> parts.add(new InputPart(table, part.name(), part.range(), part.bytes())));
    }
    return parts;
  }

  /**
   * All fragments, the delivery last; none if its parts must be known and are not.
   *
   * @param devices the site's devices and their labels
   * @param parts of its input, as the ledger has them
   */
  public List<Fragment> fragments(Map<String, Map<String, String>> devices, List<InputPart> parts) {
    if (parts.isEmpty() && isCut()) {
      return List.of();
    }
    Map<String, List<Part>> byTable = new HashMap<>();
    for (InputPart part : parts) {
      byTable
          .computeIfAbsent(part.table(), _ -> new ArrayList<>())
          .add(new Part(part.name(), part.range(), part.bytes()));
    }
    List<Fragment> fragments = new ArrayList<>(Fragments.of(job, divisions, devices, byTable));
    fragments.add(Fragment.whole(DELIVERY, delivery(job)));
    return fragments;
  }

  /** What it measures speeds by: equal work has equal names, whichever shard it is over. */
  static String algorithm(Fragment fragment) {
    return fragment.job().name() + ":" + fragment.dividedTable().orElse(fragment.name());
  }

  private static Job delivery(Job job) {
    Map<String, Job.SourceTable> sources = new HashMap<>();
    List<Plan.SinkNode> nodes = new ArrayList<>();
    job.sinks().keySet().stream()
        .sorted()
        .forEach(
            name -> {
              Job.SinkTable sink = job.sinks().get(name);
              if (sink != null) {
                sources.put(
                    name,
                    new Job.SourceTable(
                        sink.table(),
                        Outbox.CONNECTOR,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        sink.labels(),
                        List.of()));
                nodes.add(new Plan.SinkNode(name, new PlanNode.Scan(name, sink.table().schema())));
              }
            });
    return new Job(
        job.name(),
        job.settings(),
        List.of(),
        sources,
        job.sinks(),
        new Plan(nodes),
        job.functions(),
        job.aggregates());
  }
}
