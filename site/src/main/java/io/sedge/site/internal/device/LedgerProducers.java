package io.sedge.site.internal.device;

import io.sedge.connector.TableDescriptor;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.site.internal.exchange.Producers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that write one of a job's exchange tables: those of its fragments, or, of a table that
 * is divided by device, one for each device that runs one now, whichever devices there were when
 * this one began. A bounded job waits for devices that are gone for a while too: its result is that
 * of all, and nothing is given before the end. A stream goes on without them, but does not end
 * before they do. Kept until the ledger changes.
 */
final class LedgerProducers implements Producers {
  private final Ledger ledger;
  private final String job;
  private final boolean bounded;

  /** What the names of the shards begin with, if their table is divided by device. */
  private final @Nullable String byDevice;

  private long index = -1;
  private Known known;

  /**
   * @param exchange the exchange table
   * @param bounded whether the job is
   * @param fragments of the job
   */
  LedgerProducers(
      Ledger ledger,
      String job,
      TableDescriptor exchange,
      boolean bounded,
      List<Fragment> fragments) {
    this.ledger = ledger;
    this.job = job;
    this.bounded = bounded;
    String table = exchange.options().get(Fragments.BY_DEVICE);
    this.byDevice = table == null ? null : table + "/";
    this.known = table == null ? new Known(shards(exchange, fragments), List.of()) : Known.NONE;
  }

  private static List<String> shards(TableDescriptor exchange, List<Fragment> fragments) {
    return fragments.stream()
        .filter(fragment -> fragment.job().sinks().containsKey(exchange.name()))
        .map(Fragment::name)
        .sorted()
        .toList();
  }

  @Override
  public Known known() {
    String prefix = byDevice;
    if (prefix != null) {
      long now = ledger.read(SiteState::appliedIndex);
      if (now != index) {
        Known next = ledger.read(state -> of(state, prefix));
        known = next.equals(known) ? known : next;
        index = now;
      }
    }
    return known;
  }

  private Known of(SiteState state, String prefix) {
    List<String> waitedFor = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Task task : state.tasks()) {
      String shard = task.id().shard();
      if (task.id().job().equals(job) && isOf(shard, prefix)) {
        if (task.ended() || !task.device().isEmpty()) {
          waitedFor.add(shard);
        } else if (SiteModel.isOfTheSite(state, shard.substring(prefix.length()))) {
          (bounded ? waitedFor : others).add(shard);
        }
      }
    }
    return new Known(List.copyOf(waitedFor), List.copyOf(others));
  }

  /** Names of tables may have a slash, those of devices have none. */
  private static boolean isOf(String shard, String prefix) {
    return shard.startsWith(prefix) && shard.indexOf('/', prefix.length()) < 0;
  }
}
