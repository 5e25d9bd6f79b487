package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a directory holds is what comes out of its archive, and nothing comes out elsewhere. */
class DirectoryArchiveTest {
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

    ByteArrayOutputStream again = new ByteArrayOutputStream();
    DirectoryArchive.write(
        Map.of("z", new byte[] {'1'}, "a", new byte[0], "b/c/ü", new byte[] {'2'}), again);
    assertThat(again.toByteArray()).isEqualTo(bytes.toByteArray());
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
          .withMessage("the name of a file in it leads elsewhere: " + name);
    }
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
        .withMessage("it has more than 1,000 files");

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
