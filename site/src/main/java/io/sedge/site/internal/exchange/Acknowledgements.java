package io.sedge.site.internal.exchange;

import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** How far all readers of a channel have come: what lies before that can go. Any thread. */
final class Acknowledgements {
  private final Ledger ledger;
  private final String job;
  private final Channel channel;
  private final SortedMap<String, Long> byTable = new TreeMap<>();
  private long told;

  /**
   * @param tables the ones that are read
   */
  Acknowledgements(Ledger ledger, String job, Channel channel, Collection<String> tables) {
    this.ledger = ledger;
    this.job = job;
    this.channel = channel;
    tables.forEach(table -> byTable.put(table, 0L));
  }

  synchronized void acknowledged(String table, long sequence) {
    byTable.put(table, sequence);
    long least = byTable.values().stream().mapToLong(Long::longValue).min().orElse(0);
    if (least > told) {
      told = least;
      // What is refused now is told with the next.
      var _ = ledger.submit(new Command.AcknowledgeRows(job, channel, least));
    }
  }
}
