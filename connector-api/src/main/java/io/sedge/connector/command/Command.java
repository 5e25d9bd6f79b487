package io.sedge.connector.command;

import io.sedge.connector.Awaited;
import java.util.Optional;

/** A row that is to be written. What is not of its writer does not change. */
public interface Command {
  /** The row's sequence. */
  long sequence();

  /**
   * When it was given, by the wall clock, in microseconds; {@link Long#MAX_VALUE} if that is not
   * known, so that it never becomes too old.
   */
  long givenMicros();

  /** The row, for people. */
  String text();

  /** Who waits for it. */
  Optional<Awaited> awaited();
}
