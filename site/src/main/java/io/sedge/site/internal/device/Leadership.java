package io.sedge.site.internal.device;

/** Who leads the ledger, as far as this device knows. Any thread may ask. */
public interface Leadership extends Peers {
  /** Whether this device leads. */
  boolean isLeader();

  /** Has another device lead, if this one does; waits until one does, or none can. */
  void handOver();
}
