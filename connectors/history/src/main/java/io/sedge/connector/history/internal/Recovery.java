package io.sedge.connector.history.internal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a store finds when it is opened. Half-made segments and journals that have become segments
 * are deleted, and a journal that is torn before its first frame ends. One whose first frame is
 * damaged is put aside.
 *
 * @param journals those that are left, in their order
 * @param damaged where those are now that were put aside
 */
record Recovery(StoreFiles files, List<Found> journals, List<Path> damaged) {
  /** A journal and what is in it. */
  record Found(StoreFiles.Journal file, Journal.Content content) {}

  /**
   * What is in a directory, when half-made segments, and journals that have become some, are
   * deleted.
   */
  static StoreFiles tidied(Path directory) throws IOException {
    StoreFiles files = StoreFiles.in(directory);
    for (Path part : files.parts()) {
      Files.deleteIfExists(part);
    }
    List<StoreFiles.Journal> open = files.openJournals();
    for (StoreFiles.Journal journal : files.journals()) {
      if (!open.contains(journal)) {
        Files.deleteIfExists(journal.file());
      }
    }
    return files;
  }

  static Recovery in(Path directory) throws IOException {
    StoreFiles files = tidied(directory);
    List<Found> found = new ArrayList<>();
    List<Path> damaged = new ArrayList<>();
    for (StoreFiles.Journal journal : files.openJournals()) {
      try {
        found.add(new Found(journal, Journal.scan(journal.file())));
      } catch (EOFException e) {
        Files.deleteIfExists(journal.file()); // The crash came before its head was whole.
      } catch (Frames.DamagedException e) {
        damaged.add(putAside(journal.file()));
      }
    }
    return new Recovery(files, List.copyOf(found), List.copyOf(damaged));
  }

  private static Path putAside(Path journal) throws IOException {
    return Files.move(journal, StoreFiles.damaged(journal), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The store's name, or 0 if there is none yet. */
  long store() {
    return journals.isEmpty() ? 0 : journals.getLast().content().head().store();
  }

  /** The greatest mark that is known to be committed. */
  long committed() {
    long committed = 0;
    for (Found found : journals) {
      committed = Math.max(committed, found.content().committed());
    }
    // What became segments was committed before.
    return journals.isEmpty()
        ? committed
        : Math.max(committed, journals.getFirst().content().head().markBefore());
  }

  /** The greatest mark there is. */
  long lastMark() {
    return journals.stream().mapToLong(found -> found.content().lastMark()).max().orElse(0);
  }

  long stampMs() {
    long stamp = files.lastStampMs();
    for (Found found : journals) {
      stamp = Math.max(stamp, found.content().head().stampMs());
    }
    return stamp;
  }

  /** Takes back what was kept after a commit; journals without rows are deleted. */
  Recovery cutAfter(long mark) throws IOException {
    List<Found> left = new ArrayList<>();
    for (Found found : journals) {
      Path file = found.file().file();
      long end = found.content().endOf(mark);
      boolean last = found.equals(journals.getLast());
      if (!found.content().hasRows(mark) && !last) {
        Files.deleteIfExists(file);
        continue;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(end);
        channel.force(true);
      }
      left.add(new Found(found.file(), Journal.scan(file)));
    }
    return new Recovery(files, List.copyOf(left), damaged);
  }
}
