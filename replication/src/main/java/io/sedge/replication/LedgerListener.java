package io.sedge.replication;

/** Is told what a person who looks after the site wants to know; seldom. Must not wait. */
public interface LedgerListener {
  /** How much it matters. */
  enum Severity {
    INFO,
    /** Something is missing, but the site goes on, or will by itself. */
    WARNING,
    /** Somebody has to do something. */
    ERROR
  }

  void report(Severity severity, String message);
}
