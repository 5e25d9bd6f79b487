package io.sedge.tensor.training.cluster;

import io.sedge.tensor.runtime.ClusterSession;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker as the coordinator sees it. States: away (nobody listens at its address), idle, at work.
 *
 * <p>Its functions run on a platform thread: a virtual one would hold a carrier for as long as the
 * native call lasts. A second, virtual thread looks, while a function takes longer than a moment,
 * whether the server still listens. If not, the function is given to others, the thread is left to
 * its native call, which ends by its limit, and a new one waits for the worker's return.
 */
final class Worker {
  private static final long REMINDER_NS = 30_000_000_000L;

  /** What all workers share. */
  record Shared(
      ClosureQueue<Closure<?>> queue,
      ParameterServers parameterServers,
      Sessions sessions,
      CoordinatorOptions options,
      ClusterListener listener,
      Counts counts,
      Supplier<List<Integer>> tasks) {}

  private final int index;
  private final String address;
  private final Shared shared;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread watcher;
  private volatile @Nullable Runner runner;
  private volatile boolean away = true;
  private volatile boolean leaving;
  private volatile long remindedNs;
  private volatile long awaySinceNs;

  Worker(int index, Shared shared) {
    this.index = index;
    this.shared = shared;
    this.address = shared.sessions().address(ParameterServerStrategy.WORKER, index);
    this.watcher = Thread.ofVirtual().name("sedge-watch-worker-" + index).unstarted(this::watch);
  }

  void start() {
    startRunner();
    watcher.start();
  }

  boolean isAway() {
    return away;
  }

  private void startRunner() {
    Runner next = new Runner();
    runner = next;
    next.thread.start();
  }

  /** Makes what runs end soon: it fails, and its session is not used again. */
  void cancelRunning() {
    Runner now = runner;
    if (now != null) {
      now.cancel();
    }
  }

  void close() {
    closed.countDown();
    Runner now = runner;
    if (now != null) {
      now.cancel();
    }
  }

  /** It is of the cluster no more: what it runs is its last. */
  void leave() {
    leaving = true;
    say("is no more of the cluster");
  }

  boolean isAwayFor(Duration limit) {
    return away && awaySinceNs != 0 && System.nanoTime() - awaySinceNs > limit.toNanos();
  }

  String address() {
    return address;
  }

  /** Whether its threads have ended. */
  boolean isEnded() {
    Runner now = runner;
    return watcher.getState() == Thread.State.TERMINATED
        && (now == null || now.thread.getState() == Thread.State.TERMINATED);
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Returns early when the worker is closed. */
  private void pause() {
    try {
      closed.await(shared.options().probeInterval().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Was meant for a function that has ended.
    }
  }

  private void watch() {
    Attempt before = null;
    while (!isClosed()) {
      pause();
      Runner now = runner;
      Attempt attempt = now == null ? null : now.current;
      if (leaving && attempt == null) {
        return;
      }
      if (now != null && attempt != null && attempt == before && Probe.isDead(address)) {
        giveUp(now, attempt);
      }
      before = attempt;
    }
  }

  private void giveUp(Runner lost, Attempt attempt) {
    if (attempt.end()) {
      lost.isLost = true;
      shared.counts().workerFailure();
      shared.counts().runAgain();
      left("is lost; its function is given to others");
      putBack(attempt.closure);
      startRunner();
    }
  }

  private void putBack(Closure<?> closure) {
    if (closure.isTagged()) {
      shared.queue().putBack(closure, index);
    } else {
      shared.queue().putBack(closure);
    }
  }

  /** For people: what it does now. */
  String state() {
    Runner now = runner;
    Attempt attempt = now == null ? null : now.current;
    String what =
        attempt != null
            ? "runs a function for %d s".formatted(seconds(attempt.beganNs))
            : away ? "is away for %d s".formatted(seconds(awaySinceNs)) : "waits for a function";
    return "worker " + index + " at " + address + " " + what;
  }

  private static long seconds(long sinceNs) {
    return sinceNs == 0 ? 0 : (System.nanoTime() - sinceNs) / 1_000_000_000;
  }

  private void left(String how) {
    if (!away) {
      away = true;
      remindedNs = System.nanoTime();
      awaySinceNs = remindedNs;
      say(how);
    }
  }

  /** Says now and then that a worker is still away. For the thread of the runner. */
  private void remind() {
    long now = System.nanoTime();
    if (remindedNs == 0) {
      remindedNs = now;
      awaySinceNs = now;
      say("does not answer yet");
    } else if (now - remindedNs > REMINDER_NS) {
      remindedNs = now;
      say("has not answered for " + (now - awaySinceNs) / 1_000_000_000 + " s");
    }
  }

  private void say(String what) {
    shared.listener().happened("worker " + index + " at " + address + " " + what);
  }

  /** A function being run: ended once, by who runs it or by who gives it up. */
  private static final class Attempt {
    private final Closure<?> closure;
    private final long beganNs = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();

    Attempt(Closure<?> closure) {
      this.closure = closure;
    }

    boolean end() {
      return ended.compareAndSet(false, true);
    }
  }

  /** A thread and its session. */
  private final class Runner implements Runnable {
    private final Thread thread =
        Thread.ofPlatform().daemon().name("sedge-worker-" + index).unstarted(this);
    private @Nullable ClusterSession session;
    private int generation;
    private volatile @Nullable Attempt current;
    private volatile boolean isLost;
    private volatile boolean isCancelled;

    @Override
    public void run() {
      try {
        while (!isClosed() && !isLost && !leaving) {
          ClusterSession open = connected();
          if (open != null) {
            next(open);
          }
        }
        drop();
      } catch (Throwable e) {
        // Nobody would run anything here any more, without a word.
        shared.queue().fail(e);
      }
    }

    /** The session; null if the worker does not answer or the session has to be made anew. */
    private @Nullable ClusterSession connected() {
      boolean stale = generation != shared.parameterServers().generation() || isCancelled;
      if (stale) {
        drop();
      }
      ClusterSession open = session;
      if (open != null) {
        return open;
      }
      if (!Probe.answers(address)) {
        left("does not answer");
        remind();
        pause();
        return null;
      }
      isCancelled = false;
      generation = shared.parameterServers().generation();
      try {
        open = shared.sessions().onWorker(index);
        session = open;
        shared.counts().connected();
        if (away) {
          away = false;
          remindedNs = 0;
          say("is here");
        }
        return open;
      } catch (TensorFlowStatusException e) {
        pause();
        return null;
      }
    }

    private void next(ClusterSession open) {
      Closure<?> closure;
      try {
        closure = shared.queue().get(index, shared.options().probeInterval().toNanos());
      } catch (InterruptedException e) {
        return;
      }
      if (closure == null) {
        return;
      }
      if (leaving && closure.isTagged()) {
        closure.cancelled();
      } else if (leaving) {
        putBack(closure); // It was waiting for one when it was told.
      } else {
        run(closure, open);
      }
    }

    private <T> void run(Closure<T> closure, ClusterSession open) {
      Attempt attempt = new Attempt(closure);
      current = attempt;
      try {
        T value = closure.call(context(closure, open));
        if (attempt.end()) {
          shared.counts().executed(System.nanoTime() - attempt.beganNs);
          closure.value().complete(value);
          if (!closure.isTagged()) {
            shared.queue().markFinished();
          }
        }
      } catch (Throwable e) {
        if (attempt.end()) {
          failed(closure, e);
        }
      } finally {
        current = null;
        // An interrupt was meant for the function.
        boolean ignored = Thread.interrupted();
      }
    }

    private WorkerContext context(Closure<?> closure, ClusterSession open) {
      List<Integer> tasks = shared.tasks().get();
      if (closure.arguments().isEmpty()) {
        return new WorkerContext(index, tasks, open, List.of());
      }
      WorkerContext bare = new WorkerContext(index, tasks, open, List.of());
      List<Object> own =
          closure.arguments().stream()
              .map(
                  argument ->
                      argument instanceof PerWorkerValues<?> each ? each.of(bare) : argument)
              .toList();
      return new WorkerContext(index, tasks, open, own);
    }

    private void failed(Closure<?> closure, Throwable error) {
      if (shared.queue().isCancelling()) {
        closure.cancelled();
        if (!closure.isTagged()) {
          shared.queue().markFinished();
        }
        return;
      }
      if (!Suspicion.isRaisedBy(error)) {
        fail(closure, error);
        return;
      }
      drop();
      try {
        boolean lost = shared.parameterServers().verify();
        boolean gone = Probe.isDead(address);
        if (gone) {
          shared.counts().workerFailure();
          left("is lost; its function is given to others");
        } else if (!lost && closure.countFailure() >= shared.options().attempts()) {
          fail(closure, error);
          return;
        }
        shared.counts().runAgain();
        putBack(closure);
      } catch (RuntimeException e) {
        fail(closure, e);
      }
    }

    private void fail(Closure<?> closure, Throwable error) {
      closure.fail(error);
      if (!closure.isTagged()) {
        shared.queue().markFailed(error);
      }
    }

    /** For any thread. */
    void cancel() {
      if (current != null) {
        isCancelled = true;
        ClusterSession open = session;
        if (open != null) {
          ParameterServers.closeSoon(open);
        }
        thread.interrupt();
      }
    }

    private void drop() {
      ClusterSession open = session;
      session = null;
      if (open != null) {
        ParameterServers.closeSoon(open);
      }
    }
  }
}
