package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.format.RecordSplitter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which files of a table are waiting, open and done with. One thread.
 *
 * <p>There are three ways to read: once (the files found at the start, one after the other),
 * monitored (new files too; each is read once) and followed (each stays open and is read on as it
 * grows, up to {@link #MAX_OPEN} at a time). A followed file that was renamed is read to its end
 * before its successor of the same name is opened; one that became shorter is read from its start.
 */
final class FileSet implements AutoCloseable {
  /** So many followed files may be open. */
  static final int MAX_OPEN = 256;

  private final String table;
  private final FilesystemOptions options;
  private final ConnectorContext context;
  private final FileLister lister;
  private final RecordSplitter splitter;
  private final boolean hasHeader;

  private final Deque<FoundFile> waiting = new ArrayDeque<>();
  private final List<RecordFile> open = new ArrayList<>();

  /** Monitored and followed files, by name: those done with, and those read in part. */
  private final Map<String, FilePosition.Entry> known = new LinkedHashMap<>();

  /** Where to begin in files that are not open yet, after a seek. */
  private final Map<String, FilePosition.Entry> resumed = new HashMap<>();

  private String passed = "";
  private boolean listed;
  private boolean missingReported;
  private long nextListingNanos;
  private int turn;

  FileSet(
      String table,
      FilesystemOptions options,
      ConnectorContext context,
      RecordSplitter splitter,
      boolean hasHeader) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.lister = new FileLister(table, options);
    this.splitter = splitter;
    this.hasHeader = hasHeader;
  }

  private boolean isOnce() {
    return options.monitorInterval().isEmpty();
  }

  /** Whether there will never be more to read. */
  boolean finished() {
    return isOnce() && listed && waiting.isEmpty() && open.isEmpty();
  }

  /** Looks for new files if it is time to. */
  void discover(long nowNanos) {
    if (isOnce()) {
      if (!listed) {
        lister.list().stream()
            .filter(file -> ("=" + file.name()).compareTo(passed) > 0)
            .forEach(waiting::add);
        listed = true;
      }
      return;
    }
    if (listed && nowNanos - nextListingNanos < 0) {
      return;
    }
    listed = true;
    nextListingNanos = nowNanos + options.monitorInterval().orElseThrow().toNanos();
    if (!lister.exists()) {
      reportMissing();
      return;
    }
    missingReported = false;
    List<FoundFile> found = lister.list();
    Set<String> names = new HashSet<>();
    for (FoundFile file : found) {
      names.add(file.name());
      discovered(file);
    }
    known.keySet().removeIf(name -> !names.contains(name) && !isOpen(name));
    if (options.follow()) {
      checkOpenFiles();
    }
  }

  private void reportMissing() {
    if (!missingReported) {
      missingReported = true;
      context.report(
          Severity.WARNING,
          "table %s: 'path' = '%s' does not exist; waiting for it"
              .formatted(table, options.path()));
    }
  }

  private void discovered(FoundFile file) {
    if (known.containsKey(file.name())
        || isOpen(file.name())
        || waiting.stream().anyMatch(other -> other.name().equals(file.name()))) {
      return;
    }
    boolean renamed =
        options.follow()
            && !file.identity().isEmpty()
            && open.stream().anyMatch(other -> other.file().identity().equals(file.identity()));
    if (renamed) {
      known.put(file.name(), new FilePosition.Entry(file.identity(), FilePosition.DONE));
    } else {
      waiting.add(file);
    }
  }

  private boolean isOpen(String name) {
    return open.stream().anyMatch(file -> file.file().name().equals(name));
  }

  /** Ends followed files that were replaced, cut or deleted, once all of them is read. */
  private void checkOpenFiles() {
    for (RecordFile file : List.copyOf(open)) {
      FoundFile then = file.file();
      try {
        FoundFile now = lister.look(then.path());
        if (!now.identity().equals(then.identity())) {
          file.endsNow();
        } else if (now.sizeBytes() < file.offset()) {
          context.report(
              Severity.INFO,
              "table %s: %s became shorter; it is read from its start"
                  .formatted(table, then.path()));
          file.endsNow();
        }
      } catch (NoSuchFileException e) {
        file.endsNow();
      } catch (IOException e) {
        throw FilesystemOptions.failed(table, then.path(), "cannot be read", e);
      }
    }
  }

  /** The file to read from; null if there is none with anything to read. */
  @Nullable RecordFile current() {
    int most = options.follow() ? MAX_OPEN : 1;
    while (open.size() < most && !waiting.isEmpty()) {
      RecordFile file = opened(waiting.removeFirst());
      if (file != null) {
        open.add(file);
      }
    }
    return open.isEmpty() ? null : open.get(turn % open.size());
  }

  /** How many files are open. */
  int openCount() {
    return open.size();
  }

  /** Nothing more in this file for now: it is the next one's turn. */
  void idle() {
    turn = (turn + 1) % Math.max(1, open.size());
  }

  /** The current file is read to its end. */
  void ended(RecordFile file) {
    FoundFile found = file.file();
    close(file);
    open.remove(file);
    if (isOnce()) {
      passed = "=" + found.name();
    } else if (options.follow() && !file.isCompressed()) {
      known.remove(found.name()); // What has its name now, if anything, is another file.
      nextListingNanos = Long.MIN_VALUE;
      listed = false;
    } else {
      known.put(found.name(), new FilePosition.Entry(found.identity(), FilePosition.DONE));
    }
  }

  private @Nullable RecordFile opened(FoundFile found) {
    FilePosition.Entry entry = resumed.remove(found.name());
    try {
      if (entry != null && options.follow() && !entry.identity().equals(found.identity())) {
        return openedAfterRotation(found, entry);
      }
      return openedAt(found, entry == null ? 0 : entry.offset());
    } catch (NoSuchFileException e) {
      if (isOnce()) {
        throw FilesystemOptions.failed(table, found.path(), "cannot be read", e);
      }
      return null; // It went away since it was found.
    } catch (EOFException e) {
      context.report(
          Severity.WARNING,
          "table %s: %s is shorter than when it was read last; it is read from its start"
              .formatted(table, found.path()));
      return opened(found);
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, found.path(), "cannot be read", e);
    }
  }

  /** The rest of the file that had the name when it was read last comes first. */
  private RecordFile openedAfterRotation(FoundFile found, FilePosition.Entry entry)
      throws IOException {
    Optional<Path> before = lister.renamed(found.path(), entry.identity());
    if (before.isEmpty()) {
      context.report(
          Severity.WARNING,
          "table %s: %s was rotated while nobody read it, and the file that it was is gone; rows"
                  .formatted(table, found.path())
              + " may be missing");
      return openedAt(found, 0);
    }
    FoundFile rest = lister.look(before.get());
    known.put(rest.name(), new FilePosition.Entry(rest.identity(), FilePosition.DONE));
    waiting.removeIf(other -> other.name().equals(rest.name()));
    FoundFile underItsName =
        new FoundFile(
            rest.path(), found.name(), rest.identity(), rest.sizeBytes(), rest.modifiedMs());
    RecordFile file = openedAt(underItsName, entry.offset());
    file.endsNow();
    return file;
  }

  private RecordFile openedAt(FoundFile found, long offset) throws IOException {
    RecordFile file = RecordFile.open(found, splitter);
    try {
      if (offset > 0) {
        if (hasHeader) {
          file.readHeader();
        }
        file.skipTo(offset);
      }
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** Where reading stands; {@code offset} is that of the current file. */
  FilePosition position(@Nullable RecordFile current, long offset) {
    Map<String, FilePosition.Entry> files = new LinkedHashMap<>(known);
    files.putAll(resumed);
    for (RecordFile file : open) {
      FoundFile found = file.file();
      files.put(
          found.name(),
          new FilePosition.Entry(found.identity(), file == current ? offset : file.offset()));
    }
    return new FilePosition(passed, files);
  }

  void seek(FilePosition position) {
    passed = position.passed();
    position
        .files()
        .forEach(
            (name, entry) -> {
              if (entry.offset() == FilePosition.DONE) {
                known.put(name, entry);
              } else {
                resumed.put(name, entry);
              }
            });
  }

  private void close(RecordFile file) {
    try {
      file.close();
    } catch (IOException e) {
      context.report(
          Severity.WARNING,
          "table %s: %s could not be closed: %s".formatted(table, file.file().path(), e));
    }
  }

  @Override
  public void close() {
    open.forEach(this::close);
    open.clear();
    waiting.clear();
  }
}
