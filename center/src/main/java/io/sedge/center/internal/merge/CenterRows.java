package io.sedge.center.internal.merge;

import io.sedge.center.store.Merges;
import io.sedge.center.store.Merges.Target;
import io.sedge.center.store.OpenedStream;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The center's own rows in a table of results, which are stored as those of a site are. One thread.
 */
final class CenterRows {
  private static final long PATIENCE_SECONDS = 60;
  private static final String TASK = "merge";
  private static final String TABLE_NAME = "table-name";

  private final Store store;
  private final Target target;
  private final TableDescriptor table;
  private final String name;
  private final RowsCodec codec;
  private final Consumer<String> log;
  private final Doubling withoutKey;
  private @Nullable OpenedStream stream;
  private @Nullable CompletableFuture<Long> pending;
  private long sequence;

  /**
   * @param table as the job has it
   */
  CenterRows(Store store, Target target, TableDescriptor table, Consumer<String> log) {
    this.store = store;
    this.target = target;
    this.table = table;
    this.name = table.options().getOrDefault(TABLE_NAME, table.name());
    this.codec = new RowsCodec(table.schema());
    this.log = log;
    this.withoutKey =
        new Doubling(
            log,
            "job %s, table %s: %%,d rows have a key that is NULL in part, and are left out"
                .formatted(target.job(), target.sink()));
  }

  /**
   * Makes the rows of a window what they are to be.
   *
   * @param windowColumn the column of the key that tells the window, by {@code windowValue}
   */
  void replace(int windowColumn, long windowValue, WindowRows rows)
      throws StoreException, InterruptedException {
    open(windowColumn);
    // What was sent and not answered may be stored yet, and is what is compared with.
    await();
    for (Batch changes :
        rows.changes(
            store
                .merges()
                .keys(
                    target, name, table.schema(), table.primaryKey(), windowColumn, windowValue))) {
      OpenedStream opened = open(windowColumn);
      RowBlock block = new RowBlock(sequence + 1, changes.rows(), codec.encode(List.of(changes)));
      pending = store.append(Merges.CENTER, opened.id(), List.of(block));
      await();
    }
    withoutKey.add(rows.withoutKey());
    withoutKey.say();
  }

  private OpenedStream open(int windowColumn) throws StoreException {
    OpenedStream opened = stream;
    if (opened == null) {
      opened =
          store.openStream(
              Merges.CENTER,
              new StreamOpening(
                  target.job(), TASK, target.sink(), name, table.schema(), table.primaryKey()));
      store.merges().index(name, table.schema().name(windowColumn));
      sequence = opened.sequence();
      stream = opened;
    }
    return opened;
  }

  private void await() throws StoreException, InterruptedException {
    CompletableFuture<Long> append = pending;
    if (append == null) {
      return;
    }
    try {
      sequence = append.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      pending = null;
    } catch (TimeoutException e) {
      throw new StoreException(
          Reason.BUSY,
          "the database has not taken the rows of a window within %d s".formatted(PATIENCE_SECONDS),
          e);
    } catch (ExecutionException e) {
      pending = null;
      stream = null;
      if (!(e.getCause() instanceof StoreException refused)) {
        throw new IllegalStateException(e.getCause());
      }
      if (refused.reason() == Reason.SEQUENCE_WENT_BACK) {
        // Another center on this database has written. Its rows are of the same parts.
        log.accept(
            "the rows of job %s begin anew: %s".formatted(target.job(), refused.getMessage()));
        var _ = store.sites().acceptRestored(Merges.CENTER);
      }
      throw refused;
    }
  }
}
