package io.sedge.center.internal.api;

import io.helidon.webserver.CloseConnectionException;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.server.PlatformWork;
import io.sedge.center.store.StoreException;
import java.util.concurrent.RejectedExecutionException;

/** Where what asks the database is done: {@value #MAX_REQUESTS} at once. Any thread. */
final class ApiThreads implements AutoCloseable {
  /** How many requests are done at once. */
  static final int MAX_REQUESTS = 64;

  private final PlatformWork threads = new PlatformWork("sedge-api", MAX_REQUESTS, 0);

  /**
   * Does it and waits.
   *
   * @throws ApiException BUSY
   */
  <T> T ask(PlatformWork.Work<T, ApiException, StoreException> work)
      throws ApiException, StoreException {
    try {
      return threads.call(work);
    } catch (RejectedExecutionException e) {
      throw new ApiException(Reason.BUSY, "the center answers as many as it can: come again", e);
    } catch (InterruptedException e) {
      throw stopping(e);
    }
  }

  /** What ends an answer that nobody waits for any more. */
  static CloseConnectionException stopping(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CloseConnectionException("the center stops", e);
  }

  @Override
  public void close() {
    threads.close();
  }
}
