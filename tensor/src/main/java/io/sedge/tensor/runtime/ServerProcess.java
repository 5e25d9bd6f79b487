package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.ServerHealth.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;
import org.tensorflow.proto.ConfigProto;

/**
 * A task of a cluster as a process of its own, which can be ended, unlike a {@link Server}: one
 * task, one process. The process is a JVM with the class path of this one and a small heap; it ends
 * when this process ends, however that happens.
 *
 * <p>A process that served and ended by itself is started again as the {@link RestartPolicy} of the
 * options says, on the same port; what its variables held is gone. One that never served is not.
 *
 * <p>The process is given one thread more for operations than there are tasks that run steps: with
 * fewer, functions that span tasks can block each other for ever on a small machine.
 *
 * <p>Its port is open to every network interface and to everybody: see {@link
 * ServerProcessOptions#insecureNetwork} and {@link PrivateNetwork}.
 *
 * <p>For any number of threads; starts two of its own, virtual ones. What waits can be interrupted,
 * which is a {@link TensorFlowStatusException} with code CANCELLED, the thread being interrupted
 * still.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ServerProcess.class.getName());

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ServerProcessOptions options;
  private final BoundedLog log;
  private ServerTask task;
  private State state = State.STARTING;
  private @Nullable ServerChild child;
  private @Nullable String target;
  private @Nullable TensorFlowStatusException failure;
  private int restarts;
  private String lastEnd = "";

  private ServerProcess(ServerTask task, ServerProcessOptions options) {
    this.task = withThreads(task);
    this.options = options;
    this.log = new BoundedLog(options.log(), options.logBytes());
  }

  /** Starts a server with the default options. */
  public static ServerProcess start(ServerTask task) {
    return start(task, ServerProcessOptions.defaults());
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @throws IllegalArgumentException if the cluster has no such task, or reaches beyond this
   *     machine and the options do not allow it
   * @throws TensorFlowStatusException if it does not serve: with TensorFlow's code if that refuses
   *     (UNKNOWN: the port is taken), with DEADLINE_EXCEEDED if it takes too long, with INTERNAL if
   *     the process ends, with the end of its log
   * @throws UncheckedIOException if there can be no process, or no log file
   */
  public static ServerProcess start(ServerTask task, ServerProcessOptions options) {
    ServerProcess server = launch(task, options);
    try {
      server.awaitServing(options.startLimit().plusSeconds(1));
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  /** Starts a server as {@link #start} does, without waiting; {@link #awaitServing} waits. */
  public static ServerProcess launch(ServerTask task, ServerProcessOptions options) {
    task.address();
    task.checkPort();
    Exposure.check(task.cluster(), "The server " + task, options.insecureNetwork());
    ServerProcess server = new ServerProcess(task, options);
    try {
      server.log.open();
      ServerChild first = ServerChild.start(server.task, options, server.log);
      server.child = first;
      Thread.ofVirtual().name("supervisor of " + task).start(() -> server.supervise(first));
      return server;
    } catch (IOException e) {
      server.log.close();
      throw new UncheckedIOException("No process for " + task + ": " + e.getMessage(), e);
    }
  }

  private static ServerTask withThreads(ServerTask task) {
    ConfigProto config = task.config();
    ClusterSpec cluster = task.cluster();
    int stepping = 1;
    for (String job : cluster.jobs()) {
      stepping += job.equals("ps") ? 0 : cluster.numTasks(job);
    }
    int asked = config.getInterOpParallelismThreads();
    int usual = asked > 0 ? asked : Runtime.getRuntime().availableProcessors();
    return task.withConfig(
        config.toBuilder().setInterOpParallelismThreads(Math.max(usual, stepping)).build());
  }

  // The supervisor's thread.

  private void supervise(ServerChild first) {
    ServerChild current = first;
    int attempt = 0;
    try {
      while (true) {
        long servedNanos = serve(current);
        if (servedNanos > 0 && servedNanos >= options.restart().settled().toNanos()) {
          attempt = 0;
        }
        @Nullable ServerChild next = null;
        while (next == null) {
          if (!pause(attempt, current)) {
            return;
          }
          attempt++;
          next = startAgain();
        }
        current = next;
      }
    } catch (InterruptedException e) {
      // Nobody has this thread to interrupt it.
      throw new IllegalStateException(e);
    } finally {
      log.close();
    }
  }

  /** Waits until the process serves, then until it ends; for how long it served, 0 if never. */
  private long serve(ServerChild current) throws InterruptedException {
    boolean served = awaitTarget(current);
    if (!served) {
      current.kill();
    }
    long start = System.nanoTime();
    ended(current.awaitEnd());
    return served ? System.nanoTime() - start : 0;
  }

  private boolean awaitTarget(ServerChild current) throws InterruptedException {
    try {
      serving(current.target().get(options.startLimit().toMillis(), TimeUnit.MILLISECONDS));
      return true;
    } catch (TimeoutException e) {
      failing(
          new TensorFlowStatusException(
              StatusCode.DEADLINE_EXCEEDED,
              "The server "
                  + task
                  + " does not serve after "
                  + options.startLimit()
                  + "; its log ends: "
                  + log.end(),
              e));
    } catch (ExecutionException e) {
      failing(
          e.getCause() instanceof TensorFlowStatusException status
              ? status
              : new TensorFlowStatusException(StatusCode.INTERNAL, "Server " + task, e));
    }
    return false;
  }

  private void serving(String at) {
    lock.lock();
    try {
      if (state == State.STARTING) {
        if (target == null) {
          target = at;
          task = task.withPort(Peers.port(at));
        }
        failure = null;
        state = State.SERVING;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void failing(TensorFlowStatusException why) {
    lock.lock();
    try {
      failure = why;
    } finally {
      lock.unlock();
    }
  }

  private void ended(int exit) {
    lock.lock();
    try {
      lastEnd = "exit code " + exit + (exit > 128 ? " (signal " + (exit - 128) + ")" : "");
      if (failure == null && state != State.CLOSED) {
        failure =
            new TensorFlowStatusException(
                StatusCode.UNAVAILABLE,
                "The process of "
                    + task
                    + " ended with "
                    + lastEnd
                    + "; its log ends: "
                    + log.end());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is to be another attempt, after the pause before it. */
  private boolean pause(int attempt, ServerChild last) throws InterruptedException {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return false;
      }
      if (target == null || attempt >= options.restart().attempts()) {
        state = State.FAILED;
        changed.signalAll();
        LOG.log(
            Level.WARNING,
            "The process {0} of {1} ended ({2}) and stays so",
            Long.toString(last.process().pid()),
            task,
            lastEnd);
        return false;
      }
      state = State.PAUSING;
      changed.signalAll();
      long left = options.restart().pause(attempt).toNanos();
      LOG.log(
          Level.WARNING,
          "The process {0} of {1} ended ({2}); started again in {3} ms",
          Long.toString(last.process().pid()),
          task,
          lastEnd,
          left / 1_000_000);
      while (left > 0 && state == State.PAUSING) {
        left = changed.awaitNanos(left);
      }
      return state == State.PAUSING;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable ServerChild startAgain() {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return null;
      }
      ServerChild next = ServerChild.start(task, options, log);
      child = next;
      restarts++;
      state = State.STARTING;
      changed.signalAll();
      return next;
    } catch (IOException e) {
      failure =
          new TensorFlowStatusException(
              StatusCode.INTERNAL, "No process for " + task + ": " + e.getMessage(), e);
      return null;
    } finally {
      lock.unlock();
    }
  }

  // The callers' threads.

  /**
   * Waits until the server serves, also while it is started again.
   *
   * @throws TensorFlowStatusException if it does not in time (DEADLINE_EXCEEDED) or never will
   * @throws IllegalStateException if it was closed
   */
  public void awaitServing(Duration limit) {
    lock.lock();
    try {
      long left = limit.toNanos();
      while (state == State.STARTING || state == State.PAUSING) {
        if (left <= 0) {
          throw new TensorFlowStatusException(
              StatusCode.DEADLINE_EXCEEDED,
              "The server "
                  + task
                  + " does not serve after "
                  + limit
                  + "; its log ends: "
                  + log.end(),
              failure);
        }
        left = changed.awaitNanos(left);
      }
      checkServing();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TensorFlowStatusException(
          StatusCode.CANCELLED, "Interrupted while waiting for the server " + task, e);
    } finally {
      lock.unlock();
    }
  }

  private void checkServing() {
    if (state == State.CLOSED) {
      throw new IllegalStateException("The server " + task + " was closed");
    }
    if (state == State.FAILED && failure != null) {
      throw new TensorFlowStatusException(failure.code(), failure.description(), failure);
    }
  }

  /** Which task this is; once it serves, with the port that was bound. */
  public ServerTask task() {
    lock.lock();
    try {
      return task;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Where sessions reach the server, {@code grpc://host:port}: the same after each restart.
   *
   * @throws IllegalStateException if it has not served yet
   */
  public String target() {
    lock.lock();
    try {
      if (target == null) {
        throw new IllegalStateException(
            "The server " + task + " has not served yet; see awaitServing");
      }
      return target;
    } finally {
      lock.unlock();
    }
  }

  /** How the process is, as far as is known without asking it. */
  public ServerHealth health() {
    lock.lock();
    try {
      return new ServerHealth(state, child == null ? 0 : child.process().pid(), restarts, lastEnd);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks the server which devices it sees, and so whether it answers: a process can live and not
   * answer.
   *
   * @throws TensorFlowStatusException if it does not within the limit
   * @throws IllegalStateException if it has not served yet
   */
  public void checkAnswers(Duration limit) {
    ClusterSessionOptions one =
        ClusterSessionOptions.defaults()
            .withLimit(limit)
            .withConfig(ConfigProto.newBuilder().addDeviceFilters(task().toString()).build());
    try (Graph graph = new Graph();
        ClusterSession session = ClusterSession.open(target(), graph, one)) {
      session.devices();
    }
  }

  /** The number of the process; of the last one, if it has ended. */
  public long pid() {
    return health().pid();
  }

  /** Whether there is a process now. */
  public boolean isAlive() {
    lock.lock();
    try {
      return child != null && child.process().isAlive();
    } finally {
      lock.unlock();
    }
  }

  /** The last lines that the process wrote, at most {@value BoundedLog#MOST_LINES}. */
  public List<String> logTail() {
    return log.tail();
  }

  /** Ends the process as a crash would: nothing is told to it, and the restart policy applies. */
  public void kill() {
    lock.lock();
    try {
      if (child != null) {
        child.kill();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the process for good, and returns once it has ended, within seconds. Closing twice does
   * nothing.
   */
  @Override
  public void close() {
    @Nullable ServerChild last;
    lock.lock();
    try {
      state = State.CLOSED;
      changed.signalAll();
      last = child;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.end();
    }
  }

  @Override
  public String toString() {
    ServerHealth health = health();
    return "ServerProcess(" + task() + ", " + health.state() + ", process " + health.pid() + ")";
  }
}
