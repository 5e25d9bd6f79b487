package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.type.Schema;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what was kept of a table on this device: the stores of all shards that it has read. */
final class HistoryFiles {
  /** Files come and go while they are looked at; never so often. */
  private static final int MAX_ATTEMPTS = 10;

  private HistoryFiles() {}

  /**
   * The stores of a table.
   *
   * @param other the job whose they are, if that is another than the one that reads and nobody has
   *     named it
   */
  record Found(List<Path> stores, Optional<String> other) {}

  /**
   * Finds the stores of a table.
   *
   * @param job of which job; if left out it is {@code reading}, if that has kept such a table, else
   *     the only job that has
   * @param reading the job that reads
   */
  static Found stores(
      Path data, Optional<String> job, Optional<String> reading, String table, String readBy)
      throws IOException {
    Path root = StoreFiles.root(data);
    String name = StoreFiles.escaped(table);
    List<Path> jobs = new ArrayList<>();
    for (Path path : directories(root)) {
      if ((job.isEmpty() || isOf(path, job)) && hasKept(path.resolve(name))) {
        jobs.add(path);
      }
    }
    if (jobs.stream().anyMatch(path -> isOf(path, reading))) {
      jobs.removeIf(path -> !isOf(path, reading));
    }
    if (jobs.size() > 1) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: several jobs have kept a table '%s'; say which with 'job' = '…', one of %s"
              .formatted(
                  readBy,
                  table,
                  String.join(", ", jobs.stream().map(HistoryFiles::name).toList())));
    }
    if (jobs.isEmpty()) {
      return new Found(List.of(), Optional.empty());
    }
    Path found = jobs.getFirst();
    return new Found(
        directories(found.resolve(name)),
        Optional.of(name(found))
            .filter(_ -> job.isEmpty() && reading.isPresent() && !isOf(found, reading)));
  }

  private static boolean isOf(Path path, Optional<String> job) {
    return job.map(StoreFiles::escaped).filter(name(path)::equals).isPresent();
  }

  /** Whether there is anything of a table; a directory alone may be left of what was too old. */
  private static boolean hasKept(Path table) throws IOException {
    for (Path store : directories(table)) {
      StoreFiles files = StoreFiles.in(store);
      if (!files.segments().isEmpty() || !files.journals().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** The directories in another, in the order of their names. */
  static List<Path> directories(Path parent) throws IOException {
    try (Stream<Path> paths = Files.list(parent)) {
      return paths.filter(Files::isDirectory).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** Where reading begins in each file of a store that has rows of an interval. */
  static List<Cursor> cursors(
      Path store, String table, Schema schema, Interval interval, int firstOrder)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<Cursor> cursors = new ArrayList<>();
      try {
        add(store, table, schema, interval, firstOrder, cursors);
        cursors.removeIf(Cursor::hasEnded);
        return cursors;
      } catch (IOException | RuntimeException e) {
        for (Cursor cursor : cursors) {
          cursor.close();
        }
        // A journal has become a segment, or a segment was too old; all else is a failure.
        if (!(e instanceof NoSuchFileException) || attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void add(
      Path store, String table, Schema schema, Interval interval, int order, List<Cursor> into)
      throws IOException {
    StoreFiles files = StoreFiles.in(store);
    for (StoreFiles.Segment segment : files.segments()) {
      into.add(Cursor.ofSegment(segment.file(), table, schema, interval, order + into.size()));
    }
    List<JournalReader> journals = new ArrayList<>();
    try {
      long committed = 0;
      for (StoreFiles.Journal journal : files.openJournals()) {
        try {
          journals.add(new JournalReader(journal.file()));
          committed = Math.max(committed, journals.getLast().committed());
        } catch (EOFException e) {
          // It is being begun, and has no rows.
        }
      }
      for (JournalReader journal : journals) {
        into.add(
            Cursor.ofJournal(journal, committed, table, schema, interval, order + into.size()));
      }
    } catch (IOException | RuntimeException e) {
      for (JournalReader journal : journals) {
        journal.close();
      }
      throw e;
    }
  }
}
