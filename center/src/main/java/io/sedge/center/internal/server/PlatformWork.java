package io.sedge.center.internal.server;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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

  /** What is done, and what it may throw. */
  @FunctionalInterface
  public interface Work<T, X extends Exception, Y extends Exception> {
    T done() throws X, Y;
  }

  /**
   * Does it and waits; whoever is interrupted meanwhile interrupts it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too much is under way
   */
  public <T, X extends Exception, Y extends Exception> T call(Work<T, X, Y> work)
      throws X, Y, InterruptedException {
    Future<T> done = threads.submit(work::done);
    try {
      return done.get();
    } catch (InterruptedException e) {
      done.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw thrown(work, e.getCause());
    }
  }

  /** What a work has thrown is what it says that it throws, or is not checked. */
  @SuppressWarnings("unchecked")
  private static <X extends Exception> X thrown(Work<?, X, ?> work, @Nullable Throwable thrown) {
    if (thrown instanceof Exception exception) {
      return (X) exception;
    }
    throw new IllegalStateException("a fault in " + work, thrown);
  }

  @Override
  public void close() {
    var _ = threads.shutdownNow();
  }
}
