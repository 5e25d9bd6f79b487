package io.sedge.center.internal.api;

import io.helidon.webserver.CloseConnectionException;
import io.sedge.center.store.StoreException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does requests on platform threads. SQLite's library holds the thread that it runs on: as many
 * queries as there are processors would stop all virtual threads of the center, those of sites too.
 * Any thread.
 */
final class PlatformWork implements AutoCloseable {
  /** How many requests are done at once. */
  static final int MAX_REQUESTS = 64;

  private static final long IDLE_SECONDS = 60;

  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          MAX_REQUESTS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("sedge-api-", 0).factory());

  /** A request. */
  @FunctionalInterface
  interface Work {
    void run() throws ApiException, StoreException;
  }

  /**
   * Does it and waits; whoever is interrupted meanwhile interrupts it.
   *
   * @throws ApiException BUSY if too many are under way
   */
  void run(Work work) throws ApiException, StoreException {
    Future<?> done;
    try {
      done =
          threads.submit(
              () -> {
                work.run();
                return null;
              });
    } catch (RejectedExecutionException e) {
      throw new ApiException(
          ApiException.Reason.BUSY, "the center answers as many as it can: come again", e);
    }
    try {
      done.get();
    } catch (InterruptedException e) {
      done.cancel(true);
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the center stops", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case ApiException refused -> throw refused;
        case StoreException refused -> throw refused;
        case RuntimeException fault -> throw fault;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    }
  }

  @Override
  public void close() {
    var _ = threads.shutdownNow();
  }
}
