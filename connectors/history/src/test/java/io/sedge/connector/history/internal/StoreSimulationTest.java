package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Keep;
import io.sedge.engine.column.BatchBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task that keeps its readings on two devices, commits them to a ledger, is killed at any moment
 * and moves between them: at the end the devices have together each committed reading exactly once,
 * and nothing that was not committed.
 */
class StoreSimulationTest {
  private static final int SEEDS = Integer.getInteger("sedge.seeds", 20);
  private static final int STEPS = 400;

  @TempDir private Path directory;

  @Test
  void eachCommittedReadingIsKeptOnceWhateverIsKilledAndWherever() throws Exception {
    long only = Long.getLong("sedge.seed", -1);
    long base = only >= 0 ? only : new Random().nextInt(1 << 30);
    int segments = 0;
    for (long seed = base; seed < base + (only >= 0 ? 1 : SEEDS); seed++) {
      Path root = directory.resolve("s" + seed);
      try {
        segments += new Run(root, new Random(seed)).run();
      } catch (Throwable e) {
        throw new AssertionError("-Dsedge.seed=" + seed, e);
      }
      delete(root);
    }
    assertThat(segments).as("segments that were made").isPositive();
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A commit on its way to the ledger. */
  private record Commit(long readUpTo, KeptPosition position) {}

  private static final class Run {
    private static final Keep KEEP_ALL =
        Simulation.keep(Duration.ofDays(7), 2 << 20, Keep.WhenFull.SKIP);

    private final Random random;
    private final List<Simulation> devices = new ArrayList<>();
    private final Deque<Commit> underWay = new ArrayDeque<>();
    private Commit ledger = new Commit(0, new KeptPosition(List.of(), new byte[0]));
    private KeptPosition position = ledger.position();
    private long read;
    private Simulation device;
    private StoreLock lock;
    private Store store;

    Run(Path root, Random random) throws IOException {
      this.random = random;
      devices.add(new Simulation(root.resolve("a")));
      devices.add(new Simulation(root.resolve("b")));
    }

    /** Returns how many segments there are at the end. */
    int run() throws IOException {
      start();
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      kill();
      for (Simulation each : devices) {
        device = each;
        start();
        kill();
      }
      check();
      int segments = 0;
      for (Simulation each : devices) {
        segments += StoreFiles.in(each.directory("all")).segments().size();
      }
      return segments;
    }

    private void step() throws IOException {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> read();
        case 4, 5 -> commit();
        case 6, 7 -> accept();
        case 8 -> device.context.pass(random.nextInt(3_000));
        case 9 -> {
          store.tick(device.context.nanoTime());
          work();
        }
        case 10 -> device.context.setBack(random.nextInt(100) == 0 ? 86_400_000 : 0);
        default -> {
          if (random.nextInt(4) == 0) {
            kill();
            device = devices.get(random.nextInt(2));
            start();
          }
        }
      }
    }

    private void read() {
      int count = random.nextInt(3) == 0 ? 2_000 : 1 + random.nextInt(5);
      BatchBuilder builder = new BatchBuilder(Simulation.SCHEMA);
      for (int i = 0; i < count; i++) {
        read++;
        long jitter = random.nextInt(20) == 0 ? random.nextInt(5_000) : 0;
        Object time =
            random.nextInt(200) == 0
                ? null
                : Simulation.BEGIN_MICROS + (read - jitter) / 3 * 1_000_000;
        builder.addRow(read, time);
      }
      store.append(builder.build());
    }

    private void commit() {
      if (underWay.size() < 8) {
        KeptPosition.Mark mark = new KeptPosition.Mark(store.id(), store.mark());
        position = position.with(mark, new byte[0]);
        underWay.add(new Commit(read, KeptPosition.of(position.bytes())));
      }
    }

    /** The ledger takes the next commit; the task may hear of it, or be killed before. */
    private void accept() {
      Commit next = underWay.poll();
      if (next != null) {
        ledger = next;
        if (random.nextInt(10) > 0) {
          store.committed(next.position().mark(store.id()));
        }
      }
    }

    private void work() {
      for (int left = random.nextInt(4); left > 0 && !device.work.isEmpty(); left--) {
        device.work.poll().run();
      }
    }

    private void kill() throws IOException {
      device.work.clear();
      underWay.clear();
      lock.close();
      if (random.nextInt(3) == 0) {
        tear();
      }
    }

    /** What a process leaves that dies while it writes. */
    private void tear() throws IOException {
      StoreFiles files = StoreFiles.in(device.directory("all"));
      byte[] half = new byte[random.nextInt(40)];
      random.nextBytes(half);
      Files.write(files.journals().getLast().file(), half, StandardOpenOption.APPEND);
      Files.write(device.directory("all").resolve("0000000099-1.tsfile.part"), half);
      if (random.nextBoolean()) {
        long next = files.lastNumber() + 1;
        Files.write(StoreFiles.journal(device.directory("all"), next), new byte[3]);
      }
    }

    private void start() throws IOException {
      if (device == null) {
        device = devices.getFirst();
      }
      lock = StoreLock.tryTake(device.directory("all"));
      position = ledger.position();
      read = ledger.readUpTo();
      store = device.open(device.setting(KEEP_ALL), lock, position);
    }

    private void check() {
      List<Long> kept = new ArrayList<>();
      for (Simulation each : devices) {
        kept.addAll(each.ids());
      }
      kept.sort(null);
      List<Long> expected = Stream.iterate(1L, id -> id + 1).limit(ledger.readUpTo()).toList();
      assertThat(kept).isEqualTo(expected);
    }
  }
}
