package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.format.RecordSplitter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which files of a table are waiting, open and done with. One thread.
 *
 * <p>There are three ways to read: once (the files found at the start, one after the other),
 * monitored (new files too; each is read once, by its name) and followed (files are read on as they
 * grow, see {@link Rotation}). At most {@link #MAX_OPEN} followed files are open; where others
 * wait, those make room in which nothing was found last, and wait themselves once they have grown.
 * Of files that are read once it may be a part.
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
  private final @Nullable FileRange range;

  private final Deque<KnownFile> waiting = new ArrayDeque<>();
  private final List<KnownFile> open = new ArrayList<>();

  /**
   * Monitored files by name, followed ones by identity where they have one; of those read once only
   * what a position said. Holds no files but those of the last listing, open ones and ones that
   * were renamed and are not read to their end.
   */
  private final Map<String, KnownFile> known = new LinkedHashMap<>();

  private String passed = "";
  private boolean listed;
  private boolean missingReported;
  private boolean mayOpen;
  private long nextListingNanos;
  private int turn;

  FileSet(
      String table,
      FilesystemOptions options,
      ConnectorContext context,
      RecordSplitter splitter,
      boolean hasHeader,
      @Nullable FileRange range) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.lister = new FileLister(table, options, context);
    this.splitter = splitter;
    this.hasHeader = hasHeader;
    this.range = range;
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
    if (listed && (isOnce() || nowNanos - nextListingNanos < 0)) {
      return;
    }
    listed = true;
    mayOpen = true;
    if (isOnce()) {
      readOnce();
      return;
    }
    nextListingNanos = nowNanos + options.monitorInterval().orElseThrow().toNanos();
    if (!lister.exists()) {
      reportMissing();
      return;
    }
    missingReported = false;
    if (options.follow()) {
      new Rotation(table, context, lister, known, this::release).apply(lister.list());
    } else {
      monitor();
    }
    for (KnownFile file : known.values()) {
      if (file.hasUnseen() && !file.queued) {
        enqueue(file);
      }
    }
  }

  private void readOnce() {
    for (FoundFile found : files()) {
      if (("=" + found.name()).compareTo(passed) > 0) {
        KnownFile file = known.get(found.name());
        file = file == null ? begun(found) : file;
        file.found = found;
        enqueue(file);
      }
    }
  }

  /** Those to be read once; of a part, they must be what was cut. */
  private List<FoundFile> files() {
    if (range == null) {
      return lister.list();
    }
    List<FoundFile> files = lister.list(range.names());
    if (FileRange.fingerprint(files) != range.fingerprint()) {
      throw changed(lister.path(range.first()));
    }
    return files;
  }

  private ConnectorException changed(Path file) {
    return new ConnectorException(
        ConnectorException.Kind.USER,
        "table %s: %s, or a file after it, is not what it was when the job's input was cut into parts: files must stay as they are until the job has ended; stop and remove the job and submit it anew"
            .formatted(table, file));
  }

  private KnownFile begun(FoundFile found) {
    return range != null && range.from() > 0 && found.name().equals(range.first())
        ? KnownFile.of(
            new FilePosition.Entry(
                found.name(), found.identity(), range.from(), 0, false, FileFingerprint.NONE),
            lister)
        : new KnownFile(found);
  }

  private void monitor() {
    Set<String> names = new HashSet<>();
    for (FoundFile found : lister.list()) {
      names.add(found.name());
      known.computeIfAbsent(found.name(), _ -> new KnownFile(found)).found = found;
    }
    known
        .values()
        .removeIf(
            file -> !names.contains(file.found.name()) && file.reader() == null && !file.queued);
  }

  private void enqueue(KnownFile file) {
    file.queued = true;
    waiting.add(file);
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

  /** The file to read from; null if there is none with anything to read. */
  @Nullable RecordFile current() {
    if (mayOpen) {
      mayOpen = false;
      openWaiting();
    }
    return open.isEmpty() ? null : open.get(turn % open.size()).reader();
  }

  private void openWaiting() {
    int most = options.follow() ? MAX_OPEN : 1;
    KnownFile next = next();
    while (next != null && (open.size() < most || makeRoom())) {
      waiting.remove(next);
      next.queued = false;
      open(next);
      next = next();
    }
  }

  /** The first waiting file that need not wait for another that had its name. */
  private @Nullable KnownFile next() {
    for (KnownFile file : waiting) {
      String name = file.found.name();
      boolean mustWait =
          !file.isLeaving()
              && (open.stream().anyMatch(other -> other.precedes(name))
                  || waiting.stream().anyMatch(other -> other.precedes(name)));
      if (!mustWait) {
        return file;
      }
    }
    return null;
  }

  private boolean makeRoom() {
    for (KnownFile file : open) {
      if (file.idle && !file.isLeaving()) {
        close(file);
        return true;
      }
    }
    return false;
  }

  /** How many files are open. */
  int openCount() {
    return open.size();
  }

  /** Nothing more in the current file for now: it is the next one's turn. */
  void idle() {
    open.get(turn % open.size()).idle = true;
    turn = (turn + 1) % open.size();
    mayOpen = !waiting.isEmpty();
  }

  /** Something was found in the current file. */
  void busy() {
    open.get(turn % open.size()).idle = false;
  }

  /** The current file is read to its end. */
  void ended() {
    KnownFile file = open.get(turn % open.size());
    RecordFile reader = file.reader();
    if (reader != null && reader.isCutShort()) {
      throw changed(file.found.path());
    }
    close(file);
    file.complete(!options.follow());
    mayOpen = true;
    if (isOnce()) {
      passed = "=" + file.found.name();
    }
  }

  /** The current file is packed and its end is missing; it is read on when it has changed. */
  void incomplete() {
    KnownFile file = open.get(turn % open.size());
    close(file);
    reportIncomplete(file);
    mayOpen = true;
  }

  private void reportIncomplete(KnownFile file) {
    if (!file.reported) {
      file.reported = true;
      context.report(
          Severity.WARNING,
          "table %s: %s is packed and not complete; it is read on when it has changed"
              .formatted(table, file.found.path()));
    }
  }

  private void open(KnownFile file) {
    FoundFile found = file.found;
    FilesystemOptions.check(table, found.path(), FileAccess.Use.READ, context);
    try {
      RecordFile reader = RecordFile.open(found, splitter);
      if (range != null && range.to() != FileRange.END && found.name().equals(range.last())) {
        reader.endAt(range.to());
      }
      if (!isAt(reader, file.offset())) {
        if (range != null) {
          reader.close();
          throw changed(found.path());
        }
        context.report(
            Severity.WARNING,
            "table %s: %s is shorter than when it was read last; it is read from its start"
                .formatted(table, found.path()));
        reader.close();
        reader = RecordFile.open(found, splitter);
        file.rewind();
      }
      file.open(reader);
      open.add(file);
      if (isOnce()) {
        known.remove(found.name());
      }
    } catch (NoSuchFileException e) {
      if (isOnce()) {
        throw FilesystemOptions.failed(table, found.path(), "cannot be read", e);
      }
      // It went away since it was found; the next listing says where to.
    } catch (RecordFile.IncompleteException e) {
      if (isOnce()) {
        throw FilesystemOptions.failed(table, found.path(), "cannot be read", e);
      }
      file.seenAsItIs();
      reportIncomplete(file);
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, found.path(), "cannot be read", e);
    }
  }

  private boolean isAt(RecordFile reader, long offset) throws IOException {
    if (offset == 0) {
      return true;
    }
    try {
      if (hasHeader) {
        reader.readHeader();
      }
      return reader.skipTo(offset);
    } catch (IOException e) {
      reader.close();
      throw e;
    }
  }

  /** Where reading stands; {@code offset} is that of the current file. */
  FilePosition position(@Nullable RecordFile current, long offset) {
    Set<KnownFile> files = new LinkedHashSet<>(known.values());
    files.addAll(open);
    List<FilePosition.Entry> entries = new ArrayList<>(files.size());
    for (KnownFile file : files) {
      FilePosition.Entry entry =
          current != null && file.reader() == current ? file.entry(offset) : file.entry();
      if (entry.offset() != 0 || entry.seenBytes() != 0) {
        entries.add(entry);
      }
    }
    return new FilePosition(passed, entries);
  }

  void seek(FilePosition position) {
    passed = position.passed();
    for (FilePosition.Entry entry : position.files()) {
      KnownFile file = KnownFile.of(entry, lister);
      known.put(options.follow() ? Rotation.key(file.found) : entry.name(), file);
    }
  }

  private void release(KnownFile file) {
    waiting.remove(file);
    file.queued = false;
    if (file.reader() != null) {
      close(file);
    }
  }

  /** Takes a file out of those that are open. */
  private void close(KnownFile file) {
    RecordFile reader = file.reader();
    int index = open.indexOf(file);
    open.remove(index);
    turn = index < turn ? turn - 1 : turn;
    file.pause();
    try {
      if (reader != null) {
        reader.close();
      }
    } catch (IOException e) {
      context.report(
          Severity.WARNING,
          "table %s: %s could not be closed: %s".formatted(table, file.found.path(), e));
    }
  }

  @Override
  public void close() {
    List.copyOf(open).forEach(this::close);
    waiting.clear();
  }
}
