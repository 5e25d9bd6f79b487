package io.sedge.connector.filesystem.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.TableDescriptor;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The files that sinks of a table have written. They lie in the table's directory or, if it is
 * PARTITIONED BY columns, in those of its partitions, {@code day=2026-01-31/line=7}. What lies
 * deeper, or in directories with other names, is another table's and is not looked at.
 */
final class SinkFiles {
  private static final int MAX_REPORTED = 100;

  private final TableDescriptor table;
  private final Path root;
  private final ConnectorContext context;
  private int reported;

  SinkFiles(TableDescriptor table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.root = options.path();
    this.context = context;
  }

  /** The hidden files that sinks write or have left, with the locks, which lie at the top. */
  List<Path> inProgress() throws IOException {
    List<Path> found = new ArrayList<>();
    visit(
        root,
        0,
        file -> {
          if (PartFile.isInProgress(file)) {
            found.add(file);
          }
          return true;
        });
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root, WriterLock::isLock)) {
      files.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw requireNonNull(e.getCause());
    }
    return found;
  }

  /**
   * How many of the files are counted; more than the most if there are more, and no more sought.
   */
  int count(Predicate<Path> counted, int most) throws IOException {
    int[] count = {0};
    visit(
        root,
        0,
        file -> {
          count[0] += counted.test(file) && Files.isRegularFile(file) ? 1 : 0;
          return count[0] <= most;
        });
    return count[0];
  }

  /**
   * Visits what lies in the directories of the partitions, also where one is a symbolic link.
   *
   * @param visit whether to go on after a file
   * @return whether to go on
   */
  private boolean visit(Path directory, int depth, Predicate<Path> visit) throws IOException {
    List<String> keys = table.partitionKeys();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        boolean goOn =
            depth == keys.size()
                ? visit.test(entry)
                : !isPartition(entry, keys.get(depth)) || visit(entry, depth + 1, visit);
        if (!goOn) {
          return false;
        }
      }
    } catch (DirectoryIteratorException e) {
      passOver(directory, requireNonNull(e.getCause()));
    } catch (IOException e) {
      passOver(directory, e);
    }
    return true;
  }

  private static boolean isPartition(Path entry, String key) {
    return String.valueOf(entry.getFileName()).startsWith(key + "=") && Files.isDirectory(entry);
  }

  private void passOver(Path directory, IOException failure) throws IOException {
    if (directory.equals(root)) {
      throw failure;
    }
    if (failure instanceof NoSuchFileException || reported == MAX_REPORTED) {
      return; // It went away while we looked, or enough was said.
    }
    reported++;
    context.report(
        Severity.WARNING,
        "table %s: %s cannot be read, so it is passed over: %s"
            .formatted(table.name(), directory, failure.getClass().getSimpleName()));
  }
}
