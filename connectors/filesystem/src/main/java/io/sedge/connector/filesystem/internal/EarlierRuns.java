package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * The files of a table that earlier runs have written, or others write now. A job that is run again
 * would add its rows to them, which must be said. What has another name than {@link PartFile} gives
 * is not counted.
 */
final class EarlierRuns {
  /** No more are counted. */
  static final int MAX_COUNTED = 1_000;

  private final TableDescriptor table;
  private final FilesystemOptions options;
  private final ConnectorContext context;

  EarlierRuns(TableDescriptor table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.options = options;
    this.context = context;
  }

  /**
   * Does what the table says if there are some. Called before the first file of a run is begun.
   *
   * @param isOfThisJob whether a file in progress is one that this job has left
   * @throws ConnectorException of kind USER if there are some and the table says that there must
   *     not
   */
  void settle(Predicate<Path> isOfThisJob) throws IOException {
    switch (options.onExisting()) {
      case APPEND -> warn(count(PartFile::isCompleted));
      case FAIL ->
          refuse(
              count(
                  file ->
                      PartFile.isCompleted(file)
                          || (PartFile.isInProgress(file) && !isOfThisJob.test(file))));
    }
  }

  private int count(Predicate<Path> counted) throws IOException {
    return new SinkFiles(table, options, context).count(counted, MAX_COUNTED);
  }

  private void warn(int files) {
    if (files > 0) {
      context.report(
          Severity.WARNING,
          ("table %s: %s has %s of earlier runs; this run adds to them. Delete them or write"
                  + " another 'path' for a new result, or 'sink.on-existing' = 'fail' to refuse")
              .formatted(table.name(), options.path(), text(files)));
    }
  }

  private void refuse(int files) {
    if (files > 0) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          ("table %s: 'sink.on-existing' = 'fail', and %s has %s of earlier or running jobs; move"
                  + " them away, or write another 'path' or 'sink.on-existing' = 'append'")
              .formatted(table.name(), options.path(), text(files)));
    }
  }

  private static String text(int files) {
    if (files > MAX_COUNTED) {
      return "more than %,d files".formatted(MAX_COUNTED);
    }
    return files == 1 ? "1 file" : "%,d files".formatted(files);
  }
}
