package io.sedge.connector.history.internal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what is too old of stores that nobody writes any more: those of jobs that were removed,
 * and of shards that are elsewhere now; at last their directories. What their tables said is in the
 * head of their last journal.
 */
final class Sweep {
  private final long nowMs;
  private @Nullable IOException failure;

  private Sweep(long nowMs) {
    this.nowMs = nowMs;
  }

  /**
   * Goes through all stores below a root but those that are written.
   *
   * @param nowMs the time, which is to be trusted
   * @throws IOException the first failure, when all other stores were gone through
   */
  static void apply(Path root, long nowMs) throws IOException {
    Sweep sweep = new Sweep(nowMs);
    sweep.directories(
        root, job -> sweep.directories(job, table -> sweep.directories(table, sweep::store)));
    if (sweep.failure != null) {
      throw sweep.failure;
    }
  }

  private interface Visit {
    void directory(Path path) throws IOException;
  }

  private void directories(Path parent, Visit visit) throws IOException {
    for (Path path : HistoryFiles.directories(parent)) {
      try {
        visit.directory(path);
        Files.deleteIfExists(path);
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        // There is more in it, or somebody else deletes it.
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
  }

  private void store(Path store) throws IOException {
    try (StoreLock lock = StoreLock.tryTake(store)) {
      if (lock != null) {
        sweep(store);
        lock.deleteEmptyStore();
      }
    }
  }

  private void sweep(Path store) throws IOException {
    StoreFiles files = Recovery.tidied(store);
    Frames.Head head = lastHead(files.openJournals());
    if (head == null) {
      return;
    }
    Retention.apply(store, head.ageMs(), head.bytes(), nowMs);
    List<StoreFiles.Journal> journals = StoreFiles.in(store).openJournals();
    for (StoreFiles.Journal journal : journals) {
      boolean old = nowMs - Files.getLastModifiedTime(journal.file()).toMillis() > head.ageMs();
      boolean last = journal.equals(journals.getLast());
      // The last says what the store is, for as long as there is any of it.
      if (old && (!last || StoreFiles.in(store).segments().isEmpty())) {
        Files.deleteIfExists(journal.file());
      }
    }
  }

  /** What the last table said; null if there is nothing, or nothing that can be read. */
  private static Frames.@Nullable Head lastHead(List<StoreFiles.Journal> journals)
      throws IOException {
    for (StoreFiles.Journal journal : journals.reversed()) {
      try (Frames frames = new Frames(journal.file())) {
        return frames.head();
      } catch (EOFException e) {
        Files.deleteIfExists(journal.file()); // The crash came before its head was whole.
      } catch (Frames.DamagedException e) {
        // It goes with its age, or is put aside when the store is opened again.
      }
    }
    return null;
  }
}
