package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Keeper;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader whose rows are kept. The store is opened with the first thing that is asked after {@link
 * #seek}, since what it has to take back follows from the position.
 */
public final class KeepingReader implements SourceReader {
  /** A task that was told to end does so in less. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final SourceReader reader;
  private final Store.Setting setting;
  private final ConnectorContext context;
  private final Worker worker;
  private final Disk disk;
  private final StoreLock lock;
  private @Nullable Store store;
  private KeptPosition position = new KeptPosition(List.of(), new byte[0]);
  private boolean sought;
  private boolean closed;

  private KeepingReader(
      SourceReader reader,
      Store.Setting setting,
      ConnectorContext context,
      Worker worker,
      Disk disk,
      StoreLock lock) {
    this.reader = reader;
    this.setting = setting;
    this.context = context;
    this.worker = worker;
    this.disk = disk;
    this.lock = lock;
  }

  /** Takes the store's lock; closes the reader if it cannot be had. */
  public static SourceReader open(
      SourceReader reader, Keeper.Kept kept, ConnectorContext context, Worker worker) {
    String table = kept.table().name();
    Path directory = StoreFiles.directory(context.data(), kept.job(), table, kept.shard());
    Shape shape = new Shape(kept.table().schema(), kept.keep().timeColumn());
    try {
      StoreLock lock = StoreLock.take(directory, table, PATIENCE);
      Store.Setting setting = new Store.Setting(directory, table, kept.keep(), shape);
      return new KeepingReader(reader, setting, context, worker, Disk.real(), lock);
    } catch (IOException e) {
      reader.close();
      throw failure(table, directory, e);
    } catch (InterruptedException e) {
      reader.close();
      Thread.currentThread().interrupt();
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL, "table %s: interrupted".formatted(table), e);
    } catch (ConnectorException e) {
      reader.close();
      throw e;
    }
  }

  /** A reader for tests. */
  static KeepingReader open(
      SourceReader reader,
      Store.Setting setting,
      ConnectorContext context,
      Worker worker,
      Disk disk)
      throws IOException, InterruptedException {
    StoreLock lock = StoreLock.take(setting.directory(), setting.table(), PATIENCE);
    return new KeepingReader(reader, setting, context, worker, disk, lock);
  }

  private static ConnectorException failure(String table, Path directory, IOException e) {
    return new ConnectorException(
        ConnectorException.Kind.FILE,
        "table %s: its readings cannot be kept in %s: %s".formatted(table, directory, e),
        e);
  }

  private Store store() {
    Store opened = store;
    if (opened == null) {
      try {
        opened = new Store(setting, context, worker, disk, lock, sought ? position : null);
      } catch (IOException e) {
        throw failure(setting.table(), setting.directory(), e);
      }
      store = opened;
    }
    return opened;
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    Store kept = store();
    long now = context.nanoTime();
    kept.tick(now);
    if (kept.isBehind(now)) {
      return null;
    }
    Batch batch = reader.poll(nowNanos);
    if (batch != null && batch.rows() > 0) {
      kept.append(batch);
    }
    return batch;
  }

  @Override
  public boolean finished() {
    return reader.finished();
  }

  @Override
  public long watermark() {
    return reader.watermark();
  }

  @Override
  public boolean isIdle() {
    return reader.isIdle();
  }

  @Override
  public byte[] position() {
    Store kept = store();
    position = position.with(new KeptPosition.Mark(kept.id(), kept.mark()), reader.position());
    return position.bytes();
  }

  @Override
  public void seek(byte[] newPosition) {
    position = KeptPosition.of(newPosition);
    sought = true;
    reader.seek(position.source());
  }

  @Override
  public void acknowledge(byte[] committed) {
    KeptPosition acknowledged = KeptPosition.of(committed);
    Store kept = store();
    kept.committed(acknowledged.mark(kept.id()));
    reader.acknowledge(acknowledged.source());
  }

  @Override
  public long idlePollNanos() {
    return reader.idlePollNanos();
  }

  @Override
  public boolean wantsCommit() {
    return reader.wantsCommit();
  }

  @Override
  public boolean hasNewPosition() {
    return reader.hasNewPosition();
  }

  @Override
  public SourceCounters counters() {
    return reader.counters();
  }

  @Override
  public void retire() {
    reader.retire();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (reader) {
      Store opened = store;
      if (opened == null) {
        lock.close();
      } else {
        opened.close();
      }
    } catch (IOException e) {
      throw failure(setting.table(), setting.directory(), e);
    }
  }
}
