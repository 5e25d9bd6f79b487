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
 * is divided by device, one for each device that runs one now. A job whose input ends waits for
 * devices that are gone for a while too: its result is that of all, and nothing is given before the
 * end. Kept until the ledger changes.
 */
final class LedgerProducers implements Producers {
  private final Ledger ledger;
  private final String job;
  private final Set<String> fixed = new TreeSet<>();
  private final Set<String> dividedByDevice = new HashSet<>();
  private boolean bounded;
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
        bounded = fragment.job().batch();
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
      if (writes && task.id().job().equals(job) && mayGive(state, task)) {
        all.add(shard);
      }
    }
    return all;
  }

  private boolean mayGive(SiteState state, Task task) {
    return task.ended()
        || !task.device().isEmpty()
        || (bounded && isOfTheSite(state, task.id().shard()));
  }

  /** Whether the only device that can run a shard has not been removed. */
  private boolean isOfTheSite(SiteState state, String shard) {
    return dividedByDevice.stream()
        .filter(shard::startsWith)
        .anyMatch(table -> state.device(shard.substring(table.length())).isPresent());
  }
}
