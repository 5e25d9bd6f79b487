package io.sedge.center.internal.server;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does what asks the database on platform threads. SQLite's library holds the thread that it runs
 * on: as many queries as there are processors would stop all virtual threads of the center. Any
 * thread.
 */
public final class PlatformWork implements AutoCloseable {
  private static final long IDLE_SECONDS = 60;

  private final ExecutorService threads;

  /**
   * Threads that end when they are not used.
   *
   * @param most how much is done at once
   * @param waiting how much more may wait
   */
  public PlatformWork(String name, int most, int waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            waiting == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(waiting),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    this.threads = pool;
  }

  /**
   * Does it and waits; whoever is interrupted meanwhile interrupts it.
   *
   * @throws ExecutionException with what it has thrown
   * @throws java.util.concurrent.RejectedExecutionException if too much is under way
   */
  public <T> T call(Callable<T> work) throws ExecutionException, InterruptedException {
    Future<T> done = threads.submit(work);
    try {
      return done.get();
    } catch (InterruptedException e) {
      done.cancel(true);
      throw e;
    }
  }

  @Override
  public void close() {
    var _ = threads.shutdownNow();
  }
}
