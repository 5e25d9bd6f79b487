package io.sedge.uplink;

import io.sedge.alarm.AlarmList;
import io.sedge.connector.Causes;
import io.sedge.uplink.UplinkException.Reason;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * A site's side of the uplink. Calls wait for the answer, 30 seconds and the time that sending
 * takes at the limit; any thread. Connections are kept while they are used.
 */
public final class UplinkClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A link that brings fewer is too slow for large answers. */
  private static final int SLOW_BYTES_A_SECOND = 32 << 10;

  private static final int MAX_ANSWER_BYTES = 1 << 16;
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final String center;
  private final HttpClient http;
  private final Pacer pacer;

  private UplinkClient(String center, SSLContext tls, long limit) {
    this.center = center;
    this.pacer = new Pacer(limit);
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .executor(
                Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("sedge-uplink-", 0).factory()))
            .sslContext(tls)
            .build();
  }

  /** As a site that has enrolled. */
  public static UplinkClient of(SiteCredential credential) throws GeneralSecurityException {
    return new UplinkClient(credential.center(), credential.tls(), credential.limit());
  }

  /**
   * As one that is to enrol.
   *
   * @param center {@code host:port}
   * @param tls knows the center by the token
   */
  public static UplinkClient of(String center, SSLContext tls) {
    return new UplinkClient(center, tls, 0);
  }

  public EnrolmentAnswer enrol(EnrolmentRequest request)
      throws UplinkException, InterruptedException {
    return EnrolmentAnswer.read(post(Uplink.ENROL, request.bytes()));
  }

  /**
   * Gets another certificate for the same name and key.
   *
   * @param signingRequest PKCS #10
   */
  public EnrolmentAnswer renew(byte[] signingRequest) throws UplinkException, InterruptedException {
    return EnrolmentAnswer.read(post(Uplink.RENEW, signingRequest));
  }

  public StreamOpened open(StreamOpening opening) throws UplinkException, InterruptedException {
    return StreamOpened.read(post(Uplink.STREAMS, opening.bytes()));
  }

  /**
   * Sends blocks of a stream; when it returns, the center has them on its disk.
   *
   * @return the bytes that went over the link: deflated, without what TLS and HTTP add
   */
  public int send(long stream, List<RowBlock> blocks) throws UplinkException, InterruptedException {
    byte[] body = RowBlocks.write(blocks);
    byte[] answer = post("%s/%d%s".formatted(Uplink.STREAMS, stream, Uplink.ROWS), body);
    if (answer.length != Long.BYTES) {
      throw new UplinkException(Reason.MALFORMED, "an answer of %d bytes".formatted(answer.length));
    }
    long stored = ByteBuffer.wrap(answer).getLong();
    if (stored < blocks.getLast().last()) {
      throw new UplinkException(
          Reason.MALFORMED,
          "an answer that the rows up to sequence %d are stored, where %d was sent"
              .formatted(stored, blocks.getLast().last()));
    }
    return body.length;
  }

  /** Asks for orders, and waits for them as long as the question says. */
  public OrderAnswer ask(OrderPoll poll) throws UplinkException, InterruptedException {
    return OrderAnswer.read(
        post(
            Uplink.ORDERS,
            poll.bytes(),
            Duration.ofMillis(poll.waitMillis()),
            OrderAnswer.MAX_BYTES));
  }

  /** Answers a question of the center. */
  public void answer(UUID question, QuestionAnswer answer)
      throws UplinkException, InterruptedException {
    byte[] body = answer.bytes();
    Duration sending = Duration.ofSeconds(body.length / SLOW_BYTES_A_SECOND);
    var _ = post("%s/%s".formatted(Uplink.ANSWERS, question), body, sending, MAX_ANSWER_BYTES);
  }

  /**
   * Tells what alarms the site has, in place of those that it told before: the most urgent, as many
   * as may be told at once.
   *
   * @param index of the site's ledger: an entry that they have
   */
  public void tell(long index, AlarmList alarms) throws UplinkException, InterruptedException {
    var _ = post(Uplink.ALARMS, new SiteAlarmList(index, alarms).fitting());
  }

  private byte[] post(String path, byte[] body) throws UplinkException, InterruptedException {
    return post(path, body, Duration.ZERO, MAX_ANSWER_BYTES);
  }

  /**
   * @param kept how much longer it may take: the center keeps the answer back, or the body is long
   */
  private byte[] post(String path, byte[] body, Duration kept, int most)
      throws UplinkException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .timeout(PATIENCE.plus(kept).plus(pacer.duration(body.length)))
            .header("Content-Type", "application/octet-stream")
            .POST(publisher(body))
            .build();
    HttpResponse<byte[]> response;
    try {
      response = http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), most));
    } catch (IOException e) {
      String what =
          e instanceof SSLHandshakeException && !isBroken(e)
              ? "is not the one that this site enrolled with, or its certificate has ended"
              : "does not answer";
      throw new UplinkException(
          Reason.UNREACHABLE, "the center at %s %s: %s".formatted(center, what, Causes.text(e)), e);
    }
    if (response.statusCode() != 200) {
      throw Reason.read(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
    }
    return response.body();
  }

  private URI uri(String path) throws UplinkException {
    try {
      return URI.create("https://" + center + Uplink.ROOT + path);
    } catch (IllegalArgumentException e) {
      throw new UplinkException(
          Reason.UNREACHABLE, "'%s' is no address of a center: HOST:PORT".formatted(center), e);
    }
  }

  private BodyPublisher publisher(byte[] body) {
    return pacer.isLimited()
        ? BodyPublishers.fromPublisher(
            BodyPublishers.ofInputStream(() -> pacer.pace(new ByteArrayInputStream(body))),
            body.length)
        : BodyPublishers.ofByteArray(body);
  }

  /** Whether the connection has ended amid the handshake, of which nobody has refused anything. */
  private static boolean isBroken(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof EOFException || message.startsWith("Remote host ")) {
        return true;
      }
    }
    return false;
  }

  /** Ends what is under way. */
  @Override
  public void close() {
    http.shutdownNow();
    try {
      http.awaitTermination(CLOSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
