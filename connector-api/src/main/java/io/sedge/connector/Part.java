package io.sedge.connector;

/**
 * A part of an input that ends, which one reader reads: what {@link Source#parts} gives and, by its
 * range, {@link Source#shard} takes.
 *
 * @param name unique among the parts of the table, and short; parts are named in the order of the
 *     input
 * @param range what it is of the input, in a form of the connector's own that holds good on every
 *     device
 * @param bytes how much there is to read, about
 */
public record Part(String name, String range, long bytes) {
  /**
   * @throws IllegalArgumentException if it has no name or a negative size
   */
  public Part {
    if (name.isBlank() || bytes < 0) {
      throw new IllegalArgumentException(
          "part '%s' of %d bytes: a part has a name and a size".formatted(name, bytes));
    }
  }
}
