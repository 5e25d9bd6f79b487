package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.testkit.TestContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same promise as in simulation, with a real process, a real disk and SIGKILL. */
class KillTest {
  private static final int KILLS = Integer.getInteger("sedge.kills", 4);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void whateverIsKilledEachCommittedReadingIsKeptOnceInOrder() throws Exception {
    Path ledger = directory.resolve("ledger");
    long seed = Long.getLong("sedge.seed", new Random().nextLong());
    System.err.printf("-Dsedge.seed=%d%n", seed);
    Random random = new Random(seed);
    for (int kill = 1; kill <= KILLS; kill++) {
      runAndKill(ledger, random.nextInt(1_200), kill == KILLS);
    }
    int segments = segments();
    byte[] committed = KilledKeeper.committed(ledger);
    long next = ByteBuffer.wrap(KeptPosition.of(committed).source()).getLong();
    StoreLock lock = StoreLock.tryTake(KilledKeeper.setting(data()).directory());
    assertThat(lock).isNotNull();
    TestContext context = TestContext.live(directory);
    try (Store store =
        new Store(
            KilledKeeper.setting(data()),
            context,
            new Worker(),
            Disk.real(),
            lock,
            KeptPosition.of(committed))) {
      assertThat(store.unkept()).isZero();
    }
    List<Long> kept = ids();
    // The oldest may have been deleted for their bytes; what is left has no gap and no double.
    assertThat(kept).isNotEmpty();
    assertThat(kept.getLast()).isEqualTo(next - 1);
    for (int i = 1; i < kept.size(); i++) {
      assertThat(kept.get(i)).isEqualTo(kept.get(i - 1) + 1);
    }
    assertThat(segments).isPositive();
    assertThat(context.reports()).isEmpty();
    System.err.printf(
        "%d kills, %,d readings committed, %,d kept, lost 0, doubled 0%n",
        KILLS, next - 1, kept.size());
  }

  private Path data() {
    return TestContext.live(directory).data();
  }

  private List<Long> ids() {
    var wanted =
        new HistoryReader.Wanted(
            "past",
            Optional.empty(),
            "readings",
            Simulation.SCHEMA,
            new Interval(Long.MIN_VALUE, Long.MAX_VALUE),
            List.of());
    try (var reader = HistoryReader.open(wanted, TestContext.live(directory))) {
      return Simulation.ids(reader);
    }
  }

  private int segments() throws IOException {
    return StoreFiles.in(KilledKeeper.setting(data()).directory()).segments().size();
  }

  /** Kills it some time after a commit and, in its last life, after there is a segment. */
  private void runAndKill(Path ledger, int afterMs, boolean last) throws Exception {
    long before = Files.exists(ledger) ? Files.size(ledger) : 0;
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledKeeper.class.getName(),
                data().toString(),
                ledger.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(ledger) || Files.size(ledger) == before || (last && segments() == 0)) {
      assertThat(process.isAlive())
          .as(() -> "it has ended by itself: " + read(directory.resolve("output")))
          .isTrue();
      assertThat(System.nanoTime()).as("it commits and makes segments").isLessThan(deadline);
      Thread.sleep(5);
    }
    Thread.sleep(afterMs);
    process.destroyForcibly();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
