package io.sedge.connector.history.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes what is too old of stores that nobody writes any more: those of jobs that were removed,
 * and of shards that are elsewhere now. What their tables said is in the head of their last
 * journal.
 */
final class Sweep {
  private static final int LEVELS = 3;

  private Sweep() {}

  /**
   * Goes through all stores below a root but those that are written.
   *
   * @param nowMs the time, which is to be trusted
   */
  static void apply(Path root, long nowMs) throws IOException {
    try (Stream<Path> directories = Files.find(root, LEVELS, (path, _) -> isStore(root, path))) {
      for (Path store : directories.toList()) {
        try (StoreLock lock = StoreLock.tryTake(store)) {
          if (lock != null) {
            sweep(store, nowMs);
          }
        }
      }
    } catch (NoSuchFileException e) {
      return; // Nothing was kept yet, or somebody else deletes it.
    }
  }

  private static boolean isStore(Path root, Path path) {
    return root.relativize(path).getNameCount() == LEVELS && Files.isDirectory(path);
  }

  private static void sweep(Path store, long nowMs) throws IOException {
    Recovery found = Recovery.in(store);
    List<Recovery.Found> journals = found.journals();
    if (journals.isEmpty()) {
      return;
    }
    Frames.Head head = journals.getLast().content().head();
    Retention.apply(store, head.ageMs(), head.bytes(), nowMs);
    for (Recovery.Found journal : journals) {
      Path file = journal.file().file();
      boolean old = nowMs - Files.getLastModifiedTime(file).toMillis() > head.ageMs();
      boolean last = journal.equals(journals.getLast());
      // The last says what the store is, for as long as there is any of it.
      if (old && (!last || StoreFiles.in(store).segments().isEmpty())) {
        Files.deleteIfExists(file);
      }
    }
  }
}
