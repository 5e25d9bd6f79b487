package io.sedge.cli.internal;

/** How a command that runs on hears of Ctrl-C and of a request to terminate. */
@FunctionalInterface
public interface Interruptions {
  /** Runs {@code stop}, in a thread of its own, when the command is to end. */
  void onInterrupt(Runnable stop);
}
