package io.sedge.connector;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A directory that a script names, such as a model's, as one file: a zip archive without
 * compression, sorted by name. The same files give the same bytes. Any thread; blocks.
 *
 * <p>A directory may hold files and directories and nothing else: a link could lead to what a
 * script may not read. The messages of exceptions are for people and name the file.
 */
public final class DirectoryArchive {
  /** How many files and directories one may have. */
  public static final int MOST_FILES = 1_000;

  /** How many bytes its files may have together. */
  public static final long MOST_BYTES = 256L << 20;

  private static final int MOST_DEPTH = 16;
  private static final int MOST_CHARACTERS = 512;
  private static final int BUFFER = 64 << 10;

  /** The first day of 1980 is no time of zip's for the JDK, which then writes one with a zone. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private DirectoryArchive() {}

  /** Is given the files of a directory or an archive, one after the other. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * @param name with slashes, relative to the directory
     * @param content of use until this returns
     */
    void file(String name, InputStream content) throws IOException;
  }

  /**
   * Shows all files.
   *
   * @param place a directory, whose files come sorted by name, or an archive, whose files come as
   *     they stand there
   * @throws IOException if it cannot be read, is none of both, holds links, or is too large
   */
  public static void read(Path place, Visitor visitor) throws IOException {
    if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      long left = MOST_BYTES;
      for (Map.Entry<String, Path> file : files(place, _ -> {}).entrySet()) {
        try (InputStream input = open(file.getValue())) {
          Bounded content = new Bounded(input, left);
          visitor.file(file.getKey(), content);
          left = content.left;
        }
      }
    } else {
      readArchive(place, visitor);
    }
  }

  /**
   * How many bytes the files of a directory have.
   *
   * @throws IOException as {@link #read}
   */
  public static long size(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : files(directory, _ -> {}).values()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /**
   * Returns if a job may read a directory with all that is below it, each by itself: what is
   * allowed may have something in it that is not.
   *
   * @param what names the directory in a message: {@code model m: 'path'}
   * @throws ConnectorException of kind USER if it may not
   * @throws IOException as {@link #read}
   */
  public static void check(String what, Path directory, FileAccess access) throws IOException {
    files(directory, each -> access.check(what, each, FileAccess.Use.READ));
  }

  /**
   * Writes the archive of a directory, and closes the output.
   *
   * @throws IOException as {@link #read}
   */
  public static void write(Path directory, OutputStream output) throws IOException {
    try (ZipOutputStream archive = new ZipOutputStream(output)) {
      for (Map.Entry<String, Path> file : files(directory, _ -> {}).entrySet()) {
        add(archive, file.getKey(), file.getValue());
      }
    }
  }

  private static void add(ZipOutputStream archive, String name, Path file) throws IOException {
    CRC32 checksum = new CRC32();
    long size;
    try (InputStream input = new CheckedInputStream(open(file), checksum)) {
      size = input.transferTo(OutputStream.nullOutputStream());
    }
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setTimeLocal(TIME);
    entry.setSize(size);
    entry.setCrc(checksum.getValue());
    archive.putNextEntry(entry);
    try (InputStream input = open(file)) {
      input.transferTo(archive);
      archive.closeEntry();
    } catch (ZipException e) {
      throw new IOException("%s was changed while it was read".formatted(name), e);
    }
  }

  private static InputStream open(Path file) throws IOException {
    return Channels.newInputStream(
        Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  /**
   * The files of a directory by name, within bounds.
   *
   * @param each is given all directories and files, the directory itself too
   */
  private static Map<String, Path> files(Path directory, Consumer<Path> each) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    Files.walkFileTree(
        directory,
        Set.of(),
        MOST_DEPTH,
        new SimpleFileVisitor<>() {
          private int entries;
          private long bytes;

          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            each.accept(path);
            if (!path.equals(directory)) {
              check(++entries, bytes);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String separator = directory.getFileSystem().getSeparator();
            String name = directory.relativize(file).toString().replace(separator, "/");
            if (attributes.isSymbolicLink()) {
              throw new IOException(
                  "%s is a symbolic link, which may lead elsewhere: put the file itself there"
                      .formatted(shown(name)));
            }
            if (attributes.isDirectory()) {
              throw new IOException(
                  "%s is more than %d directories deep".formatted(shown(name), MOST_DEPTH - 1));
            }
            if (!attributes.isRegularFile()) {
              throw new IOException("%s is no file".formatted(shown(name)));
            }
            each.accept(file);
            bytes += attributes.size();
            check(++entries, bytes);
            files.put(checked(name), file);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static void check(int files, long bytes) throws IOException {
    if (files > MOST_FILES) {
      throw new IOException("it has more than %,d files and directories".formatted(MOST_FILES));
    }
    if (bytes > MOST_BYTES) {
      throw new IOException("its files have more than %,d bytes together".formatted(MOST_BYTES));
    }
  }

  private static void readArchive(Path place, Visitor visitor) throws IOException {
    Set<String> names = new HashSet<>();
    int entries = 0;
    long left = MOST_BYTES;
    try (ZipInputStream archive = new ZipInputStream(open(place))) {
      for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
        check(++entries, 0);
        if (entry.isDirectory()) {
          continue;
        }
        String name = checked(entry.getName());
        if (!names.add(name)) {
          throw new IOException("%s is in it twice".formatted(name));
        }
        Bounded content = new Bounded(archive, left);
        visitor.file(name, content);
        content.transferTo(OutputStream.nullOutputStream());
        left = content.left;
      }
    } catch (ZipException | EOFException | IllegalArgumentException e) {
      throw new IOException("it is a damaged zip archive: " + e.getMessage(), e);
    }
    if (names.isEmpty()) {
      throw new IOException("it is neither a directory nor a zip archive of one");
    }
  }

  /** One that does not lead out of the directory where it is unpacked. */
  private static String checked(String name) throws IOException {
    List<String> parts = List.of(name.split("/", -1));
    boolean plain =
        name.length() <= MOST_CHARACTERS
            && parts.size() <= MOST_DEPTH
            && name.chars().noneMatch(c -> c < ' ' || c == '\\' || c == ':')
            && parts.stream().noneMatch(part -> Set.of("", ".", "..").contains(part));
    if (!plain) {
      throw new IOException(
          "a file in it has a name that it may not have: %s. A name has no backslash, colon, control character or '..', and at most %d characters and %d directories"
              .formatted(shown(name), MOST_CHARACTERS, MOST_DEPTH - 1));
    }
    return name;
  }

  /** In one line, however it is made. */
  private static String shown(String name) {
    return name.substring(0, Math.min(name.length(), MOST_CHARACTERS))
        .replaceAll("\\p{Cntrl}", "?");
  }

  /** Fails where there are more bytes than expected; closing it does not close its source. */
  private static final class Bounded extends InputStream {
    private final InputStream source;
    private long left;

    Bounded(InputStream source, long left) {
      this.source = source;
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = source.read(bytes, offset, Math.min(length, BUFFER));
      left -= Math.max(count, 0);
      if (left < 0) {
        check(0, Long.MAX_VALUE);
      }
      return count;
    }
  }
}
