package io.sedge.learning.onnx.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Removes what ONNX Runtime leaves behind where temporary files are: a directory for each process,
 * with a library of 24 MB. A process needs its own for some seconds, and removes it then; what is
 * an hour old is of one that was killed meanwhile.
 */
final class Leftovers {
  private static final String PATTERN = "onnxruntime-java*";
  private static final Duration AGE = Duration.ofHours(1);

  private Leftovers() {}

  /** Removes those of a directory that are old, and may be removed. */
  static void remove(Path directory, Instant now) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, PATTERN)) {
      for (Path each : found) {
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
            && Files.getLastModifiedTime(each).toInstant().isBefore(now.minus(AGE))) {
          remove(each);
        }
      }
    } catch (IOException _) {
      // It costs some room, and the next process tries again.
    }
  }

  /** Removes one with its files, if it may be removed. */
  static void remove(Path leftover) {
    try {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(leftover)) {
        for (Path file : files) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(leftover);
    } catch (IOException _) {
      // Of another user; or this system keeps libraries that are loaded.
    }
  }
}
