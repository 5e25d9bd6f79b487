package io.sedge.identity;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read, written whole or not at all. */
public final class SecretFiles {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final String OF_DIRECTORIES = "rwx------";
  private static final String OF_FILES = "rw-------";

  private SecretFiles() {}

  /** Makes a directory, if it is not there, that only its owner may enter. */
  public static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, attributes(OF_DIRECTORIES));
    }
    if (POSIX) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(OF_DIRECTORIES));
    }
  }

  /** Whether others than its owner may look into a directory, or write there. */
  public static boolean isOpen(Path directory) throws IOException {
    return POSIX
        && !PosixFilePermissions.fromString(OF_DIRECTORIES)
            .containsAll(Files.getPosixFilePermissions(directory));
  }

  /** Makes a file readable for its owner alone. */
  public static void protect(Path file) throws IOException {
    if (POSIX) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(OF_FILES));
    }
  }

  /** A new file for its owner alone; one that is there is refused. */
  public static OutputStream create(Path file) throws IOException {
    return Channels.newOutputStream(
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            attributes(OF_FILES)));
  }

  /** Replaces a file; after a crash it is as before or as it should be. */
  public static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            attributes(OF_FILES))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    replace(file, fresh);
  }

  /**
   * Puts a file that was written in the place of another one, which need not be there; after a
   * crash it is the one or the other, whole.
   */
  public static void replace(Path file, Path fresh) throws IOException {
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(file.toAbsolutePath().resolveSibling("."));
  }

  private static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (FileSystemException e) {
      if (POSIX) {
        throw e;
      }
      // Elsewhere directories cannot be opened, and need not be forced.
    }
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
