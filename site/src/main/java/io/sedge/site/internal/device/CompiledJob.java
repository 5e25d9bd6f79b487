package io.sedge.site.internal.device;

import io.sedge.connector.Division;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.site.internal.exchange.LedgerTables;
import io.sedge.site.internal.fragment.Fragment;
import io.sedge.site.internal.fragment.Fragments;
import io.sedge.sql.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job with what is needed to run it over a site.
 *
 * @param divisions of each source table
 */
public record CompiledJob(Job job, Map<String, Division> divisions) {
  /** The name of the fragment that writes committed rows to the job's sink tables. */
  static final String DELIVERY = "delivery";

  public CompiledJob {
    divisions = Map.copyOf(divisions);
  }

  /** All fragments, the delivery last. */
  public List<Fragment> fragments(List<String> devices) {
    List<Fragment> fragments = new ArrayList<>(Fragments.of(job, divisions, devices));
    fragments.add(delivery());
    return fragments;
  }

  /** What it measures speeds by: equal work has equal names, whichever shard it is over. */
  static String algorithm(Fragment fragment) {
    return fragment.job().name() + ":" + fragment.dividedTable().orElse(fragment.name());
  }

  private Fragment delivery() {
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
                        sink.table(), LedgerTables.OUTBOX, Optional.empty(), Optional.empty()));
                nodes.add(new Plan.SinkNode(name, new PlanNode.Scan(name, sink.table().schema())));
              }
            });
    Job delivery =
        new Job(
            job.name(),
            job.settings(),
            List.of(),
            sources,
            job.sinks(),
            new Plan(nodes),
            job.functions(),
            job.aggregates());
    return new Fragment(DELIVERY, delivery, Optional.empty(), Optional.empty(), Optional.empty());
  }
}
