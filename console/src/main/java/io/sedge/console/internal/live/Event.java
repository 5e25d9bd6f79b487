package io.sedge.console.internal.live;

/**
 * Something that all who listen hear of.
 *
 * @param name of its kind
 * @param table whose rows it has; empty if it has none
 * @param first the number of the first row, counted from 0 for each table
 * @param rows how many it has
 * @param json an object
 */
@SuppressWarnings("ArrayRecordComponent") // Events are not compared.
public record Event(String name, String table, long first, int rows, byte[] json) {
  /** One without rows. */
  public static Event of(String name, byte[] json) {
    return new Event(name, "", 0, 0, json);
  }

  /** The number after that of its last row. */
  long end() {
    return first + rows;
  }
}
