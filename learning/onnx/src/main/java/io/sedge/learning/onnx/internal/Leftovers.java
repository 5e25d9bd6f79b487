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
 * empty, or with a library of 24 MB if the process was killed while it loaded it. A process needs
 * its own for some seconds; what is an hour old is nobody's.
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

  private static void remove(Path leftover) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(leftover)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) {
      return; // Of another user.
    }
    Files.deleteIfExists(leftover);
  }
}
