package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterSpec;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Server;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.ServerDef;

/**
 * A server of TensorFlow in this process: {@code tf.distribute.Server}, with {@link
 * org.tensorflow.Server}'s ways to abort or block the process closed off.
 *
 * <p>TensorFlow cannot end a server. Its port stays bound, and its threads run, until the process
 * ends; closing frees nothing and only lets {@link #join} return. Where a server must end, use a
 * {@link ServerProcess}.
 *
 * <p>A server accepts connections from every network interface, whatever host its address names,
 * and lets whoever connects run anything: see the page {@code docs/tensor.md} under security.
 *
 * <p>For any number of threads.
 */
public final class Server implements AutoCloseable {
  private enum State {
    BOUND,
    STARTED,
    CLOSED
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ServerTask task;
  private final TF_Server handle;
  private final String target;
  private State state = State.BOUND;

  private Server(ServerTask task, TF_Server handle) {
    this.task = task;
    this.handle = handle;
    this.target = tensorflow.TF_ServerTarget(handle).getString();
  }

  /**
   * Makes a server and binds its port; nobody is served before {@link #start}.
   *
   * @throws IllegalArgumentException for port 0 in a job of several tasks, whose servers could not
   *     find each other
   * @throws TensorFlowStatusException if TensorFlow refuses: INTERNAL for a task that the cluster
   *     does not have, NOT_FOUND for an unknown protocol, UNKNOWN for a port that is taken
   */
  public static Server bind(ServerTask task) {
    task.checkPort();
    ServerDef definition = task.toServerDef();
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      BytePointer bytes = new BytePointer(definition.toByteArray());
      @Nullable TF_Server handle = tensorflow.TF_NewServer(bytes, bytes.capacity(), status);
      Statuses.check(status, "server " + task + whyNot(task, Statuses.code(status)));
      if (handle == null || handle.isNull()) {
        throw new TensorFlowStatusException(StatusCode.INTERNAL, "No server for " + task);
      }
      return new Server(task, handle);
    }
  }

  /** What TensorFlow does not say: it calls a port that is taken unknown. */
  private static String whyNot(ServerTask task, StatusCode code) {
    if (code != StatusCode.UNKNOWN) {
      return "";
    }
    String address = task.address();
    return Ports.isTaken(Peers.port(address))
        ? ": port " + Peers.port(address) + " of " + address + " is taken"
        : "";
  }

  /** Makes a server and starts it. */
  public static Server start(ServerTask task) {
    Server server = bind(task);
    server.start();
    return server;
  }

  /**
   * Makes and starts a server on its own: job {@code localhost}, task 0, on a port that the
   * operating system chooses.
   */
  public static Server createLocal() {
    return createLocal(ConfigProto.getDefaultInstance(), true);
  }

  /** As {@link #createLocal()}, with options for its sessions; started or only bound. */
  public static Server createLocal(ConfigProto config, boolean started) {
    ClusterSpec alone = ClusterSpec.builder().job("localhost", "localhost:0").build();
    ServerTask task = ServerTask.of(alone).withConfig(config);
    return started ? start(task) : bind(task);
  }

  /** Which task this is. */
  public ServerTask task() {
    return task;
  }

  /**
   * Where sessions reach the server: {@code grpc://host:port}, with the host of its address and the
   * port that was bound. Known before it is started.
   */
  public String target() {
    return target;
  }

  /**
   * Starts to serve. Does nothing if that was done before.
   *
   * @throws IllegalStateException if the server was closed
   * @throws TensorFlowStatusException if TensorFlow refuses
   */
  public void start() {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        throw new IllegalStateException("The server " + task + " at " + target + " was closed");
      }
      if (state == State.BOUND) {
        startNative();
        state = State.STARTED;
      }
    } finally {
      lock.unlock();
    }
  }

  private void startNative() {
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      tensorflow.TF_ServerStart(handle, status);
      Statuses.check(status, "start of server " + task);
    }
  }

  /**
   * Waits until the server is closed. TensorFlow's own join would wait for ever, and would block
   * everybody who then starts or stops the server.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void join() throws InterruptedException {
    end.await();
  }

  /**
   * Lets {@link #join} return. The native server goes on until the process ends, bound or started:
   * TensorFlow has no shutdown for one that was started, and aborts the process when it frees one
   * that was not. Closing twice does nothing.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      state = State.CLOSED;
    } finally {
      lock.unlock();
    }
    end.countDown();
  }

  @Override
  public String toString() {
    return "Server(" + task + ", " + target + ")";
  }
}
