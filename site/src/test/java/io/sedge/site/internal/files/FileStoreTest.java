package io.sedge.site.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.DirectoryArchive;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.identity.FilePart;
import io.sedge.ledger.JobFile;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.internal.device.AllowedDirectories;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of files, whatever becomes of the files, the disk and the process. */
class FileStoreTest {
  private static final String WHAT = "model m: 'path'";

  @TempDir Path root;
  private Path directory;
  private FileStore store;
  private long free = Long.MAX_VALUE;

  @BeforeEach
  void open() throws IOException {
    root = root.toRealPath();
    directory = root.resolve("files");
    store = FileStore.open(directory, () -> free);
  }

  static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static JobFile file(String path, byte[] content) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
    return new JobFile(path, HexFormat.of().formatHex(hash), content.length);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private Path write(String name, byte[] content) throws IOException {
    return Files.write(root.resolve(name), content);
  }

  private void refused(Path real, String message) {
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> store.take(WHAT, "m.onnx", real))
        .withMessageStartingWith(WHAT + ": ")
        .withMessageContaining(message);
  }

  @Test
  void aCopyStaysWhatTheFileWasAndIsItsOwnersAlone() throws Exception {
    byte[] content = bytes(1, 200_000);
    Path real = write("m.onnx", content);
    JobFile file = store.take(WHAT, "models/m.onnx", real);
    assertThat(file).isEqualTo(file("models/m.onnx", content));
    Files.write(real, bytes(2, 200_000));
    assertThat(store.place(file.sha256())).hasBinaryContent(content);
    assertThat(store.isWhole(file)).isTrue();
    assertThat(names()).containsExactly(file.sha256());
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(store.place(file.sha256()))))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    assertThat(FileStore.open(directory, () -> free).has(file)).as("after a restart").isTrue();
  }

  @Test
  void anEmptyFileIsAFile() throws Exception {
    JobFile file = store.take(WHAT, "m", write("m", new byte[0]));
    assertThat(store.read(file.sha256(), 0).there()).isTrue();
    assertThat(store.isWhole(file)).isTrue();
  }

  @Test
  void whatCannotBeTakenIsSaidAndLeavesNothing() throws Exception {
    refused(root, "m.onnx is no file");
    Path pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    refused(pipe, "is no file");
    Path huge = root.resolve("huge");
    try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
      sparse.setLength(JobFile.MAX_BYTES + 1); // Takes no room.
    }
    refused(huge, "has 536,870,913 bytes; a file of a job may have 536,870,912");
    Path link = Files.createSymbolicLink(root.resolve("link"), write("m", bytes(1, 9)));
    refused(link, "is no file");
    free = FileStore.RESERVE_BYTES + 8;
    refused(root.resolve("m"), "9 are needed and 67,108,864 must stay free");
    assertThat(names()).isEmpty();
  }

  /** Equal directories are one file, wherever they are. */
  @Test
  void aDirectoryIsTakenAsAnArchive() throws Exception {
    Path real = Files.createDirectories(root.resolve("model/variables")).getParent();
    Files.write(real.resolve("variables/data"), bytes(1, 100_000));
    Files.write(real.resolve("graph"), bytes(2, 1_000));
    JobFile file = store.takeTree(WHAT, "model", real);
    Map<String, byte[]> found = new TreeMap<>();
    DirectoryArchive.read(
        store.place(file.sha256()), (name, content) -> found.put(name, content.readAllBytes()));
    assertThat(found).containsOnlyKeys("graph", "variables/data");
    assertThat(found.get("variables/data")).isEqualTo(bytes(1, 100_000));
    assertThat(store.isWhole(file)).isTrue();

    Path same = Files.createDirectories(root.resolve("same/variables")).getParent();
    Files.write(same.resolve("graph"), bytes(2, 1_000));
    Files.write(same.resolve("variables/data"), bytes(1, 100_000));
    FileStore other = FileStore.open(root.resolve("other"), () -> free);
    assertThat(other.takeIfSame(file, same)).isTrue();
    assertThat(other.place(file.sha256())).hasSameBinaryContentAs(store.place(file.sha256()));
    Files.write(same.resolve("graph"), bytes(3, 1_000));
    FileStore third = FileStore.open(root.resolve("third"), () -> free);
    assertThat(third.takeIfSame(file, same)).isFalse();
    assertThat(names()).containsExactly(file.sha256());
    assertThat(root.resolve("third")).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatCannotBeTakenIsSaidAndLeavesNothing() throws Exception {
    Path real = Files.createDirectory(root.resolve("model"));
    Files.write(real.resolve("graph"), bytes(2, 1_000));
    Files.createSymbolicLink(real.resolve("link"), root);
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> store.takeTree(WHAT, "model", real))
        .withMessage(
            WHAT
                + ": model cannot be taken: link is a symbolic link, which may lead elsewhere: put"
                + " the file itself there");
    JobFile wanted = file("model", bytes(1, 10));
    assertThat(store.takeIfSame(wanted, real)).as("others may have it").isFalse();
    Files.delete(real.resolve("link"));
    free = FileStore.RESERVE_BYTES + 999;
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> store.takeTree(WHAT, "model", real))
        .withMessageContaining("1,108 are needed and 67,108,864 must stay free");
    refused(real, "m.onnx is no file");
    assertThat(names()).isEmpty();
    NamedFiles files =
        new NamedFiles(store, root, FileAccess.EVERYTHING, (_, _, _) -> Optional.empty());
    free = Long.MAX_VALUE;
    assertThat(files.locateTree(WHAT, "model")).isRegularFile();
    assertThat(files.files()).hasSize(1);
  }

  /** A device that cannot take a job asks again and again. */
  @Test
  void nothingIsWrittenToCompareADirectory() throws Exception {
    Path real = Files.createDirectory(root.resolve("model"));
    Files.write(real.resolve("graph"), bytes(2, 1_000));
    free = 0;
    assertThat(store.takeIfSame(file("model", bytes(1, 10)), real)).isFalse();
    free = Long.MAX_VALUE;
    JobFile file = store.takeTree(WHAT, "model", real);
    free = 0;
    assertThat(store.takeTree(WHAT, "model", real)).as("it is there").isEqualTo(file);
    assertThat(store.takeIfSame(file, real)).isTrue();
  }

  /** Keys of this device would go to all others, and into whatever the model gives. */
  @Test
  void aDirectoryWithOneThatJobsMayNotReadIsNotTaken() throws Exception {
    Path real = Files.createDirectory(root.resolve("model"));
    Files.write(real.resolve("graph"), bytes(2, 1_000));
    Path data = Files.createDirectories(real.resolve("a/data"));
    Files.writeString(data.resolve("device.properties"), "");
    Files.writeString(data.resolve("key.pem"), "secret");
    AllowedDirectories access =
        AllowedDirectories.open(DeviceOptions.of(data, "a", "127.0.0.1", 7410, root));
    NamedFiles files = new NamedFiles(store, root, access, (_, _, _) -> Optional.empty());
    String refusal =
        WHAT + ": " + data + " is in the data directory of a device, which jobs never use";
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> files.locateTree(WHAT, "model"))
        .withMessageStartingWith(refusal);
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> ScriptFiles.in(root, access).locateTree(WHAT, "model"))
        .withMessageStartingWith(refusal);
    assertThat(names()).isEmpty();
    JobFile file = store.takeTree(WHAT, "model", real);
    assertThat(NamedFiles.onThisDevice(file, root, access)).isEmpty();
    Files.delete(data.resolve("device.properties"));
    assertThat(NamedFiles.onThisDevice(file, root, access)).contains(real);
  }

  /** It is read twice: to know whether there is a copy, and to make one. */
  @Test
  void aFileThatChangesWhileItIsReadIsNotTaken() throws Exception {
    Path real = write("m", bytes(1, 100_000));
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> store.keep(WHAT, file("m", bytes(2, 100_000)), real))
        .withMessageContaining("m was changed while it was read");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.keep(WHAT, file("m", bytes(1, 100_001)), real))
        .withMessage("it became shorter while it was read");
    assertThat(names()).isEmpty();
  }

  /** Between the last byte and the renaming, or in the middle. */
  @Test
  void whatAnEndedProcessHasLeftIsNoCopy() throws Exception {
    byte[] content = bytes(1, 1_000);
    JobFile file = file("m", content);
    Files.write(directory.resolve("copy.new"), content);
    Files.write(directory.resolve(file.sha256() + ".part"), Arrays.copyOf(content, 400));
    Files.writeString(directory.resolve("garbage"), "x");
    FileStore next = FileStore.open(directory, () -> free);
    assertThat(next.has(file)).isFalse();
    assertThat(next.read(file.sha256(), 0).there()).isFalse();
    assertThat(directory.resolve("copy.new")).doesNotExist();
    assertThat(next.arrived(file)).isEqualTo(400);
    next.append(file, Arrays.copyOfRange(content, 400, 1_000));
    assertThat(next.has(file)).as("before its hash was looked at").isFalse();
    assertThat(next.finish(file)).isTrue();
    assertThat(next.place(file.sha256())).hasBinaryContent(content);
  }

  @Test
  void whatHasComeAndIsWrongGoes() throws Exception {
    JobFile file = file("m", bytes(1, 1_000));
    store.append(file, bytes(2, 1_000));
    assertThat(store.finish(file)).isFalse();
    assertThat(names()).isEmpty();
    assertThat(store.arrived(file)).isZero();
  }

  @Test
  void aFullDiskEndsAFetchBeforeItIsFull() throws Exception {
    JobFile file = file("m", bytes(1, 1_000));
    free = FileStore.RESERVE_BYTES + 1_000;
    store.append(file, bytes(1, 500));
    free = FileStore.RESERVE_BYTES + 499;
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.append(file, new byte[500]))
        .withMessageContaining("500 are needed");
    assertThat(store.arrived(file)).isEqualTo(500);
  }

  @Test
  void aCopyThatTheDiskHasDamagedIsFoundAndGoes() throws Exception {
    for (boolean cut : List.of(false, true)) {
      byte[] content = bytes(1, 100_000);
      JobFile file = store.take(WHAT, "m", write("m", content));
      byte[] damaged = cut ? Arrays.copyOf(content, 50_000) : content.clone();
      damaged[40_000] ^= 1;
      Files.write(store.place(file.sha256()), damaged);
      if (cut) {
        assertThat(store.read(file.sha256(), 50_000).there()).isFalse();
      }
      assertThat(store.isWhole(file)).isFalse();
      assertThat(store.has(file)).isFalse();
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void othersReadItInPartsAndNothingElse() throws Exception {
    byte[] content = bytes(1, FilePart.MAX_BYTES + 10);
    JobFile file = store.take(WHAT, "m", write("m", content));
    assertThat(store.read(file.sha256(), 0).bytes())
        .isEqualTo(Arrays.copyOf(content, FilePart.MAX_BYTES));
    assertThat(store.read(file.sha256(), FilePart.MAX_BYTES).bytes()).hasSize(10);
    assertThat(store.read(file.sha256(), Long.MAX_VALUE).bytes()).isEmpty();
    assertThat(store.read(file.sha256(), -1).there()).isFalse();
    Files.writeString(root.resolve("device.properties"), "secret");
    for (String name : List.of("../device.properties", "", "copy.new", "0".repeat(64))) {
      assertThat(store.read(name, 0).there()).as(name).isFalse();
    }
  }

  /** A job that is being submitted is not in the ledger yet. */
  @Test
  void copiesThatNoJobNamesGoAfterAWhileAndOnesThatAreTakenAgainStay() throws Exception {
    Path first = write("first", bytes(1, 10));
    JobFile one = store.take(WHAT, "first", first);
    JobFile other = store.take(WHAT, "other", write("other", bytes(2, 10)));
    JobFile fetched = file("fetched", bytes(3, 10));
    store.append(fetched, bytes(3, 5));
    store.retain(Set.of(other.sha256(), fetched.sha256()), 0, 100);
    store.retain(Set.of(other.sha256(), fetched.sha256()), 99, 100);
    assertThat(store.has(one)).isTrue();
    assertThat(store.take(WHAT, "first", first)).isEqualTo(one);
    store.retain(Set.of(other.sha256()), 150, 100);
    assertThat(store.arrived(fetched)).isZero();
    store.retain(Set.of(other.sha256()), 249, 100);
    assertThat(store.has(one)).isTrue();
    store.retain(Set.of(other.sha256()), 250, 100);
    assertThat(names()).containsExactly(other.sha256());
  }

  @Test
  void aScriptNamesFilesWhereJobsMayReadAndLinksLeadNowhereElse() throws Exception {
    Path allowed = Files.createDirectory(root.resolve("allowed"));
    Files.write(allowed.resolve("m"), bytes(1, 10));
    Path outside = write("outside", bytes(2, 10));
    Files.createSymbolicLink(allowed.resolve("same"), Path.of("m"));
    Files.createSymbolicLink(allowed.resolve("out"), outside);
    FileAccess access =
        (what, path, use) -> {
          Path real = root.resolve(path);
          try {
            real = path.toRealPath();
          } catch (IOException _) {
            // It is where it seems to be, as it is not there.
          }
          if (use != FileAccess.Use.READ || !real.startsWith(allowed)) {
            throw new ConnectorException(
                ConnectorException.Kind.USER, what + ": jobs may not read " + real);
          }
        };
    NamedFiles files = new NamedFiles(store, allowed, access, (_, _, _) -> Optional.empty());
    Path copy = files.locate(WHAT, "m");
    assertThat(copy).hasBinaryContent(bytes(1, 10));
    assertThat(files.locate(WHAT, "same")).isEqualTo(copy);
    assertThat(files.locate(WHAT, "m")).isEqualTo(copy);
    assertThat(files.files()).containsExactly(file("m", bytes(1, 10)), file("same", bytes(1, 10)));
    for (String path : List.of("out", "../outside", outside.toString())) {
      assertThatExceptionOfType(ConnectorException.class)
          .as(path)
          .isThrownBy(() -> files.locate(WHAT, path))
          .withMessage(WHAT + ": jobs may not read " + outside);
    }
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> files.locate(WHAT, "absent"))
        .withMessage(WHAT + ": absent cannot be read: it is not there; is it on this device?");
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> files.locate(WHAT, "a\0b"))
        .withMessageContaining("is no path");
    assertThat(names()).hasSize(1);
    for (int i = 0; i < JobFile.MAX_FILES - 2; i++) {
      Path more = allowed.resolve("file" + i);
      Files.write(more, String.valueOf(i).getBytes(StandardCharsets.UTF_8));
      assertThat(files.locate(WHAT, "file" + i)).isNotNull();
    }
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> files.locate(WHAT, "one-more"))
        .withMessageContaining("may name 64 files");
  }

  /** A script may say that another version is live, which does not score beside itself. */
  @Test
  void aVersionThatIsLiveIsNoShadow() throws Exception {
    String path = JobFile.pathOfModel("m");
    JobFile live = store.take(WHAT, path, write("live", bytes(1, 10)));
    JobFile beside = store.take(WHAT, path, write("beside", bytes(2, 10)));
    NamedFiles.Versions versions =
        new NamedFiles.Versions() {
          @Override
          public Optional<JobFile> of(String model, String what, OptionalLong number) {
            return Optional.of(number.isPresent() ? beside : live);
          }

          @Override
          public Optional<JobFile> shadow(String model, String what) {
            return Optional.of(beside.asShadowOf(model));
          }
        };
    NamedFiles files = new NamedFiles(store, directory, FileAccess.EVERYTHING, versions);
    assertThat(files.version("m", "", OptionalLong.empty())).contains(store.place(live.sha256()));
    assertThat(files.shadow("m", "")).contains(store.place(beside.sha256()));
    assertThat(files.files()).containsExactly(live, beside.asShadowOf("m"));
    assertThat(files.version("m", "", OptionalLong.of(2))).isPresent();
    assertThat(files.shadow("m", "")).isEmpty();
    assertThat(files.files()).containsExactly(beside);
  }
}
