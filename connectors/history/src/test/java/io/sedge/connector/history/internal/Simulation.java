package io.sedge.connector.history.internal;

import io.sedge.connector.Keep;
import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Stores whose clock, disk and worker are in a test's hand, and what the tests read them with. */
final class Simulation {
  static final Schema SCHEMA =
      Schema.builder().add("id", Type.BIGINT).add("ts", Type.timestamp(3)).build();
  static final Shape SHAPE = new Shape(SCHEMA, 1);
  static final long BEGIN_MICROS = 1_767_225_600_000_000L;

  final TestContext context;
  final Deque<Runnable> work = new ArrayDeque<>();
  boolean workerIsFull;
  final Worker worker = new Worker(this::accept);
  final FakeDisk disk = new FakeDisk();

  Simulation(Path data) {
    this.context = new TestContext(data);
  }

  private void accept(Runnable task) {
    if (workerIsFull) {
      throw new RejectedExecutionException();
    }
    work.add(task);
  }

  static Keep keep() {
    return keep(Duration.ofDays(7), 1L << 30, Keep.WhenFull.SKIP);
  }

  static Keep keep(Duration age, long bytes, Keep.WhenFull whenFull) {
    return new Keep(age, bytes, 1, whenFull, Duration.ofSeconds(1), 128 << 20);
  }

  Path directory(String shard) {
    return StoreFiles.directory(context.data(), "plant", "readings", shard);
  }

  Store.Setting setting(Keep keep) {
    return new Store.Setting(directory("all"), "readings", keep, SHAPE);
  }

  /** A store that a test may abandon: only its lock has to be given back. */
  Store open(Store.Setting setting, StoreLock lock, @Nullable KeptPosition position)
      throws IOException {
    return new Store(setting, context, worker, disk, lock, position);
  }

  /** A store whose worker a test brings. */
  Store open(Keep keep, StoreLock lock, Worker own) throws IOException {
    return new Store(setting(keep), context, own, disk, lock, null);
  }

  Store open(Keep keep) throws IOException {
    StoreLock lock = StoreLock.tryTake(directory("all"));
    if (lock == null) {
      throw new IllegalStateException("locked");
    }
    return open(setting(keep), lock, null);
  }

  void runWork() {
    for (Runnable next = work.poll(); next != null; next = work.poll()) {
      next.run();
    }
  }

  /** Rows with ids from one on, at a second each. */
  static Batch rows(long firstId, int count) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (long id = firstId; id < firstId + count; id++) {
      builder.addRow(id, BEGIN_MICROS + id * 1_000_000);
    }
    return builder.build();
  }

  /** Appends rows as one commit, and says that it is committed. */
  static void keepRows(Store store, long firstId, int count) {
    store.append(rows(firstId, count));
    store.committed(store.mark());
  }

  /** Lets time pass and everything that is due happen. */
  void pass(Store store, Duration time) {
    context.pass(time.toMillis());
    store.tick(context.nanoTime());
    runWork();
    store.tick(context.nanoTime());
    runWork();
  }

  SourceReader reader(Interval interval) {
    return HistoryReader.open(
        new HistoryReader.Wanted("past", Optional.empty(), "readings", SCHEMA, interval, List.of()),
        context);
  }

  List<Long> ids() {
    return ids(new Interval(Long.MIN_VALUE, Long.MAX_VALUE));
  }

  List<Long> ids(Interval interval) {
    try (SourceReader reader = reader(interval)) {
      return ids(reader);
    }
  }

  static List<Long> ids(SourceReader reader) {
    List<Long> ids = new ArrayList<>();
    while (!reader.finished()) {
      Batch batch = reader.poll(0);
      for (int row = 0; batch != null && row < batch.rows(); row++) {
        ids.add((Long) batch.row(row).getFirst());
      }
    }
    return ids;
  }

  /** A disk that is full when a test says so, to the byte if need be. */
  static final class FakeDisk implements Disk {
    private final Disk real = Disk.real();
    long usable = 1L << 40;
    long writable = Long.MAX_VALUE;
    boolean failsToForceOnce;
    int forced;

    @Override
    public long usableBytes(Path directory) {
      return usable;
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
      int length = (int) Math.min(writable, bytes.remaining());
      ByteBuffer part = bytes.slice(bytes.position(), length);
      writable -= length;
      real.write(channel, part, position);
      if (length < bytes.remaining()) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void force(FileChannel channel) throws IOException {
      if (failsToForceOnce) {
        failsToForceOnce = false;
        throw new IOException("Input/output error");
      }
      forced++;
      real.force(channel);
    }
  }
}
