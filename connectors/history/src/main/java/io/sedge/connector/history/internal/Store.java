package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Keep;
import io.sedge.engine.column.Batch;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rows that one task reads of one table. One thread, that of the task, calls it; segments
 * are made and deleted on the {@link Worker}.
 *
 * <p>Rows go to a journal, which a mark follows for each commit of the task ({@link #mark}). When
 * the commit is known to be durable ({@link #committed}) that is noted too. A journal that is large
 * or old enough is closed at a mark and the next one begun; once that mark is committed its rows
 * become a segment, in the order of time, and the journal is deleted ({@link Sealer}). So segments
 * hold committed rows alone, and what a crash may have to take back lies in journals.
 *
 * <p>Bounds: rows wait in memory for {@value #FLUSH_BYTES} bytes or the next mark, whichever is
 * first. A journal grows to {@link #journalBytes}, and by a quarter more until the next mark; while
 * two before it have not become segments yet, {@link #isBehind} holds the source back.
 *
 * <p>While it is blocked (the disk is full but for {@link Keep#reserveBytes}, or a write has
 * failed) rows are counted and not kept, from the last mark on: a commit is kept whole or not at
 * all.
 *
 * <p>Long because it is the state machine of a store: {@code blocked} is null (keeping) or says why
 * not; {@link #block} and {@link #unblock} are the transitions.
 */
final class Store implements AutoCloseable {
  static final int FLUSH_BYTES = 1 << 18;
  private static final long LEAST_JOURNAL_BYTES = 1 << 16;
  private static final long MOST_JOURNAL_BYTES = 16 << 20;
  private static final int SEGMENTS_PER_AGE = 24;
  private static final long TICK_NANOS = 1_000_000_000L;
  private static final long RETENTION_NANOS = 30_000_000_000L;
  private static final long REPEAT_NANOS = 60_000_000_000L;

  /** What a store is made for. */
  record Setting(Path directory, String table, Keep keep, Shape shape) {}

  private final Setting setting;
  private final ConnectorContext context;
  private final Worker worker;
  private final Disk disk;
  private final StoreLock lock;
  private final Sealer sealer;
  private final BatchCodec codec;
  private final SteadyClock clock;
  private final FrameBuffer buffer = new FrameBuffer();
  private final AtomicBoolean syncing = new AtomicBoolean();
  private final long id;
  private final long journalBytes;
  private Journal journal;
  private boolean journalHasRows;
  private long journalSinceNanos;
  private long rowsSinceMark;
  private long mark;
  private long committed;
  private long stampMs;
  private @Nullable String blocked;
  private long unkept;
  private long unkeptBefore;
  private long sayAtNanos;
  private long unblockAtNanos;
  private long tickAtNanos;
  private long retentionAtNanos;
  private long syncAtNanos;
  private boolean unsynced;

  /** Why what was kept is not on the disk, from the worker; the next tick takes it. */
  private volatile @Nullable String syncFailure;

  /**
   * Opens a store, and takes back what was not committed.
   *
   * @param lock of its directory; closed with it
   * @param position what was committed, as the source's position says; null if nobody knows
   */
  Store(
      Setting setting,
      ConnectorContext context,
      Worker worker,
      Disk disk,
      StoreLock lock,
      @Nullable KeptPosition position)
      throws IOException {
    this.setting = setting;
    this.context = context;
    this.worker = worker;
    this.disk = disk;
    this.lock = lock;
    this.sealer = new Sealer(setting.directory(), setting.table(), context, worker);
    this.codec = new BatchCodec(setting.shape().schema());
    this.clock = new SteadyClock(context, setting.table());
    this.journalBytes = journalBytes(setting.keep());
    long now = context.nanoTime();
    this.journalSinceNanos = now;
    this.sayAtNanos = now;
    this.unblockAtNanos = now;
    this.tickAtNanos = now;
    this.retentionAtNanos = now;
    this.syncAtNanos = now;
    Recovery found = Recovery.in(setting.directory());
    for (Path damaged : found.damaged()) {
      warn("%s cannot be read, and what was kept in it is missing".formatted(damaged));
    }
    long known = position == null || found.store() == 0 ? -1 : position.mark(found.store());
    if (known > found.lastMark()) {
      warn(
          "the end of what was kept is missing, after a loss of power or a full disk; results are"
              + " not affected");
    }
    long cut = known < 0 ? found.committed() : known;
    Recovery kept = found.cutAfter(cut);
    this.id = found.store() == 0 ? newId() : found.store();
    this.mark = Math.max(cut, found.lastMark());
    this.committed = mark;
    this.stampMs = Math.max(found.stampMs(), context.clock().millis());
    this.journal = resume(kept);
    try {
      noteCommitted();
      tick(now);
    } catch (RuntimeException e) {
      abandon();
      throw e;
    }
  }

  /** Nobody will close it: its lock is given back, so nothing may go on below it. */
  private void abandon() throws IOException {
    sealer.await();
    journal.close();
  }

  private static long newId() {
    long random = 0;
    while (random == 0) {
      random = ThreadLocalRandom.current().nextLong();
    }
    return random;
  }

  /** What a journal grows to: what a small heap can sort, and a fraction of what is kept. */
  private static long journalBytes(Keep keep) {
    long most = Math.min(Runtime.getRuntime().maxMemory() / 32, keep.bytes() / 16);
    return Math.clamp(most, LEAST_JOURNAL_BYTES, MOST_JOURNAL_BYTES);
  }

  /** Goes on with the last journal, if it is of the table as it is now; closes all others. */
  private Journal resume(Recovery kept) throws IOException {
    Recovery.Found last = kept.journals().isEmpty() ? null : kept.journals().getLast();
    boolean goesOn = last != null && goesOn(last);
    for (Recovery.Found found : kept.journals()) {
      if (!goesOn || !found.equals(last)) {
        long lastMark = found.content().lastMark();
        Path file = found.file().file();
        sealer.add(new Sealer.Closed(found.file().number(), file, lastMark, lastMs(found)));
      }
    }
    if (last == null || !goesOn) {
      return begin(kept.files().lastNumber() + 1);
    }
    journalHasRows = last.content().hasRows(Long.MAX_VALUE);
    return Journal.reopen(last.file(), last.content().end(), disk);
  }

  /** When the last row of a journal came, as far as files tell. */
  private long lastMs(Recovery.Found found) throws IOException {
    long writtenMs = Files.getLastModifiedTime(found.file().file()).toMillis();
    return Math.max(found.content().head().stampMs(), Math.min(writtenMs, stampMs));
  }

  /** Whether a journal is of the table as it is now, and not so old that it is to be closed. */
  private boolean goesOn(Recovery.Found found) throws IOException {
    Frames.Head head = found.content().head();
    long idleMs = stampMs - lastMs(found);
    return head.shape().equals(setting.shape())
        && head.ageMs() == setting.keep().age().toMillis()
        && head.bytes() == setting.keep().bytes()
        && (idleMs < mostJournalMs() || !found.content().hasRows(Long.MAX_VALUE));
  }

  private Journal begin(long number) throws IOException {
    Keep keep = setting.keep();
    Frames.Head head =
        new Frames.Head(id, mark, stampMs, keep.age().toMillis(), keep.bytes(), setting.shape());
    return Journal.create(setting.directory(), number, head, disk);
  }

  /** Its name among all stores of all devices. */
  long id() {
    return id;
  }

  /** How many rows were not kept since it was opened. */
  long unkept() {
    return unkept;
  }

  /**
   * Whether the source is to wait for a mark or since segments are not made as fast as rows come.
   */
  boolean isBehind(long nowNanos) {
    if (!isFull()) {
      return false;
    }
    goOn(nowNanos);
    return isFull();
  }

  private boolean isFull() {
    return blocked == null && journal.size() + buffer.size() >= journalBytes + journalBytes / 4;
  }

  /** Makes segments of what is closed and committed, and closes what is due. */
  private void goOn(long nowNanos) {
    if (sealer.drive(committed, nowNanos)) {
      retentionAtNanos = nowNanos;
    }
    if (rowsSinceMark == 0 && blocked == null && isToRoll()) {
      roll();
    }
  }

  /**
   * Takes rows that were read.
   *
   * @throws ConnectorException of kind EXTERNAL if they cannot be kept and the table says FAIL
   */
  void append(Batch batch) {
    rowsSinceMark += batch.rows();
    if (blocked != null) {
      return;
    }
    try {
      buffer.begin(Frames.ROWS);
      buffer.putLong(context.clock().millis());
      buffer.putInt(batch.rows());
      codec.encode(batch, buffer);
      buffer.end();
      if (buffer.size() >= FLUSH_BYTES) {
        flush();
      }
    } catch (IOException e) {
      block(reason(e));
    }
  }

  /**
   * Ends a commit: what was appended before belongs to it.
   *
   * @return its number; that of the last one if nothing was kept since
   */
  long mark() {
    if (rowsSinceMark == 0) {
      return mark;
    }
    try {
      if (blocked == null) {
        writeMark();
      }
    } catch (IOException e) {
      block(reason(e));
    }
    unkept += blocked == null ? 0 : rowsSinceMark;
    rowsSinceMark = 0;
    tryToUnblock(context.nanoTime());
    if (blocked == null && isToRoll()) {
      roll();
    }
    return mark;
  }

  private void writeMark() throws IOException {
    buffer.begin(Frames.MARK);
    buffer.putLong(mark + 1);
    buffer.end();
    flush();
    if (setting.keep().sync().isZero()) {
      journal.force();
    }
    mark++;
    journal.marked();
    journalHasRows = true;
    unsynced = true;
  }

  /** All up to a mark is committed. */
  void committed(long upTo) {
    if (upTo > committed) {
      committed = upTo;
      noteCommitted();
      goOn(context.nanoTime());
    }
  }

  private void noteCommitted() {
    if (blocked != null) {
      return;
    }
    try {
      buffer.begin(Frames.COMMITTED);
      buffer.putLong(committed);
      buffer.end();
      flush();
      if (rowsSinceMark == 0) {
        journal.marked();
      }
    } catch (IOException e) {
      block(reason(e));
    }
  }

  private void flush() throws IOException {
    journal.write(buffer);
    buffer.clear();
  }

  /** To be called often, between batches. */
  void tick(long nowNanos) {
    tryToUnblock(nowNanos);
    if (nowNanos - tickAtNanos < 0) {
      return;
    }
    tickAtNanos = nowNanos + TICK_NANOS;
    clock.tick();
    blockIfSyncFailed();
    sync(nowNanos);
    goOn(nowNanos);
    if (nowNanos - retentionAtNanos >= 0) {
      retentionAtNanos = nowNanos + RETENTION_NANOS;
      applyRetention();
    }
    checkRoom();
  }

  /** Whether the journal is large or old enough, and there is room for another. */
  private boolean isToRoll() {
    if (!journalHasRows || sealer.size() > 1) {
      return false;
    }
    return journal.size() >= journalBytes
        || context.nanoTime() - journalSinceNanos >= mostJournalMs() * 1_000_000;
  }

  /** How old a journal gets. */
  private long mostJournalMs() {
    return Math.clamp(setting.keep().age().toMillis() / SEGMENTS_PER_AGE, 1_000, 86_400_000);
  }

  /** Closes the journal at its last mark and begins the next. */
  private void roll() {
    try {
      stampMs = Math.max(stampMs, context.clock().millis());
      Journal closed = journal;
      journal = begin(closed.number() + 1);
      sealer.add(new Sealer.Closed(closed.number(), closed.file(), mark, stampMs));
      journalSinceNanos = context.nanoTime();
      journalHasRows = false;
      try (closed) {
        closed.force();
      }
      boolean _ = sealer.drive(committed, context.nanoTime());
    } catch (IOException e) {
      block(reason(e));
    }
  }

  private void sync(long nowNanos) {
    if (!unsynced || nowNanos - syncAtNanos < 0 || syncing.get()) {
      return;
    }
    syncAtNanos = nowNanos + setting.keep().sync().toNanos();
    syncing.set(true);
    Journal written = journal;
    boolean accepted =
        work(
            () -> {
              try {
                written.force();
              } catch (ClosedChannelException e) {
                // It was forced before it was closed.
              } catch (IOException e) {
                syncFailure = reason(e); // A system says it once: the next force may succeed.
              } finally {
                syncing.set(false);
              }
            });
    if (accepted) {
      unsynced = false;
    } else {
      syncing.set(false);
    }
  }

  private void blockIfSyncFailed() {
    String failure = syncFailure;
    if (failure != null) {
      syncFailure = null;
      block(
          "what was kept last could not be brought to the disk, and a loss of power would cost it: "
              + failure);
    }
  }

  private void applyRetention() {
    long now = clock.trustedMs();
    Keep keep = setting.keep();
    boolean others = now != Long.MIN_VALUE && worker.isToSweep(context.nanoTime());
    Runnable deletion =
        () -> {
          try {
            Retention.apply(setting.directory(), keep.age().toMillis(), keep.bytes(), now);
            if (others) {
              Sweep.apply(StoreFiles.root(context.data()), now);
            }
          } catch (IOException e) {
            warn("what is too old cannot be deleted, which is tried again: " + reason(e));
          }
        };
    boolean _ = work(deletion); // If not it comes again.
  }

  /** Whether it will be done; not if too much waits. */
  private boolean work(Runnable what) {
    try {
      worker.execute(what);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void checkRoom() {
    try {
      long free = disk.usableBytes(setting.directory());
      if (blocked == null && free < setting.keep().reserveBytes()) {
        block(
            "%d MB are free, 'keep.reserve' is %d MB"
                .formatted(free >> 20, setting.keep().reserveBytes() >> 20));
      }
      String failure = sealer.failure();
      if (failure != null && journal.size() >= journalBytes) {
        block(failure);
      }
    } catch (IOException e) {
      block(reason(e));
    }
  }

  /** From now on rows are not kept. */
  private void block(String reason) {
    buffer.clear();
    if (setting.keep().whenFull() == Keep.WhenFull.FAIL) {
      throw new ConnectorException(
          ConnectorException.Kind.FILE,
          "table %s: readings cannot be kept in %s (%s); make room, or let the job go on without with 'keep.when-full' = 'skip'"
              .formatted(setting.table(), setting.directory(), reason));
    }
    if (blocked == null && context.nanoTime() - sayAtNanos >= 0) {
      sayAtNanos = context.nanoTime() + REPEAT_NANOS;
      warn(
          "readings are not kept in %s (%s); the job goes on"
              .formatted(setting.directory(), reason));
    }
    if (blocked == null) {
      unblockAtNanos = context.nanoTime() + TICK_NANOS;
    }
    blocked = reason;
  }

  /**
   * Keeps again at a mark, if there is room, which is looked for once a second. Where rows come all
   * the time no tick may find the store at a mark, so the next mark itself looks for it.
   */
  private void tryToUnblock(long nowNanos) {
    if (blocked != null && rowsSinceMark == 0 && nowNanos - unblockAtNanos >= 0) {
      unblockAtNanos = nowNanos + TICK_NANOS;
      unblock();
    }
  }

  private void unblock() {
    try {
      if (disk.usableBytes(setting.directory()) < setting.keep().reserveBytes()
          || sealer.failure() != null) {
        return;
      }
      journal.rollBack();
      journal.force();
    } catch (IOException e) {
      return; // The same as before.
    }
    blocked = null;
    noteCommitted();
    if (blocked == null && unkept > unkeptBefore) {
      context.report(
          Severity.INFO,
          "table %s: readings are kept again; %d were not, %d in all"
              .formatted(setting.table(), unkept - unkeptBefore, unkept));
      unkeptBefore = unkept;
    }
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private void warn(String what) {
    context.report(Severity.WARNING, "table %s: %s".formatted(setting.table(), what));
  }

  /** Rows after the last mark are of no commit, and are forgotten. */
  @Override
  public void close() throws IOException {
    try (lock;
        Journal last = journal) {
      sealer.await();
      last.rollBack();
      last.force();
    }
    if (unkept > unkeptBefore) {
      warn("%d readings were not kept".formatted(unkept - unkeptBefore));
    }
  }
}
