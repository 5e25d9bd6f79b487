package io.sedge.center.store.internal;

import io.sedge.center.store.OpenedStream;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.StoreStatus;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What sites send: streams, and rows that are stored by a thread of their own. Any thread. */
public final class Rows implements AutoCloseable {
  private final Database database;
  private final InstantSource clock;
  private final Consumer<String> log;
  private final String version;
  private final ResultTables tables;
  private final Streams streams;
  private final AppendQueue queue;
  private final Applier applier;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  public Rows(
      Database database,
      long queueBytes,
      InstantSource clock,
      Consumer<String> log,
      Runnable sitesChanged)
      throws StoreException {
    this.database = database;
    this.clock = clock;
    this.log = log;
    this.version = database.read(database.dialect()::version);
    this.tables = new ResultTables(database.dialect());
    this.streams = new Streams(database.dialect());
    this.queue = new AppendQueue(queueBytes);
    this.applier =
        new Applier(
            database,
            tables,
            queue,
            clock,
            log,
            sitesChanged,
            () -> listeners.forEach(Runnable::run));
  }

  /** One at a time: two that make the same table would stand in each other's way. */
  public synchronized OpenedStream open(String site, StreamOpening opening) throws StoreException {
    List<String> said = new ArrayList<>();
    OpenedStream opened;
    try {
      opened =
          database.write(
              handle -> {
                OpenedStream stream = streams.open(handle, site, opening, clock.millis());
                said.addAll(tables.open(handle, opening, clock.millis()));
                return stream;
              });
    } finally {
      tables.forget();
      streams.forget();
    }
    said.forEach(log);
    return opened;
  }

  /** The applied sequence after the blocks have been committed. */
  public CompletableFuture<Long> append(String site, long stream, List<RowBlock> blocks) {
    try {
      StreamPlan plan =
          streams
              .find(database, stream)
              .filter(found -> found.site().equals(site))
              .orElseThrow(
                  () ->
                      new StoreException(
                          Reason.UNKNOWN_SITE,
                          "site '%s' has no stream %d: open it anew".formatted(site, stream)));
      if (blocks.isEmpty()) {
        throw new StoreException(Reason.MALFORMED, "no rows at all");
      }
      Append append = Append.of(plan, blocks);
      queue.add(append);
      return append.applied();
    } catch (StoreException e) {
      applier.refused.increment();
      return CompletableFuture.failedFuture(e);
    }
  }

  /** See {@link io.sedge.center.store.Store#onRows}. */
  public void onRows(Runnable listener) {
    listeners.add(listener);
  }

  public StoreStatus status() {
    long bytes;
    try {
      bytes = database.read(database.dialect()::bytes);
    } catch (StoreException e) {
      bytes = 0;
    }
    return new StoreStatus(
        version,
        applier.available(),
        bytes,
        queue.appends(),
        queue.bytes(),
        applier.commits.sum(),
        applier.blocks.sum(),
        applier.rows.sum(),
        applier.repeated.sum(),
        applier.repairs.count(),
        applier.rejected.sum(),
        applier.refused.sum(),
        applier.lastFailure());
  }

  @Override
  public void close() {
    applier.close();
  }
}
