package io.sedge.connector;

/** Which changes of a result a sink takes, after Flink's class of this name. */
public enum ChangelogMode {
  /** New rows alone: {@code +I}. */
  INSERT_ONLY,

  /**
   * The last row of each primary key: {@code +I} and {@code +U} replace what the key had, {@code
   * -U} and {@code -D} remove it. So each row of the result must have a key of its own, by which
   * alone it changes.
   */
  UPSERT,

  /** Every change, as it is. */
  ALL
}
