package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Brings files to the disk, which may take seconds, on a thread of its own, one lot after the
 * other. Called by one thread.
 */
final class Durable {
  /** What follows from files being on the disk. */
  @FunctionalInterface
  interface Confirmation {
    void confirm() throws IOException;
  }

  private final String name;
  private final Path root;
  private final Runnable whenDone;
  private @Nullable FutureTask<Boolean> running;

  /**
   * @param root the directory that the files lie in or below
   * @param whenDone called on that thread after each lot
   */
  Durable(String name, Path root, Runnable whenDone) {
    this.name = name;
    this.root = root;
    this.whenDone = whenDone;
  }

  /**
   * Whether the last lot is on its way.
   *
   * @throws IOException if it failed; the same again at every later call
   */
  boolean isBusy() throws IOException {
    FutureTask<Boolean> last = running;
    if (last != null && last.isDone()) {
      await();
    }
    return running != null;
  }

  /**
   * Begins a lot; not while one is on its way.
   *
   * @param written stay in progress
   * @param ended get their names
   * @param confirmation is told when all of it is on the disk, before files get their names
   */
  void begin(List<PartFile> written, List<PartFile> ended, Confirmation confirmation) {
    FutureTask<Boolean> lot = new FutureTask<>(() -> bring(written, ended, confirmation));
    running = lot;
    Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              lot.run();
              whenDone.run();
            });
  }

  /** Waits for the last lot. */
  void await() throws IOException {
    FutureTask<Boolean> last = running;
    if (last == null) {
      return;
    }
    try {
      boolean _ = last.get();
      running = null;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure
          ? failure
          : new IOException("not brought to the disk", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while files were brought to the disk", e);
    }
  }

  private boolean bring(List<PartFile> written, List<PartFile> ended, Confirmation confirmation)
      throws IOException {
    for (PartFile file : written) {
      file.force();
    }
    for (PartFile file : ended) {
      file.settle();
    }
    forceDirectories(written);
    forceDirectories(ended);
    confirmation.confirm();
    for (PartFile file : ended) {
      file.publish();
    }
    forceDirectories(ended);
    return true;
  }

  private void forceDirectories(List<PartFile> files) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    files.forEach(file -> addDirectories(file, directories));
    for (Path directory : directories) {
      forceDirectory(directory);
    }
  }

  /** Names are in directories, and those of new directories in theirs. */
  private void addDirectories(PartFile file, Set<Path> directories) {
    for (Path directory = file.directory();
        directory != null && directory.startsWith(root) && directories.add(directory);
        directory = directory.getParent()) {}
  }

  /** Makes a directory with those above it, also on the disk. */
  static void createDirectories(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (Files.isDirectory(directory) || parent == null) {
      return;
    }
    createDirectories(parent);
    Files.createDirectories(directory);
    forceDirectory(parent);
  }

  /** Brings the names in a directory to the disk. */
  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      return; // Windows opens no directories; nor is there another way.
    }
  }
}
