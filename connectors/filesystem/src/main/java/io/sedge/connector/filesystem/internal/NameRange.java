package io.sedge.connector.filesystem.internal;

/**
 * The names of files, relative to the table's path, from one to another.
 *
 * @param first the least of them
 * @param last the greatest of them
 */
record NameRange(String first, String last) {
  boolean has(String name) {
    return name.compareTo(first) >= 0 && name.compareTo(last) <= 0;
  }

  /**
   * Whether there may be such names in a directory.
   *
   * @param directory its name, which ends with a separator
   */
  boolean mayBeIn(String directory) {
    boolean beginsBefore = directory.compareTo(first) >= 0 || first.startsWith(directory);
    return beginsBefore && directory.compareTo(last) <= 0;
  }
}
