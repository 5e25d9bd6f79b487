package io.sedge.cli.internal;

import java.time.Duration;

/** How a command that runs on hears of Ctrl-C and of a request to terminate. */
@FunctionalInterface
public interface Interruptions {
  /** What a job promises, and two seconds for all that is not the job. */
  Duration PATIENCE = Duration.ofSeconds(12);

  /**
   * Runs {@code stop}, in a thread of its own, when the command is to end.
   *
   * @param patience how long it has to end after that
   */
  void onInterrupt(Runnable stop, Duration patience);

  /** Runs {@code stop} when a command is to end that has {@link #PATIENCE}. */
  default void onInterrupt(Runnable stop) {
    onInterrupt(stop, PATIENCE);
  }
}
