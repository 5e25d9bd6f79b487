package io.sedge.site.internal.exchange;

import java.util.List;

/** The tasks that write an exchange table. */
@FunctionalInterface
public interface Producers {
  /** Those that there are now; the same object as long as they are the same. */
  Known known();

  /**
   * The tasks of one state of the ledger.
   *
   * @param shards of those whose rows are waited for
   * @param away shards of those that nobody waits for now, but that the table does not end without
   */
  record Known(List<String> shards, List<String> away) {
    /** None. */
    public static final Known NONE = new Known(List.of(), List.of());

    public Known {
      shards = List.copyOf(shards);
      away = List.copyOf(away);
    }
  }
}
