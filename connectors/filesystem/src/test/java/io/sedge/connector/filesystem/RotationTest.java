package io.sedge.connector.filesystem;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A followed directory whose files are rotated as logrotate does. Time is handed in. */
final class RotationTest {
  private static final long SECOND = 1_000_000_000;
  private static final Schema SCHEMA = Schema.builder().add("v", Type.INT).build();

  @TempDir private Path directory;
  private TestContext context;
  private long now;
  private int written;

  /** What came of the readers, and what should have. */
  private final List<Integer> got = new ArrayList<>();

  @BeforeEach
  void begin() {
    context = new TestContext(directory);
  }

  private SourceReader follow(String... more) {
    Map<String, String> options =
        new HashMap<>(Map.of("path", ".", "format", "csv", "source.follow", "true"));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return new FilesystemConnector()
        .source(Tables.table(SCHEMA, options), context)
        .orElseThrow()
        .open();
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  /** Writes the next numbers to a file. */
  private void write(String name, int lines) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(written++).append('\n');
    }
    Files.writeString(file(name), text, CREATE, APPEND);
  }

  private void move(String from, String to) throws IOException {
    Files.move(file(from), file(to));
  }

  /** As gzip does: the packed file is there before the other is gone. */
  private void pack(String name) throws IOException {
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file(name + ".gz")))) {
      Files.copy(file(name), packed);
    }
    Files.delete(file(name));
  }

  private void poll(SourceReader reader, int times) {
    for (int i = 0; i < times; i++) {
      now += SECOND;
      Batch batch = reader.poll(now);
      for (int row = 0; batch != null && row < batch.rows(); row++) {
        got.add((Integer) batch.row(row).getFirst());
      }
    }
  }

  private void checkAllCameOnce() {
    Set<Integer> missing = new HashSet<>();
    for (int i = 0; i < written; i++) {
      missing.add(i);
    }
    List<Integer> repeated = got.stream().filter(value -> !missing.remove(value)).toList();
    assertThat(missing).as("lost").isEmpty();
    assertThat(repeated).as("counted twice").isEmpty();
    assertThat(context.malformed()).isEmpty();
  }

  @Test
  void aFileIsCountedOnceThroughEveryNewSuffix() throws IOException {
    try (SourceReader reader = follow()) {
      for (int turn = 0; turn < 5; turn++) {
        write("app.log", 3);
        poll(reader, 3);
        write("app.log", 2); // Not seen yet when it is renamed.
        for (int suffix = turn; suffix > 1; suffix--) {
          move("app.log." + (suffix - 1), "app.log." + suffix);
        }
        if (turn > 0) {
          move("app.log", "app.log.1");
        }
        poll(reader, 3);
      }
    }
    checkAllCameOnce();
  }

  @Test
  void twoRotationsBetweenTwoLooksLoseNothing() throws IOException {
    try (SourceReader reader = follow()) {
      write("app.log", 3);
      poll(reader, 3);
      move("app.log", "app.log.1");
      write("app.log", 4);
      poll(reader, 3);
      for (int i = 0; i < 2; i++) {
        for (int suffix = 3; suffix > 0; suffix--) {
          if (Files.exists(file("app.log." + suffix))) {
            move("app.log." + suffix, "app.log." + (suffix + 1));
          }
        }
        move("app.log", "app.log.1");
        write("app.log", 5);
      }
      poll(reader, 4);
    }
    checkAllCameOnce();
  }

  @Test
  void rotationsAndPackingWhileNobodyReadsLoseNothing() throws IOException {
    byte[] position;
    write("app.log", 2_000);
    try (SourceReader reader = follow()) {
      poll(reader, 3);
      position = reader.position();
    }
    write("app.log", 10);
    move("app.log", "app.log.1");
    pack("app.log.1");
    move("app.log.1.gz", "app.log.2.gz");
    write("app.log", 7);
    move("app.log", "app.log.1");
    write("app.log", 5);
    try (SourceReader reader = follow()) {
      reader.seek(position);
      poll(reader, 4);
      position = reader.position();
    }
    try (SourceReader reader = follow()) {
      reader.seek(position);
      poll(reader, 4);
    }
    checkAllCameOnce();
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void aPackedFileIsTheOneThatItWas() throws IOException {
    try (SourceReader reader = follow()) {
      write("app.log", 500);
      poll(reader, 3);
      write("app.log", 5);
      move("app.log", "app.log.1");
      write("app.log", 3);
      poll(reader, 3);
      pack("app.log.1");
      poll(reader, 3);
      move("app.log.1.gz", "app.log.2.gz");
      poll(reader, 3);
    }
    checkAllCameOnce();
  }

  // While gzip works both files are there, and the packed one is not complete.
  @Test
  void aPackedFileWaitsUntilItsOriginalIsGone() throws IOException {
    write("app.log.1", 500);
    try (SourceReader reader = follow()) {
      poll(reader, 3);
      Path packed = file("app.log.1.gz");
      try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(packed))) {
        Files.copy(file("app.log.1"), output);
      }
      byte[] whole = Files.readAllBytes(packed);
      Files.write(packed, Arrays.copyOf(whole, whole.length / 2));
      poll(reader, 3);
      Files.write(packed, whole);
      Files.delete(file("app.log.1"));
      poll(reader, 3);
    }
    checkAllCameOnce();
  }

  // Cut, and longer than before when it is looked at next.
  @Test
  void aFileThatIsWrittenAnewInPlaceIsReadFromItsStart() throws IOException {
    write("app.log", 3);
    try (SourceReader reader = follow()) {
      poll(reader, 3);
      Files.writeString(file("app.log"), "");
      write("app.log", 50);
      poll(reader, 3);
    }
    checkAllCameOnce();
  }

  // The number of a deleted file is given to the next one at once by some file systems.
  @Test
  void aFileWithTheNumberOfADeletedOneIsAnother() throws IOException {
    write("a.log", 3);
    byte[] position;
    try (SourceReader reader = follow()) {
      poll(reader, 3);
      position = reader.position();
    }
    Files.writeString(file("a.log"), "");
    write("a.log", 50);
    move("a.log", "b.log");
    try (SourceReader reader = follow()) {
      reader.seek(position);
      poll(reader, 3);
    }
    checkAllCameOnce();
  }

  // A file outside of the pattern is read to its end if it was the table's when it was read last.
  @Test
  void aFileThatLeftThePatternWhileNobodyReadIsReadToItsEnd() throws IOException {
    String[] pattern = {"source.path.regex-pattern", ".*\\.log"};
    write("app.log", 3);
    byte[] position;
    try (SourceReader reader = follow(pattern)) {
      poll(reader, 3);
      position = reader.position();
    }
    write("app.log", 3);
    move("app.log", "app.log.1");
    write("app.log", 3);
    try (SourceReader reader = follow(pattern)) {
      reader.seek(position);
      poll(reader, 4);
      assertThat(reader.position().length).isLessThan(2 * position.length);
    }
    checkAllCameOnce();
  }

  @Test
  void moreFilesThanMayBeOpenAreAllReadOn() throws IOException {
    int files = 600;
    for (int i = 0; i < files; i++) {
      write("app-" + i + ".log", 1);
    }
    byte[] position;
    try (SourceReader reader = follow()) {
      poll(reader, 6);
      assertThat(got).hasSize(files);
      for (int i = 0; i < files; i += 7) {
        write("app-" + i + ".log", 2);
      }
      poll(reader, 6);
      position = reader.position();
    }
    checkAllCameOnce();
    for (int i = 0; i < files; i += 5) {
      write("app-" + i + ".log", 2);
    }
    try (SourceReader reader = follow()) {
      reader.seek(position);
      poll(reader, 6);
    }
    checkAllCameOnce();
  }

  // All of it at random, with a reader that is ended and started again in between.
  @Test
  void whateverIsDoneToALogEachLineCountsOnce() throws IOException {
    long seed = System.nanoTime();
    System.out.println("RotationTest seed " + seed);
    Random random = new Random(seed);
    byte[] position = null;
    for (int run = 0; run < 12; run++) {
      try (SourceReader reader = follow()) {
        if (position != null) {
          reader.seek(position);
        }
        for (int step = 0; step < 15; step++) {
          write("app.log", random.nextInt(300));
          if (random.nextInt(3) == 0) {
            rotate(random.nextBoolean());
          }
          if (random.nextBoolean()) {
            poll(reader, random.nextInt(3));
          }
        }
        position = reader.position();
      }
      if (random.nextBoolean()) {
        write("app.log", random.nextInt(300));
        rotate(random.nextBoolean());
      }
    }
    try (SourceReader reader = follow()) {
      reader.seek(position);
      poll(reader, 10);
    }
    checkAllCameOnce();
  }

  /** logrotate with delaycompress or without; nothing is deleted. */
  private void rotate(boolean packAll) throws IOException {
    for (int suffix = 200; suffix > 0; suffix--) {
      String name = "app.log." + suffix;
      if (Files.exists(file(name + ".gz"))) {
        move(name + ".gz", "app.log." + (suffix + 1) + ".gz");
      } else if (Files.exists(file(name))) {
        String next = "app.log." + (suffix + 1);
        move(name, next);
        pack(next);
      }
    }
    if (Files.exists(file("app.log")) && Files.size(file("app.log")) > 0) {
      move("app.log", "app.log.1");
      if (packAll) {
        pack("app.log.1");
      }
    }
  }
}
