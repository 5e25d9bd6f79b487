package io.sedge.replication.internal;

import java.time.Duration;

/** A member as it is now, to what acts for it; any thread may ask. */
interface Present {
  /** Changes when the log is opened again. */
  LocalServer server();

  /** Whether its server takes part; false while its log cannot be written, too. */
  boolean isRunning();

  /** Whether it leads and a majority follows it, so that others may tell it things. */
  boolean hears();

  /** Whether it was neither closed nor removed, and need not stop. */
  boolean goesOn();

  /** Whether it is being closed. */
  boolean isClosing();

  /**
   * Waits, but no longer than until it is being closed.
   *
   * @return whether it goes on and is not being closed
   */
  boolean pause(Duration time) throws InterruptedException;
}
