package io.sedge.replication.internal;

import io.sedge.replication.internal.Reports.Why;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerStreamTracer;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalNettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.channel.ServerChannel;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.NotSslRecordException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandshakeTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Watches the port of the ledger: says who is refused there and why, which Ratis tells nobody, and
 * bounds the connections that have not shown yet who they are.
 *
 * <p>But for that bound it only looks on: whom to refuse is decided by TLS, as without it. The
 * channel that listens hands each connection to {@link Arrivals}, which waits for the outcome of
 * its handshake; Netty ends one that takes longer than 10 s. Calls that gRPC itself ends come after
 * the handshake, and are seen by {@link Messages}. Whoever leaves before the handshake is done was
 * not refused, and nothing is said of it. Of those who leave later it tells that one has. Any
 * thread.
 */
final class PortWatch implements GrpcServices.Customizer {
  /** Of connections whose handshake is not done, all addresses together. */
  private static final int MAX_UNKNOWN = 256;

  /** All that gRPC offers, in TLS's list of protocols. */
  private static final String HTTP_2 = "h2";

  /** Part of what the JDK says, which has no type for it. */
  private static final String NO_CERTIFICATE = "Empty client certificate chain";

  /** The same, of the alerts by which the other side says that it does not take a certificate. */
  private static final Pattern NOT_TAKEN =
      Pattern.compile("Received fatal alert: (unknown_ca|\\w*certificate\\w*)");

  private final Reports reports;

  /** Whose handshake is not done, with their addresses, the oldest first; guarded by itself. */
  private final Map<Channel, String> unknown = new LinkedHashMap<>();

  private volatile Runnable ended = () -> {};

  PortWatch(Reports reports) {
    this.reports = reports;
  }

  /**
   * @param action when a connection has ended of somebody who belongs here; in the thread of other
   *     connections, so it must return at once
   */
  void onEnd(Runnable action) {
    ended = action;
  }

  /**
   * A channel may be chosen together with the event loops that suit it only: these are NIO's, also
   * where gRPC by itself would take epoll's.
   */
  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    InternalNettyServerBuilder.useNioTransport(builder);
    return builder.channelFactory(this::listening).addStreamTracerFactory(new Messages());
  }

  private ServerChannel listening() {
    ServerChannel channel = new NioServerSocketChannel();
    channel.pipeline().addLast(new Arrivals());
    return channel;
  }

  /** Is handed the connections, before gRPC is. */
  private final class Arrivals extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      ((Channel) message).pipeline().addLast(new Arrival());
      super.channelRead(context, message);
    }
  }

  /** Finds the connection's TLS, which gRPC adds when the connection becomes active. */
  private final class Arrival extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      super.channelActive(context);
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (tls == null) {
        taken(context.channel());
      } else {
        await(context.channel(), tls);
      }
      context.pipeline().remove(this);
    }
  }

  private void await(Channel connection, SslHandler tls) {
    String from = host(connection.remoteAddress());
    begin(connection, from);
    var _ =
        tls.handshakeFuture()
            .addListener(
                handshake -> {
                  end(connection);
                  if (handshake.cause() != null) {
                    refused(from, handshake.cause());
                  } else if (!HTTP_2.equals(tls.applicationProtocol())) {
                    reports.refused(from, Why.HANDSHAKE, "it does not speak HTTP/2");
                  } else {
                    taken(connection);
                  }
                });
  }

  private void taken(Channel connection) {
    var _ = connection.closeFuture().addListener(_ -> ended.run());
  }

  /**
   * Where there are too many, the oldest of the address that has most of them has to go, not the
   * newest: so neither silent ones nor whoever connects all the time can keep the site's own
   * devices out, even where those are slow.
   */
  private void begin(Channel connection, String from) {
    Map.Entry<String, List<Channel>> crowd = null;
    synchronized (unknown) {
      unknown.put(connection, from);
      if (unknown.size() > MAX_UNKNOWN) {
        crowd = crowd();
        unknown.remove(crowd.getValue().getFirst());
      }
    }
    if (crowd != null) {
      reports.refused(
          crowd.getKey(),
          Why.CROWD,
          "more than %d connections at once had not shown a certificate".formatted(MAX_UNKNOWN));
      var _ = crowd.getValue().getFirst().close();
    }
  }

  /** The address that has most of the unknown connections, and those, the oldest first. */
  private Map.Entry<String, List<Channel>> crowd() {
    Map<String, List<Channel>> byAddress = new LinkedHashMap<>();
    unknown.forEach(
        (connection, from) ->
            byAddress.computeIfAbsent(from, _ -> new ArrayList<>()).add(connection));
    return Collections.max(
        byAddress.entrySet(), Comparator.comparingInt(each -> each.getValue().size()));
  }

  private void end(Channel connection) {
    synchronized (unknown) {
      unknown.remove(connection);
    }
  }

  private void refused(String from, Throwable cause) {
    switch (cause) {
      case ClosedChannelException _ -> {
        // It left, or was said when it was closed here.
      }
      case SslHandshakeTimeoutException _ ->
          reports.refused(from, Why.LATE, "its TLS handshake was not done in time");
      case NotSslRecordException _ -> reports.refused(from, Why.NO_TLS, "it does not speak TLS");
      default -> badHandshake(from, cause);
    }
  }

  /** The innermost reason says most: an untrusted certificate is wrapped several times. */
  private void badHandshake(String from, Throwable thrown) {
    Throwable cause = thrown;
    boolean certificate = cause instanceof CertificateException;
    while (cause.getCause() != null) {
      cause = cause.getCause();
      certificate |= cause instanceof CertificateException;
    }
    String why = String.valueOf(cause.getMessage());
    Matcher notTaken = NOT_TAKEN.matcher(why);
    if (why.contains(NO_CERTIFICATE)) {
      reports.refused(from, Why.NO_CERTIFICATE, "it showed no certificate");
    } else if (notTaken.find()) {
      reports.refused(
          from,
          Why.OWN_CERTIFICATE,
          "it does not take this device's certificate: " + notTaken.group(1));
    } else if (cause instanceof CertPathBuilderException) {
      reports.refused(from, Why.STRANGER, "its certificate is not of this site");
    } else if (certificate) {
      reports.refused(from, Why.CERTIFICATE, "its certificate is not taken: " + why);
    } else {
      reports.refused(from, Why.HANDSHAKE, "its TLS handshake failed: " + why);
    }
  }

  private static String host(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress().getHostAddress()
        : "somebody";
  }

  /** One for each call: gRPC ends it for a message that is too large, and for too many pings. */
  private final class Messages extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      return new OfCall();
    }

    private final class OfCall extends ServerStreamTracer {
      private volatile String from = "somebody";

      @Override
      public void serverCallStarted(ServerCallInfo<?, ?> call) {
        from = host(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
      }

      @Override
      public void streamClosed(Status status) {
        if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
          reports.refused(from, Why.CALL, "its call was ended: " + status.getDescription());
        }
      }
    }
  }
}
