package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helidon.common.tls.Tls;
import io.helidon.common.tls.TlsClientAuth;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Outage;
import io.sedge.connector.http.internal.Call.Reply;
import io.sedge.connector.http.internal.CallQueue.Offer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Listens for requests, and answers each once it is known what became of it. What a stranger may
 * take is bounded: connections, the time of a silence, the size and time of a body; who may send is
 * checked before anything waits. An address that is taken is tried again until it is free: an older
 * reader of the table may have it.
 */
final class Doorway implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 256;
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration GRACE = Duration.ofMillis(500);

  /** After it a sender that was told so may come again, in seconds. */
  private static final String COME_AGAIN = "1";

  private static final Reply UNSIGNED = new Reply(401, "the signature is missing or wrong");

  private final WebhookSettings settings;
  private final ConnectorContext context;
  private final CallQueue queue;
  private final ArrivalRoom room;
  private final HeaderName signatureHeader;
  private final HeaderName idempotencyHeader;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable Throwable failure;
  private @Nullable WebServer server;

  Doorway(WebhookSettings settings, CallQueue queue) {
    this.settings = settings;
    this.context = settings.context();
    this.queue = queue;
    this.room = new ArrivalRoom(settings.queueBytes());
    this.signatureHeader = HeaderNames.create(settings.signatureHeader());
    this.idempotencyHeader = HeaderNames.create(settings.idempotencyHeader());
    this.thread =
        Thread.ofPlatform()
            .name("webhook-listen-" + settings.table().name())
            .daemon()
            .start(this::listen);
  }

  /** The boundary of the thread, which ends once there is a server. */
  private void listen() {
    Outage outage = new Outage(settings.subject(), context);
    try {
      Optional<String> problem = tryToListen();
      while (problem.isPresent()
          && !stopped.await(outage.failed(problem.get()).toMillis(), TimeUnit.MILLISECONDS)) {
        problem = tryToListen();
      }
    } catch (InterruptedException e) {
      return; // Closed.
    } catch (RuntimeException | Error e) {
      failure = e;
      context.wakeUp();
    }
  }

  /** What stands in the way, if anything does. */
  private synchronized Optional<String> tryToListen() {
    if (stopped.getCount() == 0) {
      return Optional.empty();
    }
    WebServer next = configuration().build();
    if (!isListening(next)) {
      next.stop();
      return Optional.of("it cannot listen there; is the port taken, or the address another's?");
    }
    server = next;
    context.report(
        Severity.INFO,
        "table %s: listens at %s".formatted(settings.table().name(), settings.place(next.port())));
    return Optional.empty();
  }

  /** The server tells of a port that is taken in one way or the other. */
  private static boolean isListening(WebServer next) {
    try {
      return next.start().isRunning();
    } catch (UncheckedIOException | IllegalStateException e) {
      return false;
    }
  }

  private WebServerConfig.Builder configuration() {
    WebServerConfig.Builder listening =
        WebServer.builder()
            .shutdownHook(false)
            .host(settings.host())
            .port(settings.port())
            .maxPayloadSize(settings.maxPayload())
            .maxTcpConnections(MAX_CONNECTIONS)
            .idleConnectionTimeout(IDLE)
            .shutdownGracePeriod(GRACE)
            .connectionOptions(options -> options.readTimeout(SILENCE).tcpNoDelay(true))
            .routing(this::route);
    settings
        .tls()
        .ifPresent(
            files ->
                listening.tls(
                    Tls.builder()
                        .sslContext(files.context())
                        .enabledProtocols(List.of("TLSv1.3", "TLSv1.2"))
                        .clientAuth(
                            files.authorities().isPresent()
                                ? TlsClientAuth.REQUIRED
                                : TlsClientAuth.NONE)
                        .build()));
    return listening;
  }

  private void route(HttpRouting.Builder routing) {
    routing.post(settings.path(), this::answer);
  }

  private void answer(ServerRequest request, ServerResponse response) throws IOException {
    Arrival arrival = arrival(request);
    Reply reply = reply(received(request, arrival));
    response.status(reply.status()).header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
    if (reply.status() == 429 || reply.status() == 503) {
      response.header(HeaderNames.RETRY_AFTER, COME_AGAIN);
    }
    response.send(reply.text());
    if (!request.content().consumed() && !restHasCome(request, arrival)) {
      throw new CloseConnectionException("the rest of a body is not waited for");
    }
  }

  /** A sender that waits to be told to send has nothing on its way. */
  private static boolean restHasCome(ServerRequest request, Arrival arrival) {
    try {
      return !request.headers().contains(HeaderValues.EXPECT_100) && arrival.skipRest();
    } catch (IOException | RuntimeException e) {
      return false; // It has gone; the server says so in exceptions of its own.
    }
  }

  private Arrival arrival(ServerRequest request) {
    return new Arrival(
        room,
        () ->
            request.content().hasEntity()
                ? request.content().inputStream()
                : InputStream.nullInputStream(),
        settings.maxPayload(),
        context::nanoTime);
  }

  /** Takes a request; what is not taken is refused as early as that is known. */
  private Offer received(ServerRequest request, Arrival arrival) throws IOException {
    Optional<String> signature = request.headers().first(signatureHeader);
    if (!settings.guard().admits(request.headers().first(HeaderNames.AUTHORIZATION))) {
      return new Offer.Answered(new Reply(401, "the token is missing or wrong"));
    }
    if (!settings.guard().mayAdmit(signature)) {
      return new Offer.Answered(UNSIGNED);
    }
    if (request.headers().contentLength().orElse(0) > settings.maxPayload()) {
      return new Offer.Answered(Arrival.tooLarge(settings.maxPayload()));
    }
    try (arrival) {
      Optional<Reply> refusal = arrival.read();
      if (refusal.isPresent()) {
        return new Offer.Answered(refusal.get());
      }
      byte[] body = arrival.body();
      return settings.guard().admits(body, signature)
          ? queue.offer(call(request, body))
          : new Offer.Answered(UNSIGNED);
    }
  }

  private Call call(ServerRequest request, byte[] body) {
    return new Call(
        body,
        request.remotePeer().host(),
        context.clock().instant().toEpochMilli() * 1_000,
        request
            .headers()
            .first(idempotencyHeader)
            .filter(_ -> settings.window() > 0)
            .map(key -> identity(key, body)));
  }

  private static long identity(String key, byte[] body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(key.getBytes(UTF_8));
      digest.update((byte) 0);
      return ByteBuffer.wrap(digest.digest(body)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }

  private Reply reply(Offer offer) {
    return switch (offer) {
      case Offer.Answered(Reply reply) -> reply;
      case Offer.Waits(Call call) -> {
        context.wakeUp();
        yield await(call);
      }
    };
  }

  private Reply await(Call call) {
    try {
      return call.reply().get(settings.answerTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return new Reply(503, "not committed yet; come again with the same key");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply(503, "the job stops; come again");
    } catch (ExecutionException e) {
      throw new IllegalStateException("a reply is never exceptional", e);
    } finally {
      queue.leave(call);
    }
  }

  /** What has gone wrong that nobody has foreseen, or that a person must put right. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void close() {
    stopped.countDown();
    thread.interrupt();
    synchronized (this) {
      if (server != null) {
        server.stop();
        server = null;
      }
    }
  }
}
