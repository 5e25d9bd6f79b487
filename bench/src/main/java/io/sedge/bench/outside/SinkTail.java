package io.sedge.bench.outside;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows as they appear in the directory of a file sink, also in files that are in progress. A file
 * is known by what it is, not by its name, so that a row is not new when its file gets another
 * name. What is cut off and written again is seen again; {@link #all} tells what stays. One thread.
 */
public final class SinkTail {
  private static final String IN_PROGRESS = ".inprogress";

  private final Path directory;
  private final Map<Identity, Long> offsets = new HashMap<>();

  /** Numbers of files are used again, so it takes the time of birth too. */
  private record Identity(@Nullable Object key, FileTime born) {}

  /**
   * @param directory need not be there yet
   */
  public SinkTail(Path directory) {
    this.directory = directory;
  }

  /** Whole lines that were not there before. */
  public List<String> poll() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(directory)) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Identity identity = new Identity(attributes.fileKey(), attributes.creationTime());
        long offset = offsets.getOrDefault(identity, 0L);
        if (attributes.size() > offset) {
          offset += read(file, offset, lines);
        }
        offsets.put(identity, Math.min(offset, attributes.size()));
      } catch (NoSuchFileException e) {
        // It has got another name meanwhile, and is found next time.
      }
    }
    return lines;
  }

  private static long read(Path file, long from, List<String> lines) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.max(0, channel.size() - from)));
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
      int whole = text.lastIndexOf('\n') + 1;
      text.substring(0, whole).lines().forEach(lines::add);
      return whole;
    }
  }

  /** All whole lines that are in the files of a sink's directory now; nobody writes to them. */
  public static List<String> all(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(directory)) {
      var _ = read(file, 0, lines);
    }
    return lines;
  }

  private static List<Path> files(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      all.forEach(files::add);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    files.removeIf(file -> !hasRows(file) || Files.isDirectory(file));
    return files;
  }

  /** Whether a file is finished or in progress; the other hidden ones are the sink's own. */
  private static boolean hasRows(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") || name.endsWith(IN_PROGRESS);
  }
}
