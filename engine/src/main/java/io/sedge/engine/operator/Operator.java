package io.sedge.engine.operator;

import io.sedge.engine.column.Batch;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.state.Stateful;
import java.util.Map;

/**
 * A step of a plan. Takes batches on its inputs and offers batches to its output, in one thread.
 *
 * <p>When the output refuses, a method returns false and is called again with the same arguments
 * (and no other method in between) until it returns true; the operator remembers how far it came.
 * So whenever the last call returned true it holds nothing that waits for room, and its state may
 * be written.
 */
public interface Operator extends Stateful {
  /** Takes a batch of an input (0 for the first). */
  boolean process(int input, Batch batch, Output output);

  /**
   * The watermark of all inputs together (the least of those that are not idle) rose to {@code
   * watermark}. Fires what is due, then passes the watermark on.
   */
  default boolean advance(long watermark, Output output) {
    return output.advance(watermark);
  }

  /**
   * The watermark that it has passed on last.
   *
   * @param advanced the last one that {@link #advance} has brought
   */
  default long announced(long advanced) {
    return advanced;
  }

  /**
   * Whether rows of an input are taken now. An input that waits for another one to end (the rows
   * that are looked up in a table) says false until then, and what is offered is refused; from then
   * on true.
   */
  default boolean ready(int input) {
    return true;
  }

  /**
   * Gives what it has of windows that are not over, and forgets it; what comes for them later will
   * be given by itself. As with other calls, false says that the output refused.
   *
   * @throws IllegalStateException if its windows are not of the kind that can be given so
   */
  default boolean giveOpen(Output output) {
    throw new IllegalStateException("it has no windows that can be given before they are over");
  }

  /** An input has ended; called once, before the {@link #advance} that may follow from it. */
  default void ended(int input) {}

  /** How many rows came too late to count and were dropped, or went to a side output, so far. */
  default long lateRows() {
    return 0;
  }

  /** How many rows were dropped because their event time was null, so far. */
  default long nullTimeRows() {
    return 0;
  }

  /**
   * How many entries {@link #writeChanges} would write now, about: what is once per operator may be
   * left out. Asked after each batch.
   */
  default long changedEntries() {
    return 0;
  }

  /** Throws an {@link AssertionError} that says what is wrong if the state contradicts itself. */
  default void checkInvariants() {}

  /** Operators without state have none to write. */
  @Override
  default void writeSnapshot(StateWriter writer) {}

  @Override
  default void writeChanges(StateWriter writer) {}

  @Override
  default void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {}
}
