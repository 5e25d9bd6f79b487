package io.sedge.connector.command;

import org.jspecify.annotations.Nullable;

/**
 * Works off a {@link CommandQueue} in a thread of its own: each command is written once or more, or
 * refused and said, in order. What the far end does not answer is tried again, with growing pauses,
 * until it is answered or too old. Its methods may be called from any thread.
 */
public interface CommandWriter extends AutoCloseable {
  /** There are new commands in the queue. */
  default void added() {}

  /** What has gone wrong that nobody has foreseen; null as a rule. */
  @Nullable Throwable failure();

  /** Ends the queue, then the thread. May be called again. */
  @Override
  void close();
}
