package io.sedge.site.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.FileAccess;
import io.sedge.identity.FileOffer;
import io.sedge.identity.FilePart;
import io.sedge.ledger.JobFile;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a device gets files from others that are cut off, wrong, or gone. */
@Timeout(60)
class FileKeeperTest {
  private static final int SIZE = 3 * FilePart.MAX_BYTES + 12_345;

  @TempDir Path root;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Map<String, Answering> others = new TreeMap<>();
  private final List<Long> offsets = new ArrayList<>();
  private final byte[] content = FileStoreTest.bytes(7, SIZE);
  private JobFile file;
  private FileStore store;

  /** What a device answers. */
  private interface Answering {
    FilePart read(long offset) throws SiteException;
  }

  private final class Others implements Holders {
    @Override
    public List<String> names() {
      return List.copyOf(others.keySet());
    }

    @Override
    public FilePart read(String device, String sha256, long offset) throws SiteException {
      if (!sha256.equals(file.sha256())) {
        return FilePart.ABSENT;
      }
      offsets.add(offset);
      return others.get(device).read(offset);
    }
  }

  @BeforeEach
  void open() throws Exception {
    file = FileStoreTest.file("models/m.onnx", content);
    store = FileStore.open(root.resolve("files"));
  }

  private FileKeeper keeper() {
    return new FileKeeper(
        store,
        root,
        FileAccess.EVERYTHING,
        new Others(),
        (severity, message) -> said.add(severity + " " + message),
        Duration.ZERO);
  }

  private FilePart part(long offset, int length) {
    int to = (int) Math.min(SIZE, offset + length);
    return new FilePart(true, Arrays.copyOfRange(content, (int) offset, to));
  }

  private FileOffer offer() {
    return new FileOffer(file.path(), file.sha256(), file.bytes());
  }

  private static SiteException gone() {
    return new SiteException(FailureCode.CONNECTION_FAILED, "the connection was ended");
  }

  private void assertArrived() {
    assertThat(store.isWhole(file)).isTrue();
    assertThat(store.place(file.sha256())).hasBinaryContent(content);
  }

  /** Whatever the link and the processes do, what came is not asked for again. */
  @RepeatedTest(20)
  void aFileThatIsCutAtAnyByteComesWhole() throws Exception {
    long seed = System.nanoTime();
    System.out.println("-Dsedge.seed=" + seed);
    Random random = new Random(Long.getLong("sedge.seed", seed));
    for (String name : List.of("b", "c")) {
      others.put(
          name,
          offset -> {
            if (random.nextInt(3) == 0) {
              throw gone();
            }
            return part(offset, 1 + random.nextInt(FilePart.MAX_BYTES));
          });
    }
    FileKeeper keeper = keeper();
    while (!keeper.fetch(file)) {
      assertThat(store.has(file)).isFalse();
      assertThat(keeper.lacking(List.of(file))).isPresent();
      if (random.nextBoolean()) {
        store = FileStore.open(root.resolve("files"));
        keeper = keeper();
      }
    }
    assertArrived();
    assertThat(keeper.lacking(List.of(file))).isEmpty();
    assertThat(offsets).isSorted();
  }

  @Test
  void whereADeviceIsGoneInTheMiddleAnotherGoesOn() {
    boolean[] asked = {false};
    Answering once =
        offset -> {
          if (offset > 0 && !asked[0]) {
            asked[0] = true;
            throw gone();
          }
          return part(offset, FilePart.MAX_BYTES);
        };
    others.put("b", once);
    others.put("c", once);
    assertThat(keeper().fetch(file)).isTrue();
    assertArrived();
    assertThat(offsets)
        .containsExactly(
            0L,
            (long) FilePart.MAX_BYTES,
            (long) FilePart.MAX_BYTES,
            2L * FilePart.MAX_BYTES,
            3L * FilePart.MAX_BYTES);
  }

  /** A disk, or a program in a device's place, may give anything. */
  @Test
  void whatIsWrongIsNeverUsedAndAnotherDeviceIsAsked() {
    others.put(
        "b",
        offset -> {
          FilePart part = part(offset, FilePart.MAX_BYTES);
          part.bytes()[part.bytes().length / 2] ^= 1;
          return part;
        });
    FileKeeper keeper = keeper();
    assertThat(keeper.fetch(file)).isFalse();
    assertThat(store.has(file)).isFalse();
    assertThat(keeper.lacking(List.of(file)))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("file models/m.onnx (798,777 bytes) is not here yet: b: ")
                    .contains("by its SHA-256"));
    others.put("c", offset -> part(offset, FilePart.MAX_BYTES));
    for (int round = 0; round < 20 && !keeper.fetch(file); round++) {
      assertThat(store.has(file)).isFalse();
    }
    assertArrived();
  }

  @Test
  void aDeviceThatGivesTooMuchOrNothingIsNotWaitedFor() {
    others.put("b", _ -> new FilePart(true, new byte[0]));
    others.put("c", offset -> offset == 0 ? part(0, 9) : new FilePart(true, new byte[200_000]));
    others.put("d", _ -> FilePart.ABSENT);
    FileKeeper keeper = keeper();
    for (int round = 0; round < 10; round++) {
      assertThat(keeper.fetch(file)).isFalse();
    }
    assertThat(store.has(file)).isFalse();
    assertThat(keeper.lacking(List.of(file)).orElseThrow())
        .contains("b: has another one under its hash", "d: does not have it");
  }

  /** All that had it may be gone for good. */
  @Test
  void aFileThatNoDeviceHasIsFoundWhereAPersonPutsIt() throws Exception {
    FileKeeper keeper = keeper();
    assertThat(keeper.fetch(file)).isFalse();
    assertThat(keeper.fetch(file)).isFalse();
    assertThat(keeper.lacking(List.of(file)).orElseThrow())
        .contains("there is no other device to ask");
    assertThat(said).as("once, not with each attempt").hasSize(1);
    Files.createDirectory(root.resolve("models"));
    Files.write(root.resolve("models/m.onnx"), FileStoreTest.bytes(8, SIZE));
    assertThat(keeper.fetch(file)).as("another file of the same size").isFalse();
    Files.write(root.resolve("models/m.onnx"), content);
    assertThat(keeper.fetch(file)).isTrue();
    assertArrived();
    assertThat(said).last().asString().contains("was found where the script says");
  }

  @Test
  void itFetchesByItselfAndRemovesWhatNoJobNamesAnyMore() throws Exception {
    others.put("b", offset -> part(offset, FilePart.MAX_BYTES));
    CountDownLatch arrived = new CountDownLatch(1);
    try (FileKeeper keeper = keeper()) {
      keeper.start(arrived::countDown);
      keeper.want(List.of(file));
      assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
      assertArrived();
      assertThat(said).containsExactly("INFO file models/m.onnx (798,777 bytes) has come from b");
      damage();
      assertThat(keeper.areWhole(List.of(file))).isFalse();
      await(() -> store.has(file));
      assertArrived();
      keeper.want(List.of());
      await(() -> !store.has(file));
    }
  }

  /** Of a job that is not in the ledger yet, and may never be. */
  @Test
  void aFileThatIsOfferedComesAndStaysWhileTheOfferHolds() throws Exception {
    others.put("b", offset -> part(offset, FilePart.MAX_BYTES));
    try (FileKeeper keeper = keeper()) {
      keeper.start(() -> {});
      keeper.want(List.of());
      assertThat(keeper.offer(offer())).isFalse();
      await(() -> keeper.offer(offer()));
      assertArrived();
      keeper.want(List.of(FileStoreTest.file("another", new byte[] {1})));
      await(() -> said.stream().anyMatch(line -> line.contains("another")));
      assertThat(keeper.read(file.sha256(), 0).there()).isTrue();
    }
  }

  @Test
  void whatThereWouldBeNoRoomForIsNotTakenThoughItIsOffered() throws Exception {
    List<JobFile> named = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      named.add(new JobFile("m" + i, String.valueOf(i).repeat(64), JobFile.MAX_BYTES));
    }
    FileKeeper keeper = keeper();
    keeper.want(named);
    assertThat(keeper.offer(offer())).isFalse();
    others.put("b", offset -> part(offset, FilePart.MAX_BYTES));
    others.put("c", _ -> FilePart.ABSENT);
    try (keeper) {
      keeper.start(() -> {});
      keeper.want(named.subList(0, 3));
      assertThat(keeper.offer(offer())).isFalse();
      await(() -> store.has(file));
    }
  }

  private void damage() throws IOException {
    byte[] damaged = content.clone();
    damaged[0] ^= 1;
    Files.write(store.place(file.sha256()), damaged);
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(30));
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** A device that is stopped must not wait for one that does not answer. */
  @Test
  void itIsClosedWhileADeviceDoesNotAnswer() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    others.put(
        "b",
        _ -> {
          asked.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
          throw gone();
        });
    FileKeeper keeper = keeper();
    keeper.start(() -> {});
    keeper.want(List.of(file));
    assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
    keeper.close();
    assertThat(store.has(file)).isFalse();
  }

  /** They go on as they did before files went with jobs. */
  @Test
  void aJobOfAnOlderVersionReadsItsFilesWhereTheScriptSays() {
    FileKeeper keeper = keeper();
    assertThat(keeper.lacking(List.of())).isEmpty();
    assertThat(keeper.areWhole(List.of())).isTrue();
    assertThat(Optional.of(keeper.of(List.of()).locate("", "models/m.onnx")))
        .contains(root.resolve("models/m.onnx"));
  }
}
