package io.sedge.site.internal.device;

import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.site.internal.exchange.Producers;
import io.sedge.site.internal.fragment.Fragment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tasks that write one of a job's exchange tables: those of its fragments, and, of a table that
 * is divided by device, one for each device that runs one now. Kept until the ledger changes.
 */
final class LedgerProducers implements Producers {
  private final Ledger ledger;
  private final String job;
  private final Set<String> fixed = new TreeSet<>();
  private final Set<String> dividedByDevice = new HashSet<>();
  private long index = -1;
  private List<String> shards = List.of();

  /**
   * @param table the exchange table
   * @param fragments of the job
   */
  LedgerProducers(Ledger ledger, String job, String table, List<Fragment> fragments) {
    this.ledger = ledger;
    this.job = job;
    for (Fragment fragment : fragments) {
      if (fragment.job().sinks().containsKey(table)) {
        fragment
            .device()
            .ifPresentOrElse(
                _ -> dividedByDevice.add(fragment.dividedTable().orElseThrow() + "/"),
                () -> fixed.add(fragment.name()));
      }
    }
  }

  @Override
  public List<String> shards() {
    long now = dividedByDevice.isEmpty() ? 0 : ledger.read(SiteState::appliedIndex);
    if (now != index) {
      shards = List.copyOf(dividedByDevice.isEmpty() ? fixed : ledger.read(this::of));
      index = now;
    }
    return shards;
  }

  private Set<String> of(SiteState state) {
    Set<String> all = new TreeSet<>(fixed);
    for (Task task : state.tasks()) {
      String shard = task.id().shard();
      boolean writes = dividedByDevice.stream().anyMatch(shard::startsWith);
      if (writes && task.id().job().equals(job) && (task.ended() || !task.device().isEmpty())) {
        all.add(shard);
      }
    }
    return all;
  }
}
