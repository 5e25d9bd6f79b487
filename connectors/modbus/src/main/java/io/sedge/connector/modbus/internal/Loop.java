package io.sedge.connector.modbus.internal;

import com.digitalpetri.modbus.TimeoutScheduler;
import com.digitalpetri.modbus.client.ModbusClient;
import com.digitalpetri.modbus.client.ModbusClientConfig;
import com.digitalpetri.modbus.client.ModbusClientTransport;
import com.digitalpetri.modbus.client.ModbusRtuClient;
import com.digitalpetri.modbus.client.ModbusRtuClientTransport;
import com.digitalpetri.modbus.client.ModbusTcpClient;
import com.digitalpetri.modbus.tcp.client.NettyClientTransportConfig;
import com.digitalpetri.modbus.tcp.client.NettyRtuClientTransport;
import com.digitalpetri.modbus.tcp.client.NettyTcpClientTransport;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a table: it makes connections, waits for answers and runs what is handed to it. It
 * wakes for what comes and for what is due, and for nothing else. What a task throws on it, {@link
 * #failure} tells.
 *
 * <p>The library's clients use this thread for all that they would do on threads of their own.
 */
final class Loop implements AutoCloseable {
  private static final long END_MILLIS = 5_000;

  private final NioEventLoopGroup group;
  private final EventLoop thread;
  private final LinkSettings settings;
  private final Runnable onFailure;
  private volatile @Nullable Throwable failure;

  /**
   * @param onFailure run in the thread when there is a failure
   */
  Loop(String table, LinkSettings settings, Runnable onFailure) {
    this.group =
        new NioEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("sedge-modbus-" + table).factory());
    this.thread = group.next();
    this.settings = settings;
    this.onFailure = onFailure;
  }

  /** What has gone wrong in the thread that nobody has foreseen; null as a rule. */
  @Nullable Throwable failure() {
    return failure;
  }

  private void fail(Throwable thrown) {
    failure = thrown;
    onFailure.run();
  }

  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable e) {
        fail(e);
      }
    };
  }

  /** Runs a task in the thread, soon; not if the loop has been closed. */
  void execute(Runnable task) {
    try {
      thread.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      // Closed meanwhile: nobody waits for it any more.
      return;
    }
  }

  /** Runs a task in the thread after a while. */
  void schedule(Runnable task, long delayNanos) {
    var _ = thread.schedule(guarded(task), delayNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Connects; called in the thread, and answers there. A host's address is looked up on a thread of
   * its own, since that may take long.
   *
   * @param onLost run when the connection, once made, is no more
   * @param consumer gets the link, or else why there is none
   */
  void connect(Endpoint endpoint, Runnable onLost, BiConsumer<@Nullable Link, String> consumer) {
    switch (endpoint) {
      case Endpoint.Serial serial -> {
        ModbusRtuClientTransport transport;
        try {
          transport = SerialTransport.of(serial, thread);
        } catch (IOException e) {
          execute(() -> consumer.accept(null, Link.message(e)));
          return;
        }
        rtu(transport, consumer);
      }
      case Endpoint.Tcp tcp ->
          Thread.ofVirtual()
              .name("sedge-modbus-resolve")
              .start(() -> resolve(tcp, onLost, consumer));
    }
  }

  private void resolve(
      Endpoint.Tcp tcp, Runnable onLost, BiConsumer<@Nullable Link, String> consumer) {
    try {
      String address = InetAddress.getByName(tcp.host()).getHostAddress();
      execute(() -> connect(tcp, address, onLost, consumer));
    } catch (UnknownHostException e) {
      execute(
          () ->
              consumer.accept(
                  null,
                  "the host's name is unknown: look at 'url', and at the name server of this"
                      + " machine"));
    } catch (Exception e) {
      execute(() -> consumer.accept(null, "the host's name cannot be looked up: %s".formatted(e)));
    } catch (Error e) {
      execute(() -> fail(e));
    }
  }

  private void connect(
      Endpoint.Tcp tcp,
      String address,
      Runnable onLost,
      BiConsumer<@Nullable Link, String> consumer) {
    NettyTcpClientTransport.ConnectionListener listener =
        new NettyTcpClientTransport.ConnectionListener() {
          @Override
          public void onConnection() {
            // Whoever connects is told by another way.
          }

          @Override
          public void onConnectionLost() {
            guarded(onLost).run();
          }
        };
    Consumer<NettyClientTransportConfig.Builder> configuration =
        config -> configure(config, address, tcp.port());
    if (tcp.rtu()) {
      NettyRtuClientTransport transport = NettyRtuClientTransport.create(configuration);
      transport.addConnectionListener(listener);
      rtu(transport, consumer);
    } else {
      NettyTcpClientTransport transport = NettyTcpClientTransport.create(configuration);
      transport.addConnectionListener(listener);
      LastUnit remembering = new LastUnit(transport);
      ModbusClient client = new ModbusTcpClient(clientConfiguration(), remembering);
      connect(transport, new Link(client, () -> -1, remembering::unit, this::fail), consumer);
    }
  }

  /**
   * One attempt, after which nothing connects by itself, and no signs of life. What is not sent
   * when a connection is closed must not be sent later: it may be a command that a newer one has
   * overtaken. So closing is a reset, which the kernel sends at once in place of what waits.
   */
  private void configure(NettyClientTransportConfig.Builder config, String address, int port) {
    config
        .setHostname(address)
        .setPort(port)
        .setConnectTimeout(settings.connectTimeout())
        .setBootstrapCustomizer(bootstrap -> bootstrap.option(ChannelOption.SO_LINGER, 0))
        .setConnectPersistent(false)
        .setReconnectLazy(true)
        .setEventLoopGroup(thread)
        .setExecutor(thread)
        .setChannelFsmCustomizer(
            machine ->
                machine
                    .setPersistent(false)
                    .setLazy(true)
                    .setMaxIdleSeconds(0)
                    .setScheduler(thread));
  }

  private void rtu(
      ModbusRtuClientTransport transport, BiConsumer<@Nullable Link, String> consumer) {
    LastFrame remembering = new LastFrame(transport);
    ModbusClient client = new ModbusRtuClient(clientConfiguration(), remembering);
    connect(
        transport, new Link(client, remembering::exceptionCode, () -> -1, this::fail), consumer);
  }

  private ModbusClientConfig clientConfiguration() {
    return ModbusClientConfig.create(
        config ->
            config
                .setRequestTimeout(settings.requestTimeout())
                .setTimeoutScheduler(TimeoutScheduler.create(thread, thread)));
  }

  private void connect(
      ModbusClientTransport<?> transport, Link link, BiConsumer<@Nullable Link, String> consumer) {
    var _ =
        transport
            .connect()
            .whenComplete(
                (done, thrown) ->
                    execute(
                        () -> {
                          if (thrown == null) {
                            consumer.accept(link, "");
                          } else {
                            consumer.accept(null, reason(thrown));
                          }
                        }));
  }

  private static String reason(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return Link.message(cause);
  }

  /** Ends the thread and closes its sockets; waits a little for that. May be called again. */
  @Override
  public void close() {
    var _ =
        group
            .shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS)
            .awaitUninterruptibly(END_MILLIS);
  }
}
