package io.sedge.connector;

/**
 * Whoever waits for a row to be written: a person who has given a command. Such a row ends; written
 * later it would do harm. Any thread may call; none of it waits.
 */
public interface Awaited {
  /** Whether the row's time is over, so that it must not be written from now on. */
  boolean isOver();

  /** The far end has answered that it has the row, or was read back. */
  void confirmed();

  /**
   * The row will not be written.
   *
   * @param why for people
   */
  void failed(String why);

  /**
   * The row's time was over before it was written; it counts as durable.
   *
   * @param detail for people: whether it may have been written all the same; may be empty
   */
  void expired(String detail);
}
