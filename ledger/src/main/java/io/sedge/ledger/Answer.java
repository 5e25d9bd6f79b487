package io.sedge.ledger;

/** What came of a command. */
public sealed interface Answer {
  /**
   * It was carried out.
   *
   * @param index of the log entry that did it; who reads on another member waits for it there
   * @param value as the command says, else 0
   */
  record Done(long index, long value) implements Answer {}

  /**
   * A commit that had been carried out before, or a command that a later one of the same producer
   * has overtaken, which has no effect.
   */
  record Repeated(long index) implements Answer {}

  /** It was not carried out and has changed nothing. */
  record Refused(Refusal reason, long value) implements Answer {}

  /** Whether what the command asked for is in the ledger. */
  default boolean isDone() {
    return !(this instanceof Refused);
  }
}
