package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files in a sink's directory that earlier runs have written. A job that is run again would add
 * its rows to them, which must be said. What has another name than {@link PartFile} gives is not
 * looked at, and never deleted.
 */
final class EarlierRuns {
  private final String table;
  private final FilesystemOptions options;
  private final ConnectorContext context;

  EarlierRuns(String table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.options = options;
    this.context = context;
  }

  /**
   * Does with them what the table says. Called before the first file of a run is begun.
   *
   * @throws ConnectorException of kind USER if there are some and the table says that there must
   *     not, or if one is to be deleted whose writer is alive
   */
  void settle() throws IOException {
    List<Path> files = new FileLister(table, options, context).completed();
    if (files.isEmpty()) {
      return;
    }
    switch (options.onExisting()) {
      case APPEND ->
          context.report(
              Severity.WARNING,
              ("table %s: %s has %s of earlier runs; this run adds to them. Write"
                      + " 'sink.on-existing' = 'overwrite' to replace them, or 'fail' to refuse")
                  .formatted(table, options.path(), count(files)));
      case FAIL ->
          throw new ConnectorException(
              ConnectorException.Kind.USER,
              ("table %s: 'sink.on-existing' = 'fail', and %s has %s of earlier runs; move them"
                      + " away, or write 'overwrite' or 'append'")
                  .formatted(table, options.path(), count(files)));
      case OVERWRITE -> delete(files);
    }
  }

  private static String count(List<Path> files) {
    return files.size() == 1 ? "1 file" : "%,d files".formatted(files.size());
  }

  private void delete(List<Path> files) throws IOException {
    Set<String> writers = new TreeSet<>();
    files.forEach(file -> writers.add(PartFile.writer(file)));
    for (String writer : writers) {
      try (WriterLock lock = WriterLock.takeOver(options.path(), writer)) {
        if (lock == null) {
          throw new ConnectorException(
              ConnectorException.Kind.USER,
              ("table %s: 'sink.on-existing' = 'overwrite', but another job is writing to %s; stop"
                      + " it, or use a directory of its own")
                  .formatted(table, options.path()));
        }
      }
    }
    Set<Path> directories = new TreeSet<>();
    files.forEach(file -> directories.add(file.resolveSibling("")));
    for (Path directory : directories) { // One may be a link to another place.
      FilesystemOptions.check(table, directory, FileAccess.Use.WRITE, context);
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    for (Path directory : directories) {
      Durable.forceDirectory(directory);
    }
    context.report(
        Severity.INFO,
        "table %s: deleted %s of earlier runs in %s"
            .formatted(table, count(files), options.path()));
  }
}
