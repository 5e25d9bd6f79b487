package io.sedge.site.internal.files;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.DirectoryArchive;
import io.sedge.identity.FilePart;
import io.sedge.identity.SecretFiles;
import io.sedge.ledger.JobFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Copies of files, each under the hash of what it holds. A copy has its name once it is whole, its
 * hash was found right, and it is on the disk: whatever ends the process before leaves what is
 * removed at the next start, or goes on where it was. Reads and writes by {@value #BUFFER} bytes.
 * Any thread.
 *
 * <pre>
 *   SHA256        a copy
 *   SHA256.part   what has come of a file
 *   *.new         a copy that is being made; removed at the start
 * </pre>
 */
public final class FileStore {
  /** Of the disk stays free: the ledger needs it. */
  static final long RESERVE_BYTES = 64L << 20;

  private static final int BUFFER = 64 << 10;
  private static final String PART = ".part";
  private static final String FRESH = "copy.new";
  private static final int HASH_CHARACTERS = 64;

  private final Path directory;
  private final LongSupplier freeBytes;

  /** The sizes of copies, by their hashes. */
  private final Map<String, Long> copies = new ConcurrentHashMap<>();

  /** Since when copies are used by no job, by a monotonic clock. */
  private final Map<String, Long> unused = new ConcurrentHashMap<>();

  private FileStore(Path directory, LongSupplier freeBytes) {
    this.directory = directory;
    this.freeBytes = freeBytes;
  }

  /** The one of a directory, which is made if it is not there. */
  public static FileStore open(Path directory) throws IOException {
    return open(directory, () -> directory.toFile().getUsableSpace());
  }

  /**
   * The same.
   *
   * @param freeBytes how much room the disk has
   */
  static FileStore open(Path directory, LongSupplier freeBytes) throws IOException {
    SecretFiles.makeDirectory(directory);
    FileStore store = new FileStore(directory, freeBytes);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(".new")) {
          Files.delete(file);
        } else if (name.length() == HASH_CHARACTERS) {
          store.copies.put(name, Files.size(file));
        }
      }
    }
    return store;
  }

  /** Whether there is a copy. */
  boolean has(JobFile file) {
    return copies.containsKey(file.sha256());
  }

  /** Where a copy is. */
  Path place(String sha256) {
    return directory.resolve(sha256);
  }

  /**
   * Takes a copy of a file.
   *
   * @param what names it in messages
   * @param path as a script has it
   * @param real where it is, without links
   * @throws ConnectorException of kind USER or FILE if it cannot be taken; nothing has changed
   */
  JobFile take(String what, String path, Path real) {
    try {
      JobFile file = describe(what, path, real);
      keep(what, file, real);
      return file;
    } catch (IOException e) {
      throw new ConnectorException(
          Kind.FILE, "%s: %s cannot be read or kept: %s".formatted(what, path, text(e)), e);
    } catch (IllegalArgumentException e) {
      throw new ConnectorException(Kind.USER, "%s: %s".formatted(what, e.getMessage()), e);
    }
  }

  /**
   * The same of a file or a directory, of which the copy is an archive.
   *
   * @throws ConnectorException as {@link #take}
   */
  JobFile takeTree(String what, String path, Path real) {
    if (!Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
      return take(what, path, real);
    }
    try {
      JobFile file = describeTree(what, path, real);
      keepTree(what, file, real);
      return file;
    } catch (IOException e) {
      throw new ConnectorException(
          Kind.FILE, "%s: %s cannot be taken: %s".formatted(what, path, text(e)), e);
    } catch (IllegalArgumentException e) {
      throw new ConnectorException(Kind.USER, "%s: %s".formatted(what, e.getMessage()), e);
    }
  }

  /** Takes a copy of a file, or the archive of a directory, if it is the one that a job names. */
  boolean takeIfSame(JobFile file, Path real) throws IOException {
    if (Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
      return isSameTree(file, real);
    }
    if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)
        || Files.size(real) != file.bytes()
        || !describe("", file.path(), real).equals(file)) {
      return false;
    }
    keep(file.path(), file, real);
    return true;
  }

  /** A directory that cannot be taken is not the one: another device may have it. */
  private boolean isSameTree(JobFile file, Path real) {
    try {
      if (!describeTree("", file.path(), real).equals(file)) {
        return false;
      }
      keepTree(file.path(), file, real);
      return true;
    } catch (IOException | ConnectorException _) {
      return false;
    }
  }

  /** What the archive of a directory would be; nothing is written. */
  private static JobFile describeTree(String what, String path, Path real) throws IOException {
    HashedOutput output = new HashedOutput(OutputStream.nullOutputStream());
    DirectoryArchive.write(real, output);
    checkSize(what, path, output.bytes());
    return new JobFile(path, output.sha256(), output.bytes());
  }

  /** Takes the archive of a directory that was looked at before. */
  private void keepTree(String what, JobFile file, Path real) throws IOException {
    keep(
        what,
        file,
        fresh -> {
          HashedOutput output = new HashedOutput(SecretFiles.create(fresh));
          DirectoryArchive.write(real, output);
          return output.sha256();
        });
  }

  /** Before it is opened: to open a pipe is to wait. */
  private static JobFile describe(String what, String path, Path real) throws IOException {
    if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
      throw new ConnectorException(Kind.FILE, "%s: %s is no file".formatted(what, path));
    }
    long bytes = Files.size(real);
    checkSize(what, path, bytes);
    try (InputStream input = read(real)) {
      return new JobFile(path, copy(input, OutputStream.nullOutputStream(), bytes), bytes);
    }
  }

  private static void checkSize(String what, String path, long bytes) {
    if (bytes > JobFile.MAX_BYTES) {
      throw new ConnectorException(
          Kind.USER,
          "%s: %s has %,d bytes; a file of a job may have %,d"
              .formatted(what, path, bytes, JobFile.MAX_BYTES));
    }
  }

  /** Takes a copy of a file that was looked at before. */
  void keep(String what, JobFile file, Path real) throws IOException {
    keep(what, file, fresh -> copy(real, fresh, file.bytes()));
  }

  /** Makes a copy. */
  @FunctionalInterface
  private interface Copying {
    /** What it holds then, as a hash. */
    String copy(Path fresh) throws IOException;
  }

  private synchronized void keep(String what, JobFile file, Copying copying) throws IOException {
    unused.remove(file.sha256());
    if (has(file)) {
      return;
    }
    checkRoom(file.bytes());
    Path fresh = directory.resolve(FRESH);
    Files.deleteIfExists(fresh);
    try {
      if (!copying.copy(fresh).equals(file.sha256())) {
        throw new ConnectorException(
            Kind.FILE,
            "%s: %s was changed while it was read; submit the job again when it is whole"
                .formatted(what, file.path()));
      }
      SecretFiles.replace(place(file.sha256()), fresh);
      copies.put(file.sha256(), file.bytes());
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Knows how much was written, and its hash. */
  private static final class HashedOutput extends DigestOutputStream {
    private long bytes;

    HashedOutput(OutputStream output) {
      super(output, FileStore.sha256());
    }

    @Override
    public void write(int one) throws IOException {
      super.write(one);
      bytes++;
    }

    @Override
    public void write(byte[] content, int offset, int length) throws IOException {
      super.write(content, offset, length);
      bytes += length;
    }

    long bytes() {
      return bytes;
    }

    /** Of use once, when all was written. */
    String sha256() {
      return HexFormat.of().formatHex(digest.digest());
    }
  }

  private static String copy(Path real, Path fresh, long bytes) throws IOException {
    try (InputStream input = read(real);
        OutputStream output = SecretFiles.create(fresh)) {
      return copy(input, output, bytes);
    }
  }

  private static InputStream read(Path real) throws IOException {
    return Channels.newInputStream(
        Files.newByteChannel(real, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  /**
   * Copies so many bytes, and no more though there are; their hash.
   *
   * @throws EOFException if there are fewer
   */
  private static String copy(InputStream input, OutputStream output, long bytes)
      throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER];
    long left = bytes;
    while (left > 0) {
      int count = input.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (count < 0) {
        throw new EOFException("it became shorter while it was read");
      }
      digest.update(buffer, 0, count);
      output.write(buffer, 0, count);
      left -= count;
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private void checkRoom(long bytes) throws IOException {
    long free = freeBytes.getAsLong();
    if (free - bytes < RESERVE_BYTES) {
      throw new IOException(
          "the disk of %s has %,d bytes left, %,d are needed and %,d must stay free"
              .formatted(directory, free, bytes, RESERVE_BYTES));
    }
  }

  static String text(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "it is not there";
      case AccessDeniedException _ -> "the user of this process may not read " + e.getMessage();
      default -> String.valueOf(e.getMessage());
    };
  }

  /** Whether a copy holds what it should; reads it through. One that does not is removed. */
  boolean isWhole(JobFile file) {
    if (!has(file)) {
      return false;
    }
    Path copy = place(file.sha256());
    try (InputStream input = read(copy)) {
      if (Files.size(copy) == file.bytes()
          && copy(input, OutputStream.nullOutputStream(), file.bytes()).equals(file.sha256())) {
        return true;
      }
    } catch (IOException _) {
      // What cannot be read is as good as gone.
    }
    remove(file.sha256());
    return false;
  }

  /** What a copy holds from a place on, as another device asks. */
  FilePart read(String sha256, long offset) {
    Long bytes = copies.get(sha256);
    if (bytes == null || offset < 0) {
      return FilePart.ABSENT;
    }
    long length = Math.clamp(bytes - offset, 0, FilePart.MAX_BYTES);
    try (SeekableByteChannel channel = Files.newByteChannel(place(sha256))) {
      ByteBuffer part = ByteBuffer.allocate((int) length);
      channel.position(offset);
      while (part.hasRemaining()) {
        if (channel.read(part) < 0) {
          return FilePart.ABSENT; // Cut on the disk.
        }
      }
      return new FilePart(true, part.array());
    } catch (IOException _) {
      return FilePart.ABSENT;
    }
  }

  /** How much of a file that is being fetched has come. */
  long arrived(JobFile file) throws IOException {
    Path part = part(file.sha256());
    return Files.exists(part) ? Files.size(part) : 0;
  }

  /** Keeps what comes next of a file. */
  void append(JobFile file, byte[] bytes) throws IOException {
    long arrived = arrived(file);
    checkRoom(file.bytes() - arrived);
    if (arrived == 0) {
      Files.deleteIfExists(part(file.sha256()));
      try (OutputStream output = SecretFiles.create(part(file.sha256()))) {
        output.write(bytes);
      }
      return;
    }
    try (FileChannel channel = FileChannel.open(part(file.sha256()), StandardOpenOption.APPEND)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }
  }

  /** Makes a copy of what has come, if it is right; else it is gone. */
  synchronized boolean finish(JobFile file) throws IOException {
    Path part = part(file.sha256());
    String arrived;
    if (!Files.exists(part)) {
      append(file, new byte[0]); // Of an empty file nothing comes.
    }
    try (InputStream input = read(part)) {
      arrived = copy(input, OutputStream.nullOutputStream(), Files.size(part));
    }
    if (!arrived.equals(file.sha256())) {
      Files.delete(part);
      return false;
    }
    SecretFiles.replace(place(file.sha256()), part);
    copies.put(file.sha256(), file.bytes());
    return true;
  }

  private Path part(String sha256) {
    return directory.resolve(sha256 + PART);
  }

  /**
   * Removes what no job names any more: copies after a while, since a job that is being submitted
   * is not in the ledger yet, and what has come of others at once.
   *
   * @param graceNanos for how long copies stay
   */
  synchronized void retain(Set<String> named, long nowNanos, long graceNanos) throws IOException {
    unused.keySet().removeAll(named);
    for (String sha256 : List.copyOf(copies.keySet())) {
      if (!named.contains(sha256)
          && nowNanos - unused.computeIfAbsent(sha256, _ -> nowNanos) >= graceNanos) {
        remove(sha256);
      }
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Optional<String> sha256 = ofPart(file);
        if (sha256.isPresent() && !named.contains(sha256.get())) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static Optional<String> ofPart(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(PART)
        ? Optional.of(name.substring(0, name.length() - PART.length()))
        : Optional.empty();
  }

  private synchronized void remove(String sha256) {
    copies.remove(sha256);
    unused.remove(sha256);
    try {
      Files.deleteIfExists(place(sha256));
    } catch (IOException _) {
      // It is found, and removed, after the next start.
    }
  }
}
