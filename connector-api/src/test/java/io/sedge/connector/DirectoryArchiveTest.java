package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a directory holds is what comes out of its archive, and nothing comes out elsewhere. */
class DirectoryArchiveTest {
  private static final String REFUSED = "a file in it has a name that it may not have: ";
  private static final String GOLDEN =
      "d4cb3ce3510579b5d8104434a34c465568279bc42d390f74821073e4f347eb4b";

  @TempDir private Path root;

  private static Map<String, String> read(Path place) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    DirectoryArchive.read(
        place,
        (name, content) ->
            files.put(name, new String(content.readAllBytes(), StandardCharsets.UTF_8)));
    return files;
  }

  private Path zip(String... names) throws IOException {
    Path archive = Files.createTempFile(root, "a", ".zip");
    try (ZipOutputStream output = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (String name : names) {
        output.putNextEntry(new ZipEntry(name));
        output.write(name.getBytes(StandardCharsets.UTF_8));
      }
    }
    return archive;
  }

  @Test
  void theSameFilesGiveTheSameBytes() throws IOException {
    Path directory = Files.createDirectories(root.resolve("d/b/c")).getParent().getParent();
    Files.writeString(directory.resolve("z"), "1");
    Files.writeString(directory.resolve("b/c/ü"), "2");
    Files.writeString(directory.resolve("a"), "");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DirectoryArchive.write(directory, bytes);
    Path archive = Files.write(root.resolve("d.zip"), bytes.toByteArray());
    assertThat(read(archive))
        .containsExactly(Map.entry("a", ""), Map.entry("b/c/ü", "2"), Map.entry("z", "1"));
    assertThat(read(directory)).isEqualTo(read(archive));
    assertThat(DirectoryArchive.size(directory)).isEqualTo(2);
  }

  /** Devices compare them by their hash, wherever they are. */
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Europe/Berlin", "Asia/Shanghai", "America/New_York"})
  void theBytesAreTheSameInEachZone(String zone) throws Exception {
    Path directory = Files.createDirectories(root.resolve("d/variables")).getParent();
    Files.writeString(directory.resolve("saved_model.pb"), "graph");
    Files.writeString(directory.resolve("variables/ü"), "weights");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      DirectoryArchive.write(directory, bytes);
    } finally {
      TimeZone.setDefault(before);
    }
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    assertThat(HexFormat.of().formatHex(hash)).isEqualTo(GOLDEN);
  }

  /** People pack with compression, and with entries for directories. */
  @Test
  void archivesOfOthersAreRead() throws IOException {
    assertThat(read(zip("d/", "d/b", "a")))
        .containsExactly(Map.entry("d/b", "d/b"), Map.entry("a", "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "/etc/x", "a/../../x", "a//b", "./x", "a\\b", "C:x", "a/b/"})
  void anArchiveLeadsNowhereElse(String name) throws IOException {
    Path archive = zip(name);
    if (name.endsWith("/")) {
      assertThatIOException().isThrownBy(() -> read(archive)).withMessageContaining("neither");
    } else {
      assertThatIOException()
          .isThrownBy(() -> read(archive))
          .withMessageStartingWith(REFUSED + name + ". A name has no");
    }
  }

  /** On Linux a backslash is part of a name; what is made of it later must not lead up. */
  @ParameterizedTest
  @ValueSource(strings = {"..\\escaped", "a\\b", "C:x", "a\nb"})
  void aDirectoryLeadsNowhereElse(String name) throws IOException {
    Path directory = Files.createDirectory(root.resolve("d"));
    Files.writeString(directory.resolve(name), "x");
    assertThatIOException()
        .isThrownBy(() -> read(directory))
        .withMessageStartingWith(REFUSED + name.replace('\n', '?') + ". A name has no");
    assertThatIOException().isThrownBy(() -> DirectoryArchive.size(directory));
    assertThatIOException()
        .isThrownBy(() -> DirectoryArchive.write(directory, OutputStream.nullOutputStream()));
  }

  /** What one of the two takes the other does. */
  @Test
  void aDirectoryAndItsArchiveHaveTheSameBounds() throws IOException {
    String deepest = "d/".repeat(15) + "f";
    assertThat(read(zip(deepest))).hasSize(1);
    assertThatIOException().isThrownBy(() -> read(zip("d/" + deepest)));
    Path deep = Files.createDirectory(root.resolve("deep"));
    Files.createDirectories(deep.resolve(deepest).getParent());
    Files.writeString(deep.resolve(deepest), "x");
    assertThat(read(deep)).containsOnlyKeys(deepest);
    Files.createDirectory(deep.resolve("d/".repeat(16)));
    assertThatIOException()
        .isThrownBy(() -> read(deep))
        .withMessageEndingWith(" is more than 15 directories deep");

    Path many = Files.createDirectory(root.resolve("many"));
    String[] names = new String[DirectoryArchive.MOST_FILES + 1];
    for (int i = 0; i < names.length; i++) {
      names[i] = "d" + i + "/";
      Files.createDirectory(many.resolve(names[i]));
    }
    for (Path place : List.of(many, zip(names))) {
      assertThatIOException()
          .isThrownBy(() -> read(place))
          .withMessage("it has more than 1,000 files and directories");
    }
  }

  /** What is allowed may have something in it that is not. */
  @Test
  void eachDirectoryAndFileIsAskedFor() throws IOException {
    Path directory = Files.createDirectory(root.resolve("d"));
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path file = Files.writeString(inner.resolve("f"), "x");
    List<Path> asked = new ArrayList<>();
    DirectoryArchive.check("m", directory, (_, path, _) -> asked.add(path));
    assertThat(asked).containsExactly(directory, inner, file);
  }

  @Test
  void whatIsNoArchiveOrTooLargeIsSaid() throws IOException {
    assertThatIOException()
        .isThrownBy(() -> read(Files.writeString(root.resolve("text"), "hello")))
        .withMessage("it is neither a directory nor a zip archive of one");
    byte[] whole = Files.readAllBytes(zip("a", "b"));
    Path cut = Files.write(root.resolve("cut"), Arrays.copyOf(whole, 32));
    assertThatIOException().isThrownBy(() -> read(cut)).withMessageContaining("damaged");

    String[] many = new String[DirectoryArchive.MOST_FILES + 1];
    Arrays.setAll(many, i -> "f" + i);
    assertThatIOException()
        .isThrownBy(() -> read(zip(many)))
        .withMessage("it has more than 1,000 files and directories");

    Path huge = Files.createDirectory(root.resolve("huge"));
    try (RandomAccessFile file = new RandomAccessFile(huge.resolve("f").toFile(), "rw")) {
      file.setLength(DirectoryArchive.MOST_BYTES + 1); // Takes no room.
    }
    assertThatIOException()
        .isThrownBy(() -> DirectoryArchive.size(huge))
        .withMessage("its files have more than 268,435,456 bytes together");
  }

  /** A small file may unpack to a large one. */
  @Test
  void unpackingIsBounded() throws IOException {
    Path bomb = root.resolve("bomb.zip");
    try (ZipOutputStream output = new ZipOutputStream(Files.newOutputStream(bomb))) {
      output.putNextEntry(new ZipEntry("zeros"));
      byte[] zeros = new byte[1 << 20];
      for (long left = DirectoryArchive.MOST_BYTES + 1; left > 0; left -= zeros.length) {
        output.write(zeros);
      }
    }
    assertThat(Files.size(bomb)).isLessThan(1 << 20);
    assertThatIOException()
        .isThrownBy(() -> DirectoryArchive.read(bomb, (_, _) -> {}))
        .withMessage("its files have more than 268,435,456 bytes together");
  }

  @Test
  void linksAreRefused() throws IOException {
    Path directory = Files.createDirectory(root.resolve("d"));
    Files.createSymbolicLink(directory.resolve("up"), root);
    assertThatIOException()
        .isThrownBy(() -> read(directory))
        .withMessageStartingWith("up is a symbolic link");
    Path link = Files.createSymbolicLink(root.resolve("link"), directory);
    assertThatIOException().isThrownBy(() -> read(link));
  }
}
