package io.sedge.connector.history.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of one store, and what their names say.
 *
 * <pre>
 *   DATA/history/JOB/TABLE/SHARD/
 *     lock                          held by who writes
 *     0000000017-1767225600000.tsfile   segment 17; its last row came at that ms, or a little earlier
 *     0000000018.journal            what is to become segment 18
 *     ….part                        a segment that is being written; left by a crash, it is deleted
 *     0000000017.journal.damaged    one whose head cannot be read; deleted when it is old
 * </pre>
 *
 * A number is that of one journal and then of the segment that is made of it. Where both are there
 * the segment holds, and the journal is to be deleted.
 */
record StoreFiles(
    List<Segment> segments, List<Journal> journals, List<Journal> damaged, List<Path> parts) {
  private static final String SEGMENT = ".tsfile";
  private static final String JOURNAL = ".journal";
  private static final String DAMAGED = ".damaged";
  private static final String PART = ".part";
  private static final Pattern NAME =
      Pattern.compile("(\\d{10,18})(?:-(\\d{1,18}))?(\\.tsfile|\\.journal|\\.journal\\.damaged)");
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  private static final int LONGEST_NAME = 120;

  /** A file that has been written for good. */
  record Segment(long number, long stampMs, Path file) {}

  /** A file that is being written, or that has not become a segment yet. */
  record Journal(long number, Path file) {}

  /** The directory of all histories of a device. */
  static Path root(Path data) {
    return data.resolve("history");
  }

  /** The directory of a store. */
  static Path directory(Path data, String job, String table, String shard) {
    return root(data).resolve(escaped(job)).resolve(escaped(table)).resolve(escaped(shard));
  }

  /** A name that any file system takes; others than letters and digits are % and their bytes. */
  static String escaped(String name) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain = PLAIN.indexOf(c) >= 0 || (c == '.' && !escaped.isEmpty());
      escaped.append(plain ? String.valueOf(c) : "%" + HexFormat.of().toHexDigits(b));
    }
    if (escaped.length() > LONGEST_NAME) {
      escaped.setLength(LONGEST_NAME - 17);
      escaped.append("~%016x".formatted(hash(name)));
    }
    return escaped.toString();
  }

  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  /** What is in a directory, in the order of numbers. */
  static StoreFiles in(Path directory) throws IOException {
    List<Segment> segments = new ArrayList<>();
    List<Journal> journals = new ArrayList<>();
    List<Journal> damaged = new ArrayList<>();
    List<Path> parts = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        Matcher matcher = NAME.matcher(name);
        if (name.endsWith(PART)) {
          parts.add(file);
        } else if (matcher.matches()) {
          long number = Long.parseLong(matcher.group(1));
          boolean stamped = matcher.group(2) != null;
          if (name.endsWith(SEGMENT) && stamped) {
            segments.add(new Segment(number, Long.parseLong(matcher.group(2)), file));
          } else if (name.endsWith(JOURNAL) && !stamped) {
            journals.add(new Journal(number, file));
          } else if (name.endsWith(DAMAGED) && !stamped) {
            damaged.add(new Journal(number, file));
          }
        }
      }
    } catch (NoSuchFileException e) {
      return new StoreFiles(List.of(), List.of(), List.of(), List.of());
    }
    segments.sort(Comparator.comparingLong(Segment::number));
    journals.sort(Comparator.comparingLong(Journal::number));
    return new StoreFiles(segments, journals, damaged, parts);
  }

  /** The journals that have not become segments. */
  List<Journal> openJournals() {
    return journals.stream()
        .filter(journal -> segments.stream().noneMatch(s -> s.number() == journal.number()))
        .toList();
  }

  long lastNumber() {
    return Stream.of(
            segments.stream().map(Segment::number),
            journals.stream().map(Journal::number),
            damaged.stream().map(Journal::number))
        .flatMap(numbers -> numbers)
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  long lastStampMs() {
    return segments.stream().mapToLong(Segment::stampMs).max().orElse(0);
  }

  static Path journal(Path directory, long number) {
    return directory.resolve("%010d%s".formatted(number, JOURNAL));
  }

  static Path segment(Path directory, long number, long stampMs) {
    return directory.resolve("%010d-%d%s".formatted(number, Math.max(0, stampMs), SEGMENT));
  }

  static Path damaged(Path journal) {
    return journal.resolveSibling(journal.getFileName() + DAMAGED);
  }

  static Path part(Path segment) {
    return segment.resolveSibling(segment.getFileName() + PART);
  }

  /** What a file takes; nothing if it is gone. */
  static long bytes(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Brings the names in a directory to the disk. */
  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      return; // Windows opens no directories; nor is there another way.
    }
  }
}
