package io.sedge.tensor.training.data;

import java.util.List;

/**
 * CSV files that workers read themselves: their rows never pass through the coordinator. The first
 * line names the columns, as for {@link CsvFiles}; a window of rows never spans two files.
 *
 * @param paths as each worker opens them: absolute ones, on the worker's machine
 * @param ownership whose rows they are
 * @param validation the share of the examples, the last ones, that is not trained on; from 0 to 1
 */
public record WorkerFiles(
    List<String> paths, ExampleColumns columns, Ownership ownership, double validation) {
  /** Whose the rows of a file are. */
  public enum Ownership {
    /** Every worker sees the same files: each takes every n-th example of them. */
    SHARED,
    /** Each worker has files of its own under these paths: all their rows are its own. */
    OWN
  }

  /** Checks that there is a file, and what is held back. */
  public WorkerFiles {
    paths = List.copyOf(paths);
    if (paths.isEmpty()) {
      throw new DataException("no files are named that workers could read");
    }
    if (!(validation >= 0 && validation < 1)) {
      throw new DataException(
          "a share of %s is held back; it is from 0 to less than 1".formatted(validation));
    }
  }
}
