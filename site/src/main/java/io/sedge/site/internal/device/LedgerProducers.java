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
 * is divided by device, one for each device that runs one now. A bounded job waits for devices that
 * are gone for a while too: its result is that of all, and nothing is given before the end. A
 * stream goes on without them, but does not end before they do. Kept until the ledger changes.
 */
final class LedgerProducers implements Producers {
  private final Ledger ledger;
  private final String job;
  private final Set<String> fixed = new TreeSet<>();
  private final Set<String> dividedByDevice = new HashSet<>();
  private boolean bounded;
  private long index = -1;
  private Known known = Known.NONE;

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
  public Known known() {
    long now = dividedByDevice.isEmpty() ? 0 : ledger.read(SiteState::appliedIndex);
    if (now != index) {
      Known next = ledger.read(this::of);
      known = next.equals(known) ? known : next;
      index = now;
    }
    return known;
  }

  private Known of(SiteState state) {
    Set<String> waitedFor = new TreeSet<>(fixed);
    Set<String> others = new TreeSet<>();
    for (Task task : state.tasks()) {
      String shard = task.id().shard();
      if (task.id().job().equals(job) && dividedByDevice.stream().anyMatch(shard::startsWith)) {
        if (task.ended() || !task.device().isEmpty()) {
          waitedFor.add(shard);
        } else if (isOfTheSite(state, shard)) {
          (bounded ? waitedFor : others).add(shard);
        }
      }
    }
    return new Known(List.copyOf(waitedFor), List.copyOf(others));
  }

  /** Whether the only device that can run a shard has been neither removed nor expelled. */
  private boolean isOfTheSite(SiteState state, String shard) {
    return dividedByDevice.stream()
        .filter(shard::startsWith)
        .anyMatch(table -> SiteModel.isOfTheSite(state, shard.substring(table.length())));
  }
}
