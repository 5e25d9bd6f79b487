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
  /** How many files one may have. */
  public static final int MOST_FILES = 1_000;

  /** How many bytes its files may have together. */
  public static final long MOST_BYTES = 256L << 20;

  private static final int MOST_DEPTH = 16;
  private static final int MOST_CHARACTERS = 512;
  private static final int BUFFER = 64 << 10;
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

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
      for (Map.Entry<String, Path> file : files(place).entrySet()) {
        try (InputStream content = open(file.getValue())) {
          visitor.file(file.getKey(), new Bounded(content, MOST_BYTES));
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
    for (Path file : files(directory).values()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /**
   * Writes the archive of a directory.
   *
   * @throws IOException as {@link #read}
   */
  public static void write(Path directory, OutputStream output) throws IOException {
    ZipOutputStream archive = new ZipOutputStream(output);
    for (Map.Entry<String, Path> file : files(directory).entrySet()) {
      add(archive, file.getKey(), () -> open(file.getValue()));
    }
    archive.finish();
  }

  /**
   * Writes an archive of files that are in memory.
   *
   * @param files by name, with slashes
   */
  public static void write(Map<String, byte[]> files, OutputStream output) throws IOException {
    ZipOutputStream archive = new ZipOutputStream(output);
    for (Map.Entry<String, byte[]> file : new TreeMap<>(files).entrySet()) {
      add(archive, file.getKey(), () -> new java.io.ByteArrayInputStream(file.getValue()));
    }
    archive.finish();
  }

  private interface Content {
    InputStream open() throws IOException;
  }

  private static void add(ZipOutputStream archive, String name, Content content)
      throws IOException {
    CRC32 checksum = new CRC32();
    long size;
    try (InputStream input = new CheckedInputStream(content.open(), checksum)) {
      size = input.transferTo(OutputStream.nullOutputStream());
    }
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setTimeLocal(TIME);
    entry.setSize(size);
    entry.setCrc(checksum.getValue());
    archive.putNextEntry(entry);
    try (InputStream input = content.open()) {
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

  /** The files of a directory by name, within bounds. */
  private static Map<String, Path> files(Path directory) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    Files.walkFileTree(
        directory,
        Set.of(),
        MOST_DEPTH,
        new SimpleFileVisitor<>() {
          private long bytes;

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String name = directory.relativize(file).toString().replace('\\', '/');
            if (attributes.isSymbolicLink()) {
              throw new IOException(
                  "%s is a symbolic link, which may lead elsewhere: put the file itself there"
                      .formatted(name));
            }
            if (attributes.isDirectory()) {
              throw new IOException(
                  "%s is more than %d directories deep".formatted(name, MOST_DEPTH - 1));
            }
            if (!attributes.isRegularFile()) {
              throw new IOException("%s is no file".formatted(name));
            }
            bytes += attributes.size();
            files.put(name, file);
            check(files.size(), bytes);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static void check(int files, long bytes) throws IOException {
    if (files > MOST_FILES) {
      throw new IOException("it has more than %,d files".formatted(MOST_FILES));
    }
    if (bytes > MOST_BYTES) {
      throw new IOException("its files have more than %,d bytes together".formatted(MOST_BYTES));
    }
  }

  private static void readArchive(Path place, Visitor visitor) throws IOException {
    Set<String> names = new HashSet<>();
    long left = MOST_BYTES;
    try (ZipInputStream archive = new ZipInputStream(open(place))) {
      for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
        if (entry.isDirectory()) {
          check(names.size() + 1, 0);
          continue;
        }
        String name = checked(entry.getName());
        if (!names.add(name)) {
          throw new IOException("%s is in it twice".formatted(name));
        }
        check(names.size(), 0);
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
            && parts.size() < MOST_DEPTH
            && name.chars().noneMatch(c -> c < ' ' || c == '\\' || c == ':')
            && parts.stream().noneMatch(part -> Set.of("", ".", "..").contains(part));
    if (!plain) {
      throw new IOException(
          "the name of a file in it leads elsewhere: "
              + name.substring(0, Math.min(name.length(), MOST_CHARACTERS)));
    }
    return name;
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
