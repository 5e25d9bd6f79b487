package io.sedge.connector;

/** How often a row is at the far end when a writer dies at any moment and another goes on. */
public enum Guarantee {
  /**
   * Once. The sink knows by writer and sequence what the far end has, or replaces what is there.
   */
  EXACTLY_ONCE,

  /** Once or more. Rows after the recovery point may come again, in order. */
  AT_LEAST_ONCE
}
