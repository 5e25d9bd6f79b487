package io.sedge.placement;

/** What a device may be used for. */
public enum Health {
  /** Keeps its shards and takes more. */
  UP,
  /** Has missed a heartbeat, say: keeps its shards, takes no other. */
  SUSPECT,
  /** Its user wants it empty: its shards go elsewhere; one that nobody can take stays for now. */
  DRAINING,
  /** Runs nothing. */
  GONE
}
