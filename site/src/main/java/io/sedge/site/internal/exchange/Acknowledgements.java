package io.sedge.site.internal.exchange;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
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
  private boolean refused;

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
      tell();
    }
  }

  /** Tells once more what there was no room for; for a reader that has nothing else to do. */
  synchronized void retry() {
    if (refused) {
      tell();
    }
  }

  private void tell() {
    refused = false;
    var _ = ledger.submit(new Command.AcknowledgeRows(job, channel, told)).thenAccept(this::take);
  }

  private synchronized void take(Answer answer) {
    refused = answer instanceof Answer.Refused(Refusal reason, long _) && reason == Refusal.BUSY;
  }
}
