package io.sedge.replication.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are whole after a crash, as they were or as they are to be. */
final class DurableFile {
  private DurableFile() {}

  /** Puts bytes in the place of a file, or leaves that as it is if they cannot be written. */
  static void replace(Path file, byte[] bytes) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            written,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(file.toAbsolutePath().resolveSibling("."));
  }

  /** So that the new name lasts; where directories cannot be opened they need not be forced. */
  private static void forceDirectory(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
