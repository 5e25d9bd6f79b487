package io.sedge.tensor.runtime;

import io.sedge.tensor.DeviceName;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.tensorflow.Graph;
import org.tensorflow.GraphOperation;
import org.tensorflow.Session;
import org.tensorflow.internal.c_api.TF_DeviceList;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_SessionOptions;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.ConfigProto;

/**
 * A session that runs a graph on a server of a cluster: what {@code tf.compat.v1.Session(target)}
 * is in Python, and what {@link Session} cannot be, since it has no target.
 *
 * <p>Every call ends: with its result, or within the limit of the options with a {@link
 * TensorFlowStatusException} that keeps TensorFlow's code. What exceeds its limit may still have
 * its effect. Closing cancels the steps that run; they fail with CANCELLED or ABORTED. A thread
 * that waits for a step cannot be interrupted; close the session instead.
 *
 * <p>For any number of threads. The graph may grow while the session is open, and cannot be closed
 * before it.
 */
public final class ClusterSession implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ClusterSession.class.getName());

  private static final Duration AGAIN = Duration.ofMillis(100);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition();
  private final String target;
  private final Graph graph;

  /** Keeps the graph from being freed as long as TensorFlow's session is there. */
  private final AutoCloseable graphReference;

  private final ClusterSessionOptions options;
  private final TF_Session handle;
  private final Session session;
  private int running;
  private boolean closed;

  private ClusterSession(
      String target,
      Graph graph,
      AutoCloseable graphReference,
      ClusterSessionOptions options,
      TF_Session handle) {
    this.target = target;
    this.graph = graph;
    this.graphReference = graphReference;
    this.options = options;
    this.handle = handle;
    this.session = TensorFlowInternals.newSession(graph, handle);
  }

  /** Opens a session with the default options. */
  public static ClusterSession open(String target, Graph graph) {
    return open(target, graph, ClusterSessionOptions.defaults());
  }

  /**
   * Opens a session. Waits until the server accepts connections; whether it and those it works with
   * answer shows at the first step.
   *
   * @param target {@code grpc://host:port} of any server of the cluster
   * @throws IllegalArgumentException if the target is none
   * @throws IllegalStateException if the graph was closed
   * @throws TensorFlowStatusException with code UNAVAILABLE if nobody listens there in time
   */
  public static ClusterSession open(String target, Graph graph, ClusterSessionOptions options) {
    Peers.await(Peers.address(target), "the target of a session", options.limit());
    AutoCloseable reference;
    try {
      reference = TensorFlowInternals.reference(graph);
    } catch (IllegalStateException e) {
      throw new IllegalStateException("A session was asked for on a graph that was closed", e);
    }
    try {
      TF_Session handle = newHandle(target, TensorFlowInternals.handle(graph), options);
      return new ClusterSession(target, graph, reference, options, handle);
    } catch (RuntimeException | Error e) {
      TensorFlowInternals.release(reference);
      throw e;
    }
  }

  private static TF_Session newHandle(
      String target, TF_Graph graph, ClusterSessionOptions options) {
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_Session handle =
          tensorflow.TF_NewSession(graph, nativeOptions(target, options, status), status);
      Statuses.check(status, "new session on " + target);
      return handle;
    }
  }

  private static TF_SessionOptions nativeOptions(
      String target, ClusterSessionOptions options, TF_Status status) {
    TF_SessionOptions native_ = TF_SessionOptions.newSessionOptions();
    tensorflow.TF_SetTarget(native_, target);
    ConfigProto.Builder config =
        options.config().toBuilder().setOperationTimeoutInMs(options.limit().toMillis());
    // Called directly, a server of this process would heed no limit.
    config.getRpcOptionsBuilder().setUseRpcForInprocessMaster(true);
    BytePointer bytes = new BytePointer(config.build().toByteArray());
    tensorflow.TF_SetConfig(native_, bytes, bytes.capacity(), status);
    Statuses.check(status, "options of a session");
    return native_;
  }

  /**
   * Clears what a server and the tasks of its cluster hold in containers: variables, queues and the
   * like. Sessions that are open there fail from then on with ABORTED, whatever they use.
   *
   * @param containers the containers; all there are if none is given
   * @throws TensorFlowStatusException if the server does not answer within the limit
   */
  public static void reset(String target, Duration limit, String... containers) {
    ClusterSessionOptions.checkLimit(limit);
    Peers.await(Peers.address(target), "the target of a reset", limit);
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_SessionOptions native_ =
          nativeOptions(target, ClusterSessionOptions.defaults().withLimit(limit), status);
      PointerPointer<BytePointer> names = new PointerPointer<>(Math.max(1, containers.length));
      for (int i = 0; i < containers.length; i++) {
        names.put(i, new BytePointer(containers[i]));
      }
      tensorflow.TF_Reset(native_, names, containers.length, status);
      Statuses.check(status, "reset of " + target);
    }
  }

  /** Where the session runs its graph: {@code grpc://host:port}. */
  public String target() {
    return target;
  }

  /** The graph. */
  public Graph graph() {
    return graph;
  }

  /** The options with which it was opened. */
  public ClusterSessionOptions options() {
    return options;
  }

  /**
   * The same session as TensorFlow's class, for what only that does: saving, functions. Its errors
   * have no code. Belongs to this session and must not be closed on its own.
   */
  public Session session() {
    return session;
  }

  /** A step to be described and run. For one thread; for one run, or for several equal ones. */
  public ClusterStep step() {
    return new ClusterStep(this);
  }

  /** Runs an operation of this name and waits for it. */
  public void run(String operation) {
    step().target(operation).run().close();
  }

  /**
   * Runs all the graph's initializers, whether they were run before or not; does nothing if there
   * are none.
   */
  public void initialize() {
    ClusterStep step = step();
    Iterator<GraphOperation> operations = graph.operations();
    while (operations.hasNext()) {
      GraphOperation operation = operations.next();
      if (graph.isInitializer(operation)) {
        step.target(operation);
      }
    }
    if (!step.isEmpty()) {
      step.run().close();
    }
  }

  /**
   * The devices of the cluster that the server lets the session see.
   *
   * @throws TensorFlowStatusException if the server does not say
   */
  public List<DeviceName> devices() {
    return withHandle(
        session -> {
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            TF_DeviceList list = tensorflow.TF_SessionListDevices(session, status);
            check(status);
            try {
              return names(list, status);
            } finally {
              tensorflow.TF_DeleteDeviceList(list);
            }
          }
        });
  }

  static List<DeviceName> names(TF_DeviceList list, TF_Status status) {
    List<DeviceName> names = new ArrayList<>();
    int count = tensorflow.TF_DeviceListCount(list);
    for (int i = 0; i < count; i++) {
      BytePointer name = tensorflow.TF_DeviceListName(list, i, status);
      Statuses.check(status, "name of a device");
      names.add(DeviceName.of(name.getString()));
    }
    return List.copyOf(names);
  }

  /** Throws what the status says; of a server that does not answer, with the tasks that do not. */
  void check(TF_Status status) {
    StatusCode code = Statuses.code(status);
    if (code == StatusCode.OK) {
      return;
    }
    boolean silence = code == StatusCode.DEADLINE_EXCEEDED || code == StatusCode.UNAVAILABLE;
    List<String> silent = silence ? Peers.silent(options.cluster()) : List.of();
    Statuses.check(
        status,
        "session on "
            + target
            + (code == StatusCode.DEADLINE_EXCEEDED ? ", limit " + options.limit() : "")
            + (silent.isEmpty() ? "" : "; nobody answers as " + String.join(", ", silent)));
  }

  /** Calls with the native session, which is not freed before the call returns. */
  <R> R withHandle(Function<TF_Session, R> call) {
    enter();
    try {
      return call.apply(handle);
    } finally {
      leave();
    }
  }

  /** How many calls are under way. */
  int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  private void enter() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("The session on " + target + " was closed");
      }
      running++;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    lock.lock();
    try {
      running--;
      quiet.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Cancels the steps that run, waits until they have failed, and frees the session. Closing twice
   * does nothing. Never throws for a server that is gone. A step that does not come back within
   * twice the limit keeps the native session from being freed, which is logged.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      lock.unlock();
    }
    cancel();
    long start = System.nanoTime();
    long most = options.limit().multipliedBy(2).toNanos();
    boolean isQuiet = awaitQuiet(AGAIN);
    while (!isQuiet && System.nanoTime() - start < most) {
      // A step that was only beginning when the session was closed has made a new one.
      cancel();
      isQuiet = awaitQuiet(AGAIN);
    }
    if (isQuiet) {
      delete();
    } else {
      LOG.log(
          Level.WARNING,
          "A step of the session on {0} did not end; the session is not freed",
          target);
    }
  }

  /** Tells the server, unless nobody is there to be told, which TensorFlow would try for long. */
  private void cancel() {
    if (Peers.connect(Peers.address(target), Duration.ofSeconds(1)) != null) {
      return;
    }
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      tensorflow.TF_CloseSession(handle, status);
      if (Statuses.code(status) != StatusCode.OK) {
        LOG.log(
            Level.DEBUG,
            "The server of the session on {0} was not told that it ends: {1}",
            target,
            Statuses.message(status));
      }
    }
  }

  private void delete() {
    session.close();
    try (PointerScope _ = new PointerScope()) {
      tensorflow.TF_DeleteSession(handle, TF_Status.newStatus());
    }
    TensorFlowInternals.release(graphReference);
  }

  private boolean awaitQuiet(Duration limit) {
    boolean interrupted = false;
    lock.lock();
    try {
      long left = limit.toNanos();
      while (running > 0 && left > 0) {
        try {
          left = quiet.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return running == 0;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public String toString() {
    return "ClusterSession(" + target + ")";
  }
}
