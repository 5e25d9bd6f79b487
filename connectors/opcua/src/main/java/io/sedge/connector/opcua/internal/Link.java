package io.sedge.connector.opcua.internal;

import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.eclipse.milo.opcua.sdk.client.DiscoveryClient;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.sdk.client.OpcUaClientConfig;
import org.eclipse.milo.opcua.sdk.client.OpcUaSession;
import org.eclipse.milo.opcua.sdk.client.SessionActivityListener;
import org.eclipse.milo.opcua.sdk.client.UaSession;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.channel.EncodingLimits;
import org.eclipse.milo.opcua.stack.core.types.UaRequestMessageType;
import org.eclipse.milo.opcua.stack.core.types.UaResponseMessageType;
import org.eclipse.milo.opcua.stack.core.types.structured.CloseSessionRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.EndpointDescription;
import org.eclipse.milo.opcua.stack.core.types.structured.RequestHeader;
import org.eclipse.milo.opcua.stack.transport.client.tcp.OpcTcpClientTransport;
import org.eclipse.milo.opcua.stack.transport.client.tcp.OpcTcpClientTransportConfig;
import org.eclipse.milo.opcua.stack.transport.client.tcp.OpcTcpClientTransportConfigBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A session at a server. Whoever uses it closes it when it fails and cannot be regained, and makes
 * another. Its threads end with it. One thread calls it; all calls wait, for bounded times.
 */
final class Link implements AutoCloseable {
  /** For so long a server keeps a session, and what hangs on it, after a connection was lost. */
  static final int SESSION_MS = 60_000;

  private static final Duration CLOSING = Duration.ofSeconds(2);

  /** A message has at most 16 MB, in chunks of 64 KB. */
  private static final EncodingLimits LIMITS =
      new EncodingLimits(
          EncodingLimits.DEFAULT_MAX_CHUNK_SIZE,
          256,
          16 << 20,
          EncodingLimits.DEFAULT_MAX_RECURSION_DEPTH);

  private final LinkSettings settings;
  private final NioEventLoopGroup group;
  private final ExecutorService executor;
  private final HashedWheelTimer timer;
  private final Outages outages = new Outages();
  private @Nullable OpcTcpClientTransport transport;
  private @Nullable OpcUaClient client;
  private @Nullable OpcUaSession session;

  private Link(String table, LinkSettings settings) {
    this.settings = settings;
    String name = "sedge-opcua-" + table;
    this.group = new NioEventLoopGroup(1, new DefaultThreadFactory(name + "-io", true));
    // What Milo still has to do after the end is of no use.
    this.executor =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DefaultThreadFactory(name + "-call", true),
            new ThreadPoolExecutor.DiscardPolicy());
    this.timer =
        new HashedWheelTimer(
            new DefaultThreadFactory(name + "-timer", true), 100, TimeUnit.MILLISECONDS);
  }

  /**
   * Connects and logs in.
   *
   * @throws Exception if that fails: {@link Failures#text} says why
   */
  static Link open(String table, LinkSettings settings, Greeting greeting) throws Exception {
    Link link = new Link(table, settings);
    try {
      link.connect(greeting);
      return link;
    } catch (Exception | Error e) {
      link.close();
      throw e;
    }
  }

  private void connect(Greeting greeting) throws Exception {
    EndpointDescription endpoint = greeting.choose(endpoints());
    OpcTcpClientTransportConfigBuilder builder = OpcTcpClientTransportConfig.newBuilder();
    customize(builder);
    OpcTcpClientTransport made = new OpcTcpClientTransport(builder.build());
    transport = made;
    long answer = settings.requestTimeout().toMillis();
    OpcUaClientConfig config =
        greeting
            .introduce(OpcUaClientConfig.builder(), endpoint)
            .setEndpoint(endpoint)
            .setSessionTimeout(uint(SESSION_MS))
            .setRequestTimeout(uint(answer))
            .setEncodingLimits(LIMITS)
            .setKeepAliveInterval(uint(Math.clamp(answer / 2, 100, 5_000)))
            .setKeepAliveTimeout(uint(answer))
            .setKeepAliveFailuresAllowed(uint(0))
            .build();
    OpcUaClient connected = new OpcUaClient(config, made);
    client = connected;
    connected.addSessionActivityListener(outages);
    var _ = await(connected.connectAsync(), settings.connectTimeout());
    session = await(connected.getSessionAsync(), settings.requestTimeout());
  }

  /** The endpoints that a server says it has. */
  private List<EndpointDescription> endpoints() throws Exception {
    return await(
        DiscoveryClient.getEndpoints(settings.url(), this::customize), settings.connectTimeout());
  }

  private void customize(OpcTcpClientTransportConfigBuilder builder) {
    builder
        .setConnectTimeout(uint(settings.connectTimeout().toMillis()))
        .setAcknowledgeTimeout(uint(settings.connectTimeout().toMillis()))
        .setEventLoop(group)
        .setScheduledExecutor(group)
        .setExecutor(executor)
        .setWheelTimer(timer);
  }

  OpcUaClient client() {
    if (client == null) {
      throw new IllegalStateException("not connected");
    }
    return client;
  }

  /**
   * Waits until the session that was lost is active again, which Milo sees to.
   *
   * @return whether it is, and is still the same with all that hangs on it
   */
  boolean regain(Duration patience) throws Exception {
    OpcUaSession before = Objects.requireNonNull(session);
    if (!outages.awaitEnd(patience)) {
      return false;
    }
    OpcUaSession now = await(client().getSessionAsync(), settings.requestTimeout());
    session = now;
    return now.getSessionId().equals(before.getSessionId());
  }

  /** Tells when a session that was lost is active again. Any thread. */
  private static final class Outages implements SessionActivityListener {
    private int begun;
    private int ended;
    private int seen;

    @Override
    public synchronized void onSessionInactive(UaSession lost) {
      begun++;
    }

    @Override
    public synchronized void onSessionActive(UaSession regained) {
      ended = begun;
      notifyAll();
    }

    /** Waits for the end of an outage whose end nobody has waited for. */
    synchronized boolean awaitEnd(Duration patience) throws InterruptedException {
      long deadline = System.nanoTime() + patience.toNanos();
      while (ended == seen) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      seen = ended;
      return true;
    }
  }

  /** Asks and waits. */
  <T> T request(Function<RequestHeader, UaRequestMessageType> request, Class<T> answer)
      throws Exception {
    return answer.cast(
        await(send(request, settings.requestTimeout()), settings.requestTimeout().plusSeconds(1)));
  }

  /**
   * The results of a request, which has as many as it asked for.
   *
   * @throws UaException if the server has answered with more or fewer
   */
  static <T> List<T> all(T @Nullable [] results, int wanted) throws UaException {
    int count = results == null ? 0 : results.length;
    if (results == null || count != wanted) {
      throw new UaException(
          StatusCodes.Bad_UnknownResponse,
          "the server has answered %d operations with %d results".formatted(wanted, count));
    }
    return List.of(results);
  }

  /** Asks; the answer may take that long. */
  CompletableFuture<UaResponseMessageType> send(
      Function<RequestHeader, UaRequestMessageType> request, Duration patience) {
    if (session == null) {
      throw new IllegalStateException("not connected");
    }
    RequestHeader header =
        client().newRequestHeader(session.getAuthenticationToken(), uint(patience.toMillis()));
    return client().sendRequestAsync(request.apply(header));
  }

  static <T> T await(CompletableFuture<T> future, Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends the session; the server keeps the subscription for whoever comes next. */
  void abandon() {
    try {
      var _ = await(send(header -> new CloseSessionRequest(header, false), CLOSING), CLOSING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // There is no way to the server.
    }
    session = null;
    close();
  }

  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      if (client != null && session != null) {
        var _ = await(client.disconnectAsync(), CLOSING);
      } else if (transport != null) {
        var _ = await(transport.disconnect(), CLOSING);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (ExecutionException | TimeoutException e) {
      // The server will find out by itself.
    }
    var _ = timer.stop();
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    executor.shutdown();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
