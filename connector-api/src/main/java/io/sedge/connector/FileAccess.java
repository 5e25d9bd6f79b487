package io.sedge.connector;

import java.nio.file.Path;

/**
 * Which files of this machine a job may touch. A connector asks before it opens a file, for each
 * file anew: links lead elsewhere from one moment to the next. Any thread.
 */
@FunctionalInterface
public interface FileAccess {
  /** All that the user may whose process this is. */
  FileAccess EVERYTHING = (_, _, _) -> {};

  /** What is to be done with a file. */
  enum Use {
    READ,
    WRITE
  }

  /**
   * Returns if a file may be used so.
   *
   * @param what names the path in a message: {@code table x: 'path'}
   * @param path need not be there yet
   * @throws ConnectorException of kind USER if it may not, with what a person can type
   */
  void check(String what, Path path, Use use);
}
