package io.sedge.site.internal.exchange;

/** What limits a task that merges. Asked by its thread. */
public interface ExchangeCapacity {
  /** Whether it keeps so much that it should keep no more merely for being early. */
  boolean isScarce();

  /** Whether tasks that give rows may find no room for them in the exchange. */
  boolean isExchangeFull();

  /**
   * Whether a task may find no room there for a large commit, while this one can keep more than it
   * should for being early.
   */
  boolean isExchangeTight();
}
