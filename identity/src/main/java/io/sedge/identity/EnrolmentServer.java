package io.sedge.identity;

import io.sedge.connector.Causes;
import io.sedge.identity.message.Frames;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/**
 * Where newcomers and members ask a device ({@link EnrolmentDesk}). TLS 1.3. One request a
 * connection. Bounds: {@value #MAX_CONNECTIONS} connections at once, {@link #PATIENCE} until the
 * request is there, {@link EnrolmentRequest#answerPatience} until its answer is taken, {@link
 * EnrolmentRequest#MAX_BYTES} of a newcomer's request, {@link EnrolmentRequest#MAX_MEMBER_BYTES} of
 * a member's, {@link EnrolmentRequest#maxAnswerBytes} of its answer, and {@link Rates} for those
 * who are refused.
 */
final class EnrolmentServer implements AutoCloseable {
  static final int MAX_CONNECTIONS = 32;
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int BACKLOG = 64;

  private final EnrolmentDesk desk;
  private final RefusalLog refusals;
  private final Rates rates;
  private final SSLContext context;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService deadlines;
  private volatile boolean closed;

  private EnrolmentServer(
      DeviceOptions options,
      DeviceIdentity identity,
      EnrolmentDesk desk,
      LongSupplier nanoClock,
      JobListener listener)
      throws IOException, GeneralSecurityException {
    this.desk = desk;
    this.refusals = new RefusalLog(listener, nanoClock);
    this.rates = new Rates(nanoClock);
    this.context = TlsContexts.of(identity.keyManager(), identity.trust().forEnrolment());
    this.server = new ServerSocket();
    bind(options);
    this.deadlines =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sedge-enrolment-deadlines").factory());
  }

  private void bind(DeviceOptions options) throws IOException {
    try {
      server.setReuseAddress(true);
      server.bind(
          new InetSocketAddress(InetAddress.getByName(options.host()), options.enrolmentPort()),
          BACKLOG);
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** Listens. */
  static EnrolmentServer start(
      DeviceOptions options,
      DeviceIdentity identity,
      EnrolmentDesk desk,
      LongSupplier nanoClock,
      JobListener listener)
      throws IOException, GeneralSecurityException {
    EnrolmentServer server = new EnrolmentServer(options, identity, desk, nanoClock, listener);
    Thread.ofPlatform().daemon().name("sedge-enrolment").start(server::accept);
    return server;
  }

  private void accept() {
    while (!closed) {
      try {
        Socket socket = server.accept();
        String from = socket.getInetAddress().getHostAddress();
        if (open.size() >= MAX_CONNECTIONS || !rates.mayTry(from)) {
          refusals.refused(from, "rate", "too many connections or failed attempts; try again");
          socket.close();
          continue;
        }
        open.add(socket);
        Thread.ofVirtual().name("sedge-enrolment-" + from).start(() -> serve(socket, from));
      } catch (IOException e) {
        if (!closed) {
          refusals.refused("a connection", "accept", String.valueOf(e));
          pause();
        }
      }
    }
  }

  /** Such as too many open files: others need time to close theirs. */
  private static void pause() {
    java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
  }

  private void serve(Socket socket, String from) {
    try (socket) {
      SSLSocket tls = TlsContexts.serverSide(context, socket);
      Optional<EnrolmentRequest> request = request(tls, socket, from);
      if (request.isPresent()) {
        EnrolmentAnswer answer = answer(request.get(), tls, from);
        write(answer, request.get(), tls, socket, from);
      }
    } catch (IOException _) {
      // It was ended before anything was asked, or after all was said.
    } catch (RejectedExecutionException _) {
      // This is being closed, so nobody sees to deadlines any more.
    } finally {
      open.remove(socket);
    }
  }

  /** Ends a connection that is waited on for too long. */
  private final class Deadline implements AutoCloseable {
    private final ScheduledFuture<?> ending;
    private volatile boolean over;

    Deadline(Socket socket, Duration patience) {
      ending = deadlines.schedule(() -> end(socket), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void end(Socket socket) {
      over = true;
      closeQuietly(socket);
    }

    boolean isOver() {
      return over;
    }

    @Override
    public void close() {
      ending.cancel(false);
    }
  }

  /** What is asked; empty if it was refused. */
  private Optional<EnrolmentRequest> request(SSLSocket tls, Socket socket, String from) {
    Deadline deadline = new Deadline(socket, PATIENCE);
    try (deadline) {
      tls.startHandshake();
      int maxBytes =
          peer(tls).isPresent() ? EnrolmentRequest.MAX_MEMBER_BYTES : EnrolmentRequest.MAX_BYTES;
      return Optional.of(frames(tls, maxBytes).read(EnrolmentRequest.class));
    } catch (Frames.MalformedFrameException e) {
      refuse(from, "frame", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (deadline.isOver()) {
        refuse(from, "late", "sent no request within %d s".formatted(PATIENCE.toSeconds()));
      } else if (e instanceof SSLException) {
        refuse(from, "handshake", reason(e));
      } else {
        refuse(from, "ended", "the connection ended before there was a request: " + e.getMessage());
      }
    }
    return Optional.empty();
  }

  private EnrolmentAnswer answer(EnrolmentRequest request, SSLSocket tls, String from) {
    try {
      return desk.answer(request, peer(tls));
    } catch (SiteException e) {
      refuse(from, "request", String.valueOf(e.getMessage()));
      return new EnrolmentAnswer.Refused(e.code(), String.valueOf(e.getMessage()));
    }
  }

  private void write(
      EnrolmentAnswer answer, EnrolmentRequest request, SSLSocket tls, Socket socket, String from) {
    Deadline deadline = new Deadline(socket, request.answerPatience());
    try (deadline) {
      frames(tls, request.maxAnswerBytes()).write(answer);
      tls.close();
    } catch (IOException e) {
      // Who asked has gone, which is no offence; nor does it matter who has not said goodbye.
      if (deadline.isOver()) {
        refuse(
            from,
            "late",
            "took no answer within %d s".formatted(request.answerPatience().toSeconds()));
      }
    }
  }

  private static Frames frames(SSLSocket tls, int maxBytes) throws IOException {
    return new Frames(tls.getInputStream(), tls.getOutputStream(), maxBytes);
  }

  /** The innermost reason says most: an untrusted certificate is wrapped several times. */
  private static String reason(Throwable thrown) {
    return "no TLS connection of this site: " + Causes.text(thrown);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is being given up.
    }
  }

  private void refuse(String from, String kind, String reason) {
    if (!closed) {
      rates.refused(from);
      refusals.refused(from, kind, reason);
    }
  }

  private static Optional<X509Certificate> peer(SSLSocket socket) {
    try {
      return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  /** How many were refused so far. */
  long refusals() {
    return refusals.refusals();
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException _) {
      // Nothing is accepted any more, which is all that is wanted.
    }
    open.forEach(EnrolmentServer::closeQuietly);
    deadlines.shutdownNow();
  }
}
