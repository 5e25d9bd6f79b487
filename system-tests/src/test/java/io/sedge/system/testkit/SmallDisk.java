package io.sedge.system.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A directory with a file system of its own, which can be filled to the last byte. */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 1 << 20;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts one; empty where that is not permitted. */
  public static Optional<SmallDisk> at(Path directory, int mebibytes) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Programs.run(
            "mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", directory + "")
        ? Optional.of(new SmallDisk(directory))
        : Optional.empty();
  }

  private Path filler() {
    return directory.resolve("filler");
  }

  /** Leaves no byte free. */
  public void fill() {
    try (OutputStream output = Files.newOutputStream(filler())) {
      for (byte[] block = new byte[BLOCK]; ; ) {
        output.write(block);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Gives back what {@link #fill} took. */
  public void empty() {
    try {
      Files.deleteIfExists(filler());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    Programs.run("umount", "-l", directory.toString());
  }
}
