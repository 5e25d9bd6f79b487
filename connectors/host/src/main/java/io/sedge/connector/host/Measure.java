package io.sedge.connector.host;

/** How the number that the machine gives becomes a reading. */
enum Measure {
  /** The number itself. */
  GAUGE,
  /** A counter: how much it has grown, per second. */
  RATE,
  /** Two counters, a part and a whole: the part's share of the whole's growth. */
  SHARE
}
