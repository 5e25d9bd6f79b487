package io.sedge.ledger;

/** What a site lets its center do, besides writing to tables; at first nothing. */
public enum CenterRight {
  /** It may give the site jobs. Those that it has given stay when it may not any more. */
  JOBS,
  /** It may acknowledge and shelve the site's alarms. */
  ALARMS,
  /** It may ask for what devices have said, and for bundles of them. */
  DIAGNOSIS
}
