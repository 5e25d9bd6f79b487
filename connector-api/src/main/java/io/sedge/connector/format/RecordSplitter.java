package io.sedge.connector.format;

/** Finds where the records of a file end. Stateless; any thread. */
@FunctionalInterface
public interface RecordSplitter {
  /** Each line is a record; a line ends with LF, and a CR before it belongs to the line end. */
  RecordSplitter LINES =
      (bytes, from, to) -> {
        for (int i = from; i < to; i++) {
          if (bytes[i] == '\n') {
            return i + 1;
          }
        }
        return -1;
      };

  /**
   * The index after the line end of the record that begins at {@code from}, or -1 if it goes on
   * after {@code to}.
   */
  int end(byte[] bytes, int from, int to);

  /** Whether every line end ends a record, so that after any of them one begins. */
  default boolean isByLine() {
    return equals(LINES);
  }

  /**
   * Whether a record, given without its line end, holds a row; a blank line and a comment do not.
   */
  default boolean holdsRow(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
        return true;
      }
    }
    return false;
  }
}
