package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.DeviceName;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;
import org.tensorflow.ConcreteFunction;
import org.tensorflow.Tensor;
import org.tensorflow.internal.c_api.TFE_Context;
import org.tensorflow.internal.c_api.TFE_ContextOptions;
import org.tensorflow.internal.c_api.TFE_Executor;
import org.tensorflow.internal.c_api.TFE_TensorHandle;
import org.tensorflow.internal.c_api.TF_DeviceList;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.ServerDef;

/**
 * A place from which operations are executed at once, here or on the devices of a cluster: what
 * Python's eager mode is after {@code tf.config.experimental_connect_to_cluster}.
 *
 * <p>Connecting makes this process a task of the cluster, with a port that is bound until the
 * process ends and that is open to everybody, like a {@link Server}'s. One context at a time should
 * be connected in a process, and it should be connected seldom.
 *
 * <p>To connect to another cluster, or as another task, makes every tensor of this context stale;
 * to connect again to the same one, and {@link #update}, keep those whose task stays where it is.
 * Connecting waits for the calls under way.
 *
 * <p>Every call ends within its limit or when its thread is interrupted; what was asked may happen
 * all the same. For any number of threads, virtual ones too: the calls run on threads of the
 * context.
 *
 * <p>Long because all that touches the native context stays behind one lock, in one place.
 */
public final class ClusterContext implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ClusterContext.class.getName());
  private static final int KEEP_ALIVE_SECONDS = 600;

  /** Read to call, write to connect and to close. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  private final OpDefinitions definitions = OpDefinitions.ofLibrary();
  private final Map<String, FunctionDef> functions = new ConcurrentHashMap<>();
  private final ConfigProto config;
  private final Duration limit;
  private final TFE_Context handle;
  private final TFE_Executor executor;
  private final NativeCalls calls = new NativeCalls();

  /** From a task that left its address to the generation in which it did. */
  private final Map<String, Long> leftIn = new HashMap<>();

  private long generation;
  private long oldestGeneration;
  private @Nullable ConnectPlan connection;
  private @Nullable ConnectPlan firstConnection;
  private volatile @Nullable String defaultDevice;
  private boolean closed;

  /** Whether a native connect goes on, perhaps after it was given up. */
  private volatile boolean connecting;

  private ClusterContext(ConfigProto config, Duration limit, TFE_Context handle) {
    this.config = config;
    this.limit = limit;
    this.handle = handle;
    // A streaming executor hangs at the second call after a server was lost.
    this.executor = tensorflow.TFE_NewExecutor(false, false, 0);
  }

  /** A context that is not connected, with half a minute for each call. */
  public static ClusterContext create() {
    return create(ConfigProto.getDefaultInstance(), ClusterSessionOptions.DEFAULT_LIMIT);
  }

  /**
   * A context that is not connected.
   *
   * @param config TensorFlow's options, for this process and as the default of the cluster's tasks
   * @param limit how long a call may take
   */
  public static ClusterContext create(ConfigProto config, Duration limit) {
    ServerTask.checkFilters(config);
    ClusterSessionOptions.checkLimit(limit);
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TFE_ContextOptions options = TFE_ContextOptions.newContextOptions();
      BytePointer bytes = new BytePointer(config.toByteArray());
      tensorflow.TFE_ContextOptionsSetConfig(options, bytes, bytes.capacity(), status);
      Statuses.check(status, "options of a context");
      TFE_Context handle = tensorflow.TFE_NewContext(options, status);
      Statuses.check(status, "new context");
      return new ClusterContext(config, limit, handle);
    }
  }

  /** Connects with the default options. */
  public void connect(ClusterSpec cluster) {
    connect(cluster, ConnectOptions.defaults());
  }

  /**
   * Joins a cluster. If it is the one joined already, in the same role, the servers that were
   * started anew are found again, and tensors stay valid; otherwise all are stale.
   *
   * @throws IllegalArgumentException if this process's job is there without its task, for filters
   *     of tasks that are not there or other filters than the first, which TensorFlow would keep,
   *     and for addresses beyond this machine unless the options allow them
   * @throws TensorFlowStatusException if a task does not answer in time, which is named
   */
  public void connect(ClusterSpec cluster, ConnectOptions options) {
    connect(ConnectPlan.of(cluster, options), options.limit());
  }

  /**
   * Joins the cluster that a resolver finds, as {@link #connect(ClusterSpec, ConnectOptions)} does.
   * Does nothing if its master is this process: empty, or {@code local}. Otherwise operations
   * without a device run on the master from then on, if the options say so.
   *
   * @throws IllegalArgumentException also if the master is not in the cluster; nothing was done
   *     then
   */
  public void connect(ClusterResolver resolver, ConnectOptions options) {
    String master = resolver.master();
    if (master.isEmpty() || master.equals("local")) {
      return;
    }
    ConnectPlan plan = ConnectPlan.of(resolver.clusterSpec(), options);
    @Nullable String device = plan.taskAt(master);
    if (options.masterIsDefaultDevice() && device == null) {
      throw new IllegalArgumentException(
          "`make_master_device_default` is set to True but cannot find master "
              + master
              + " in the cluster: "
              + plan.cluster());
    }
    connect(plan, options.limit());
    if (options.masterIsDefaultDevice() && device != null) {
      defaultDevice = EagerCalls.complete(DeviceName.of(device)).toString();
    }
  }

  /**
   * Joins a cluster of one job, whose tasks are at these addresses.
   *
   * @param addresses {@code host:port}, with or without {@code grpc://}
   * @param remoteJob what their job is called; {@code worker} in TensorFlow unless said otherwise
   */
  public void connectToRemoteHost(
      List<String> addresses, String remoteJob, ConnectOptions options) {
    List<String> bare = new ArrayList<>();
    for (String address : addresses) {
      bare.add(address.startsWith("grpc://") ? address.substring("grpc://".length()) : address);
    }
    if (bare.isEmpty() || bare.contains("")) {
      throw new IllegalArgumentException("Must provide at least one remote_host; got " + addresses);
    }
    connect(ClusterSpec.builder().job(remoteJob, bare).build(), options);
  }

  private void connect(ConnectPlan wanted, Duration within) {
    wanted.awaitOthers(within);
    withWriteLock(
        within,
        () -> {
          checkFilters(wanted);
          @Nullable ConnectPlan now = connection;
          if (now != null && wanted.isSameAs(now)) {
            update(now, now, within);
          } else {
            set(wanted.withFilters(filtersOf(wanted)), now, within);
          }
        });
  }

  /** TensorFlow keeps the filters of the first connection, and says nothing. */
  private void checkFilters(ConnectPlan wanted) {
    if (firstConnection != null
        && wanted.filters() != null
        && !wanted.filters().equals(firstConnection.filters())) {
      throw new IllegalArgumentException(
          "Device filters cannot be changed once there was a connection. They were "
              + firstConnection.filters()
              + ", and are to be "
              + wanted.filters()
              + "; use another process");
    }
  }

  private io.sedge.tensor.@Nullable ClusterDeviceFilters filtersOf(ConnectPlan wanted) {
    return firstConnection == null ? wanted.filters() : firstConnection.filters();
  }

  private void set(ConnectPlan wanted, @Nullable ConnectPlan before, Duration within) {
    if (before != null && before.address().equals(wanted.address())) {
      throw new IllegalArgumentException(
          "This process is bound to "
              + wanted.address()
              + " and cannot be again for another cluster; use update, or leave job '"
              + wanted.job()
              + "' out of the cluster, so that it is given another port");
    }
    // Whatever comes of it, the connection before and its tensors are gone.
    generation++;
    oldestGeneration = generation;
    leftIn.clear();
    connection = null;
    defaultDevice = null;
    ServerDef definition = wanted.toServerDef(config);
    call(
        "connecting to " + wanted.cluster(),
        within,
        status -> {
          BytePointer bytes = new BytePointer(definition.toByteArray());
          tensorflow.TFE_ContextSetServerDefWithTimeout(
              handle,
              KEEP_ALIVE_SECONDS,
              bytes,
              bytes.capacity(),
              within.toMillis(),
              status,
              false);
        });
    connection = wanted;
    if (firstConnection == null) {
      firstConnection = wanted;
    }
  }

  /**
   * Tells the connection that tasks joined, left, moved or were started anew. Tensors of tasks that
   * left or moved are stale from then on; the others stay valid.
   *
   * <p>TensorFlow tells tasks that joined of the functions that were registered before, and does
   * not wait for them: one that is called there at once may be NOT_FOUND for a moment.
   *
   * @param cluster all the tasks; this process's may be left out
   * @throws IllegalStateException if there is no connection
   */
  public void update(ClusterSpec cluster, Duration within) {
    ClusterSessionOptions.checkLimit(within);
    planWith(cluster).awaitOthers(within);
    withWriteLock(
        within,
        () -> {
          ConnectPlan now = connected();
          update(now, now.withCluster(cluster), within);
        });
  }

  private void update(ConnectPlan now, ConnectPlan wanted, Duration within) {
    generation++;
    now.tasksNotIn(wanted).forEach(task -> leftIn.put(task, generation));
    ServerDef definition = wanted.toServerDef(config);
    call(
        "updating to " + wanted.cluster(),
        within,
        status -> {
          BytePointer bytes = new BytePointer(definition.toByteArray());
          tensorflow.TFE_ContextUpdateServerDefWithTimeout(
              handle, KEEP_ALIVE_SECONDS, bytes, bytes.capacity(), within.toMillis(), status);
        });
    connection = wanted;
  }

  private ConnectPlan planWith(ClusterSpec cluster) {
    lock.readLock().lock();
    try {
      return connected().withCluster(cluster);
    } finally {
      lock.readLock().unlock();
    }
  }

  private ConnectPlan connected() {
    if (connection == null) {
      throw new IllegalStateException("Context is not initialized: it is not connected");
    }
    return connection;
  }

  /** The cluster, with this process in it; empty without a connection. */
  public ClusterSpec cluster() {
    lock.readLock().lock();
    try {
      return connection == null ? ClusterSpec.empty() : connection.cluster();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The device on which operations without one are executed; empty for this process's. */
  public String defaultDevice() {
    @Nullable String device = defaultDevice;
    return device == null ? "" : device;
  }

  /** The devices that operations can be executed on, this process's first. */
  public List<DeviceName> devices() {
    return read(
        "listing devices",
        limit,
        () -> {
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            TF_DeviceList list = tensorflow.TFE_ContextListDevices(handle, status);
            Statuses.check(status, "list of devices");
            try {
              return ClusterSession.names(list, status);
            } finally {
              tensorflow.TF_DeleteDeviceList(list);
            }
          }
        },
        ClusterContext::nothing);
  }

  /**
   * Whether a task answers.
   *
   * @throws IllegalStateException if there is no connection
   * @throws TensorFlowStatusException with code INVALID_ARGUMENT if there is no such task
   */
  public boolean isAlive(String job, int task) {
    String name = "/job:" + job + "/replica:0/task:" + task;
    return read(
        "asking " + name,
        limit,
        () -> {
          connected();
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            boolean alive = tensorflow.TFE_ContextCheckAlive(handle, name, status);
            Statuses.check(status, "asking " + name);
            return alive;
          }
        },
        ClusterContext::nothing);
  }

  /** Makes a function known, and those that it calls, which come first. */
  public void register(ConcreteFunction function) {
    register(function.getFunctionDef());
  }

  /** Makes a function known. One that is known already is left as it is. */
  public void register(FunctionDef function) {
    if (functions.putIfAbsent(function.getSignature().getName(), function) != null) {
      return;
    }
    this.<Void>read(
        "registering " + function.getSignature().getName(),
        limit,
        () -> {
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            BytePointer bytes = new BytePointer(function.toByteArray());
            tensorflow.TFE_ContextAddFunctionDef(handle, bytes, bytes.capacity(), status);
            Statuses.check(status, "registering " + function.getSignature().getName());
          }
          return null;
        },
        ClusterContext::nothing);
  }

  /**
   * An operation to be executed.
   *
   * @param name of one of TensorFlow's, or of a function that was registered
   * @throws IllegalArgumentException if there is neither
   */
  public RemoteOperation operation(String name) {
    @Nullable FunctionDef function = functions.get(name);
    @Nullable OpDef definition = definitions.find(name);
    if (function == null && definition == null) {
      throw new IllegalArgumentException(
          "'" + name + "' is neither an operation of TensorFlow nor a function of this context");
    }
    return new RemoteOperation(this, name, function == null ? definition : null, function);
  }

  /** A tensor of this process as one of the context. They share memory, which must not change. */
  public RemoteTensor tensor(Tensor tensor) {
    return read(
        "taking a tensor",
        limit,
        () -> {
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            TFE_TensorHandle taken =
                tensorflow.TFE_NewTensorHandle(TensorFlowInternals.handle(tensor), status);
            Statuses.check(status, "taking a tensor");
            return remote(taken);
          }
        },
        ClusterContext::nothing);
  }

  List<RemoteTensor> execute(RemoteOperation operation) {
    Cancellation cancellation = new Cancellation();
    @Nullable Duration own = operation.limit();
    return read(
        "executing " + operation.name(),
        own == null ? limit : own,
        () -> {
          try {
            checkInputs(operation);
            return execute(operation, cancellation);
          } finally {
            cancellation.end();
          }
        },
        cancellation::cancel);
  }

  private List<RemoteTensor> execute(RemoteOperation operation, Cancellation cancellation) {
    @Nullable String device = operation.device();
    List<TFE_TensorHandle> handles =
        EagerCalls.execute(
            handle, operation, device == null ? defaultDevice : device, cancellation.begin());
    if (cancellation.isCancelled()) {
      // Nobody waits for them any more.
      handles.forEach(tensorflow::TFE_DeleteTensorHandle);
      throw new TensorFlowStatusException(StatusCode.CANCELLED, operation.name());
    }
    return handles.stream().map(this::remote).toList();
  }

  private void checkInputs(RemoteOperation operation) {
    for (RemoteOperation.Input input : operation.inputs()) {
      switch (input) {
        case RemoteOperation.Input.One one -> check(one.tensor());
        case RemoteOperation.Input.Many many -> many.tensors().forEach(this::check);
      }
    }
  }

  private RemoteTensor remote(TFE_TensorHandle tensor) {
    return new RemoteTensor(
        this,
        tensor,
        generation,
        renamed(EagerCalls.device(tensor)),
        DataType.forNumber(tensorflow.TFE_TensorHandleDataType(tensor)));
  }

  /**
   * A tensor that was never on a device is said to be on localhost, whatever that is called now.
   */
  private DeviceName renamed(DeviceName device) {
    return connection == null
            || !"localhost".equals(device.job())
            || connection.cluster().hasJob("localhost")
        ? device
        : new DeviceName(connection.job(), 0, connection.index(), device.type(), device.id());
  }

  Tensor resolve(RemoteTensor tensor) {
    return read(
        "fetching from " + tensor.device(),
        limit,
        () -> {
          check(tensor);
          if (tensor.dataType() == DataType.DT_RESOURCE) {
            throw new IllegalStateException(tensor + " is a handle, which has no value");
          }
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            TF_Tensor value = tensorflow.TFE_TensorHandleResolve(tensor.handle(), status);
            Statuses.check(status, "fetching from " + tensor.device());
            return TensorFlowInternals.tensor(value.withDeallocator());
          }
        },
        ClusterContext::nothing);
  }

  RemoteTensor copy(RemoteTensor tensor, String device) {
    String name = EagerCalls.complete(DeviceName.of(device)).toString();
    return read(
        "copying to " + name,
        limit,
        () -> {
          check(tensor);
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            TFE_TensorHandle copy =
                tensorflow.TFE_TensorHandleCopyToDevice(tensor.handle(), handle, name, status);
            Statuses.check(status, "copying to " + name);
            return remote(copy);
          }
        },
        ClusterContext::nothing);
  }

  void free(RemoteTensor tensor) {
    lock.readLock().lock();
    try {
      @Nullable TFE_TensorHandle taken = tensor.take();
      if (taken != null && !closed) {
        tensorflow.TFE_DeleteTensorHandle(taken);
      }
    } finally {
      lock.readLock().unlock();
    }
  }

  /** What TensorFlow would not survive. */
  private void check(RemoteTensor tensor) {
    if (tensor.context() != this) {
      throw new IllegalArgumentException(tensor + " is of another context");
    }
    if (tensor.generation() < oldestGeneration) {
      throw new StaleTensorException(
          tensor
              + " is of connection "
              + tensor.generation()
              + "; all before "
              + oldestGeneration
              + " are gone");
    }
    DeviceName device = tensor.device();
    @Nullable Long left = leftIn.get("/job:" + device.job() + "/task:" + device.task());
    if (left != null && tensor.generation() < left) {
      throw new StaleTensorException(
          tensor + " was on a task that has left the cluster, or moved within it");
    }
  }

  // Locks and threads.

  private interface NativeCall {
    void run(TF_Status status);
  }

  private void call(String what, Duration within, NativeCall call) {
    connecting = true;
    this.<Void>run(
        what,
        within.plusSeconds(1),
        () -> {
          try (PointerScope _ = new PointerScope()) {
            TF_Status status = TF_Status.newStatus();
            call.run(status);
            Statuses.check(status, what);
          } finally {
            connecting = false;
          }
          return null;
        },
        ClusterContext::nothing);
  }

  private void checkUsable() {
    if (closed) {
      throw new IllegalStateException("The context was closed");
    }
    if (connecting) {
      throw new TensorFlowStatusException(
          StatusCode.UNAVAILABLE, "A connection that was given up is still being made");
    }
  }

  /** How a call is cancelled that cannot be. */
  private static void nothing() {}

  private <R> R run(String what, Duration within, Callable<R> call, Runnable cancel) {
    return calls.call(what, within, call, cancel);
  }

  /** Calls with the read lock held for as long as the call takes, given up or not. */
  private <R> R read(String what, Duration within, Callable<R> call, Runnable cancel) {
    return run(
        what,
        within,
        () -> {
          lock.readLock().lock();
          try {
            checkUsable();
            tensorflow.TFE_ContextSetExecutorForThread(handle, executor);
            return call.call();
          } finally {
            lock.readLock().unlock();
          }
        },
        cancel);
  }

  private void withWriteLock(Duration within, Runnable change) {
    Lock write = lock.writeLock();
    try {
      if (!write.tryLock(within.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TensorFlowStatusException(
            StatusCode.DEADLINE_EXCEEDED,
            "Calls of the connection before are still under way after " + within);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TensorFlowStatusException(
          StatusCode.CANCELLED, "Interrupted while waiting to connect", e);
    }
    try {
      checkUsable();
      change.run();
    } finally {
      write.unlock();
    }
  }

  /**
   * Ends the context. The port of its connection stays bound until the process ends. A call that
   * does not end keeps what is native from being freed, which is logged. Closing twice does
   * nothing.
   */
  @Override
  public void close() {
    Lock write = lock.writeLock();
    boolean quiet = false;
    try {
      quiet = write.tryLock(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!quiet) {
      LOG.log(Level.WARNING, "Calls of the context are under way; it is not freed");
      calls.close();
      return;
    }
    try {
      if (!closed && !connecting) {
        tensorflow.TFE_DeleteContext(handle);
      }
      closed = true;
      calls.close();
    } finally {
      write.unlock();
    }
  }
}
