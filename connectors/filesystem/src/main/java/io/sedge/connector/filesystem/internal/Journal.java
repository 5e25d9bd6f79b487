package io.sedge.connector.filesystem.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * How far a writer's rows are in a directory, and how long its files in progress are up to there: a
 * hidden file, {@code .part-writer-generation.journal}. What a file has beyond its length in the
 * last record belongs to rows that nobody has acknowledged.
 *
 * <p>Whoever delivers next takes the journal over by renaming it to the next generation, which one
 * alone can do. From then on whoever had it before finds no file of its name, so it can confirm
 * nothing more: {@link #append} looks for the name again after the record is on the disk. A record
 * that was confirmed is one that the next deliverer reads. The name is looked up by opening the
 * file, since network file systems answer that anew and other questions from memory.
 *
 * <pre>
 * file    = record record …
 * record  = length of the content (4), CRC-32C of the content (4), content
 * content = version (1), name of the writer, sequence (8), number of files (4), file …
 * file    = path below the directory, its length (8), whether it gets its name (1)
 * </pre>
 *
 * Texts are as {@link DataOutputStream#writeUTF} writes them. A file that gets its name is in no
 * later record. A record that is torn or does not match its CRC ends the journal.
 */
final class Journal {
  /** A longer one is written anew. */
  static final long MAX_BYTES = 1 << 20;

  private static final byte VERSION = 1;
  private static final String SUFFIX = ".journal";
  private static final String FRESH_SUFFIX = "-new";
  private static final int RECORD_HEAD = 8;
  private static final int MAX_ATTEMPTS = 100;

  private final Path directory;
  private final String writer;
  private final String key;
  private final long generation;
  private final Path file;

  /** Those of the last record and those before it that are still in progress. */
  private final Map<String, Extent> files = new LinkedHashMap<>();

  private long sequence;
  private long end;

  /**
   * How much of a file is sure.
   *
   * @param path below the directory, of the hidden file
   * @param bytes its length
   * @param ended whether it gets its name and no more rows
   */
  record Extent(String path, long bytes, boolean ended) {}

  private Journal(Path directory, String writer, String key, long generation) {
    this.directory = directory;
    this.writer = writer;
    this.key = key;
    this.generation = generation;
    this.file = path(directory, key, generation);
  }

  /** Whether files of that name are a journal's: not to be completed without it. */
  static boolean isKept(Path directory, String writerOfFiles) throws IOException {
    int dash = writerOfFiles.lastIndexOf('-');
    return dash > 0 && lastGeneration(directory, writerOfFiles.substring(0, dash)) > 0;
  }

  /** What stands for a writer in names of files. */
  private static String key(String writer) {
    byte[] bytes = writer.getBytes(UTF_8);
    return "%016x".formatted(FileFingerprint.hash(bytes, bytes.length));
  }

  /**
   * Takes over the journal of a writer, or begins one. Whoever had it can confirm nothing more.
   *
   * @throws IOException also if it is not a journal of this writer
   */
  static Journal claim(Path directory, String writer) throws IOException {
    String key = key(writer);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      long last = lastGeneration(directory, key);
      Journal journal = new Journal(directory, writer, key, last + 1);
      try {
        if (last == 0) {
          Files.createFile(journal.file);
        } else {
          Files.move(path(directory, key, last), journal.file, StandardCopyOption.ATOMIC_MOVE);
        }
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        continue; // Somebody else has claimed it since we looked.
      }
      journal.read();
      // The one before may still write to the file that it has open; so this is another file.
      journal.rewrite();
      return journal;
    }
    throw new IOException(
        "the journal of %s was taken over %d times by others".formatted(writer, MAX_ATTEMPTS));
  }

  private static Path path(Path directory, String key, long generation) {
    return directory.resolve(PartFile.PREFIX + key + "-" + generation + SUFFIX);
  }

  /** The greatest of those that are there, or 0. */
  private static long lastGeneration(Path directory, String key) throws IOException {
    String prefix = PartFile.PREFIX + key + "-";
    long last = 0;
    try (DirectoryStream<Path> journals =
        Files.newDirectoryStream(directory, prefix + "*" + SUFFIX)) {
      for (Path journal : journals) {
        String name = String.valueOf(journal.getFileName());
        String number = name.substring(prefix.length(), name.length() - SUFFIX.length());
        last = number.matches("\\d{1,18}") ? Math.max(last, Long.parseLong(number)) : last;
      }
    }
    return last;
  }

  /** What the files of this generation are named after: {@code part-writer-generation-…}. */
  String writerOfFiles() {
    return key + "-" + generation;
  }

  /** Whether files of that name are of any generation of this journal. */
  boolean owns(String writerOfFiles) {
    return writerOfFiles.startsWith(key + "-");
  }

  /** The sequence up to which rows are on the disk; 0 for none. */
  long sequence() {
    return sequence;
  }

  /** The files in progress, and those that were about to get their names. */
  Collection<Extent> files() {
    return List.copyOf(files.values());
  }

  private void read() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.remaining() > RECORD_HEAD) {
      int length = buffer.getInt();
      int crc = buffer.getInt();
      int from = buffer.position();
      if (length < 0 || length > buffer.remaining() || crc(bytes, from, length) != crc) {
        return;
      }
      readContent(new DataInputStream(new ByteArrayInputStream(bytes, from, length)));
      buffer.position(from + length);
    }
  }

  private void readContent(DataInputStream content) throws IOException {
    byte version = content.readByte();
    if (version != VERSION) {
      throw new IOException(
          "%s is a journal of version %d, this is version %d".formatted(file, version, VERSION));
    }
    String found = content.readUTF();
    if (!found.equals(writer)) {
      throw new IOException("%s is the journal of %s, not of %s".formatted(file, found, writer));
    }
    long upTo = content.readLong();
    List<Extent> extents = new ArrayList<>();
    for (int left = content.readInt(); left > 0; left--) {
      extents.add(new Extent(content.readUTF(), content.readLong(), content.readBoolean()));
    }
    apply(upTo, extents);
  }

  private void apply(long upTo, Collection<Extent> extents) {
    sequence = upTo;
    files.values().removeIf(Extent::ended);
    extents.forEach(extent -> files.put(extent.path(), extent));
  }

  private byte[] record(long upTo, Collection<Extent> extents) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    output.writeByte(VERSION);
    output.writeUTF(writer);
    output.writeLong(upTo);
    output.writeInt(extents.size());
    for (Extent extent : extents) {
      output.writeUTF(extent.path());
      output.writeLong(extent.bytes());
      output.writeBoolean(extent.ended());
    }
    byte[] content = bytes.toByteArray();
    return ByteBuffer.allocate(RECORD_HEAD + content.length)
        .putInt(content.length)
        .putInt(crc(content, 0, content.length))
        .put(content)
        .array();
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /**
   * Confirms that rows are on the disk.
   *
   * @param upTo the sequence of the last of them
   * @param extents of the files that have changed since the last record; with those before it all
   *     rows up to there, and none after
   * @throws IOException also if somebody has taken the journal over; then nothing is confirmed
   */
  void append(long upTo, Collection<Extent> extents) throws IOException {
    if (end >= MAX_BYTES) {
      rewrite();
    }
    byte[] record = record(upTo, extents);
    try {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        write(channel, record, end);
      }
      FileChannel.open(file, StandardOpenOption.READ).close();
    } catch (NoSuchFileException e) {
      throw takenOver();
    }
    end += record.length;
    apply(upTo, extents);
  }

  private static void write(FileChannel channel, byte[] bytes, long at) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer, at + buffer.position());
    }
    channel.force(true);
  }

  /** Notes that no file is in progress any more. */
  void forgetFiles() throws IOException {
    files.clear();
    rewrite();
  }

  /**
   * Writes the journal as one record. If somebody takes it over meanwhile this makes a file of the
   * old name again; so generations are looked at afterwards.
   */
  private void rewrite() throws IOException {
    byte[] record = record(sequence, files.values());
    Path fresh = file.resolveSibling(file.getFileName() + FRESH_SUFFIX);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      write(channel, record, 0);
    }
    if (!Files.exists(file)) {
      Files.delete(fresh);
      throw takenOver();
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    if (lastGeneration(directory, key) > generation) {
      Files.deleteIfExists(file);
      throw takenOver();
    }
    Durable.forceDirectory(directory);
    end = record.length;
  }

  private IOException takenOver() {
    return new FileSystemException(
        file.toString(), null, "taken over by another that delivers the rows of " + writer);
  }
}
