package io.sedge.tensor.training.cluster;

import io.sedge.tensor.runtime.ClusterSession;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parameter servers of a training: one session that reads and writes what is on them, and what
 * to do when one dies. States: well, or being recovered (under the lock). A recovery waits until
 * all listen again, gives all variables their values back, and counts a new generation: sessions of
 * earlier ones know servers that are no more.
 */
final class ParameterServers implements AutoCloseable {
  /** Gives the variables of all parameter servers values again. Returns what it did, for a log. */
  interface Restorer {
    String restore(GraphRunner parameterServers);
  }

  private static final int RESTORE_ATTEMPTS = 5;

  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicInteger generations = new AtomicInteger();
  private final ParameterServerStrategy strategy;
  private final Sessions sessions;
  private final CoordinatorOptions options;
  private final ClusterListener listener;
  private @Nullable ClusterSession session;
  private @Nullable VariableValues values;
  private @Nullable Restorer restorer;
  private volatile @Nullable RuntimeException failure;

  ParameterServers(
      ParameterServerStrategy strategy,
      Sessions sessions,
      CoordinatorOptions options,
      ClusterListener listener) {
    this.strategy = strategy;
    this.sessions = sessions;
    this.options = options;
    this.listener = listener;
  }

  /** Waits until all listen. */
  void awaitStart() {
    awaitListening(options.startLimit());
  }

  /** From now on these variables are looked after. */
  void protect(VariableValues newValues, Restorer newRestorer) {
    lock.lock();
    try {
      values = newValues;
      restorer = newRestorer;
    } finally {
      lock.unlock();
    }
  }

  /** How many times the servers were recovered. */
  int generation() {
    return generations.get();
  }

  /**
   * Runs something on the servers; again, if one was lost meanwhile, once it was recovered.
   *
   * @throws ClusterLostException if a lost one does not come back
   */
  <R> R run(Function<GraphRunner, R> work) {
    for (int attempt = 1; attempt < options.attempts(); attempt++) {
      Optional<R> result = runOnce(work);
      if (result.isPresent()) {
        return result.get();
      }
    }
    lock.lock();
    try {
      return watched(work);
    } finally {
      lock.unlock();
    }
  }

  /** Runs something once; empty if servers were lost, and are restored, or did not answer. */
  <R> Optional<R> runOnce(Function<GraphRunner, R> work) {
    lock.lock();
    try {
      return Optional.of(watched(work));
    } catch (TensorFlowStatusException | IllegalStateException e) {
      if (e instanceof TensorFlowStatusException && !Suspicion.isRaisedBy(e)) {
        throw e;
      }
      reopen();
      verify();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Looks whether all servers listen and all variables have values; recovers them if not. Waits
   * while another thread does.
   *
   * @return whether something was lost
   * @throws ClusterLostException if a lost one does not come back
   */
  boolean verify() {
    lock.lock();
    try {
      List<Integer> silent = silent();
      RuntimeException known = failure;
      if (known != null && !silent.isEmpty()) {
        throw known; // It was waited for already.
      }
      failure = null;
      if (silent.isEmpty() && arePresent()) {
        return false;
      }
      recover(silent);
      return true;
    } catch (ClusterLostException e) {
      // An interrupt says nothing of the servers.
      failure = Thread.currentThread().isInterrupted() ? null : e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private boolean arePresent() {
    VariableValues looked = values;
    if (looked == null) {
      return true;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
      try {
        return watched(looked::arePresent);
      } catch (TensorFlowStatusException | IllegalStateException e) {
        reopen();
      }
    }
    return false;
  }

  private void recover(List<Integer> silent) {
    listener.happened(
        silent.isEmpty()
            ? "a parameter server was started anew; its variables are gone"
            : "parameter server " + names(silent) + " does not answer; waiting until it is back");
    TensorFlowStatusException last = null;
    for (int attempt = 0; attempt < RESTORE_ATTEMPTS; attempt++) {
      awaitListening(options.returnLimit());
      reopen();
      Restorer known = restorer;
      try {
        if (known != null) {
          String how = watched(known::restore);
          listener.happened("parameter servers are back: " + how);
        }
        generations.incrementAndGet();
        return;
      } catch (TensorFlowStatusException e) {
        last = e;
        pause();
      }
    }
    String why = last == null ? "no attempt" : String.valueOf(last.getMessage());
    throw new ClusterLostException("the variables could not be restored: " + why);
  }

  private List<Integer> silent() {
    return strategy.cluster().taskIndices(ParameterServerStrategy.PS).stream()
        .filter(task -> Probe.isDead(sessions.address(ParameterServerStrategy.PS, task)))
        .toList();
  }

  private String names(List<Integer> tasks) {
    return String.join(
        ", ",
        tasks.stream()
            .map(task -> task + " at " + sessions.address(ParameterServerStrategy.PS, task))
            .toList());
  }

  private void awaitListening(Duration limit) {
    long start = System.nanoTime();
    List<Integer> silent = silent();
    while (!silent.isEmpty()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new ClusterLostException(
            "parameter server %s does not answer; tried for %d s. Start it, or check its address"
                .formatted(names(silent), limit.toSeconds()));
      }
      pause();
      silent = silent();
    }
  }

  private void pause() {
    try {
      if (closed.await(options.probeInterval().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ClusterLostException("the coordinator was closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterLostException("interrupted while waiting for parameter servers");
    }
  }

  /**
   * Runs on a thread of its own, since a call to a server that has died hangs until its limit;
   * gives up at once when that is seen.
   */
  private <R> R watched(Function<GraphRunner, R> work) {
    ClusterSession used = session();
    FutureTask<R> task = new FutureTask<>(() -> work.apply(GraphRunner.on(used)));
    Thread.ofPlatform().daemon().name("sedge-parameter-servers").start(task);
    while (true) {
      try {
        return task.get(options.probeInterval().toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (!silent().isEmpty()) {
          throw new TensorFlowStatusException(
              io.sedge.tensor.runtime.StatusCode.UNAVAILABLE, "a parameter server is gone", e);
        }
      } catch (ExecutionException e) {
        throw RemoteValue.rethrown(cause(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterLostException("interrupted while parameter servers work");
      }
    }
  }

  private static Throwable cause(ExecutionException error) {
    Throwable cause = error.getCause();
    return cause == null ? error : cause;
  }

  private ClusterSession session() {
    ClusterSession open = session;
    if (open == null) {
      open = sessions.onParameterServers();
      session = open;
    }
    return open;
  }

  private void reopen() {
    ClusterSession old = session;
    session = null;
    if (old != null) {
      closeSoon(old);
    }
  }

  /** Closing waits for what still runs on the session, which may be long where a server died. */
  static void closeSoon(ClusterSession session) {
    Thread.ofPlatform().daemon().name("sedge-closing").start(session::close);
  }

  @Override
  public void close() {
    closed.countDown();
    lock.lock();
    try {
      reopen();
    } finally {
      lock.unlock();
    }
  }
}
