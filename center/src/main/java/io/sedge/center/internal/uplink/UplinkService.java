package io.sedge.center.internal.uplink;

import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sedge.center.internal.server.PlatformWork;
import io.sedge.center.store.OpenedStream;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Authority;
import io.sedge.uplink.EnrolmentRequest;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.RowBlocks;
import io.sedge.uplink.SiteAlarmList;
import io.sedge.uplink.StreamOpened;
import io.sedge.uplink.StreamOpening;
import io.sedge.uplink.Uplink;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The center's side of {@link Uplink}. A site is who shows its certificate, at each request anew,
 * so that one that is shut out is so from its next request on. Rows are answered when the database
 * has them. Bodies that are in memory at the same time are bounded: further ones wait, in the order
 * in which they came.
 */
public final class UplinkService implements HttpService, AutoCloseable {
  /** Of bodies together, in KiB, when they are inflated. */
  private static final int MEMORY_KIB = 48 << 10;

  private static final int NEWCOMERS_KIB = 1 << 10;

  /** How much more a body has when it is inflated, as a rule. */
  private static final long INFLATION = 4;

  private static final long PATIENCE_SECONDS = 25;
  private static final int SMALL_BODY_BYTES = 64 << 10;
  private static final int MAX_AT_ONCE = 8;
  private static final int MAX_WAITING = 4_096;

  private final Store store;
  private final SiteRegistrar registrar;
  private final Consumer<String> log;
  private final PlatformWork threads = new PlatformWork("sedge-uplink", MAX_AT_ONCE, MAX_WAITING);
  private final SiteQuestions questions;
  private final OrderDesk desk;
  private final Semaphore memory = new Semaphore(MEMORY_KIB, true);
  private final Semaphore memoryOfNewcomers = new Semaphore(NEWCOMERS_KIB, true);

  /**
   * @param validity of sites' certificates
   * @param questions what people want to know of sites
   * @param log is told of faults
   */
  public UplinkService(
      Store store,
      SiteQuestions questions,
      Authority authority,
      Duration validity,
      InstantSource clock,
      Consumer<String> log) {
    this.store = store;
    this.registrar = new SiteRegistrar(store, authority, validity, clock);
    this.questions = questions;
    this.desk = new OrderDesk(store.orders(), questions);
    this.log = log;
  }

  @Override
  public void routing(HttpRules rules) {
    rules
        .post(Uplink.ENROL, ofNewcomers(this::enrol))
        .post(Uplink.RENEW, ofNewcomers(this::renew))
        .post(Uplink.ORDERS, ofSites(Uplink.MAX_POLL_BYTES, this::orders))
        .post(Uplink.ANSWERS + "/{id}", ofSites(Uplink.MAX_BODY_BYTES, this::answer))
        .post(Uplink.ALARMS, ofSites(Uplink.MAX_ALARMS_BYTES, this::alarms))
        .post(Uplink.STREAMS, ofSites(SMALL_BODY_BYTES, this::open))
        .post(Uplink.STREAMS + "/{id}" + Uplink.ROWS, ofSites(Uplink.MAX_BODY_BYTES, this::append));
  }

  /** Lets no site wait any more, so that the server can stop. */
  @Override
  public void close() {
    desk.close();
  }

  @Override
  public void afterStop() {
    threads.close();
  }

  /** What asks the database at once; rows are left to its own thread. */
  private <T> T asking(PlatformWork.Work<T, UplinkException, StoreException> question)
      throws UplinkException, InterruptedException {
    try {
      return threads.call(question);
    } catch (RejectedExecutionException e) {
      throw new UplinkException(Reason.BUSY, "the center has too much to do", e);
    } catch (StoreException e) {
      throw e.toUplink();
    }
  }

  /** Does what a site asks; its body is let go of before the answer is awaited. */
  @FunctionalInterface
  private interface Answer {
    Awaited to(Asking asking, byte[] body) throws UplinkException, InterruptedException;
  }

  @FunctionalInterface
  private interface Awaited {
    byte[] bytes() throws UplinkException, InterruptedException;
  }

  /**
   * Who asks what.
   *
   * @param site empty for one that is to enrol or to renew
   */
  private record Asking(ServerRequest request, String site) {}

  /** What only who is known as a site may ask. */
  private Handler ofSites(int most, Answer answer) {
    return answering(
        request -> {
          X509Certificate shown = shown(request);
          return asking(() -> registrar.site(shown));
        },
        memory,
        most,
        answer);
  }

  /** What others may ask too: they get no memory that sites need. */
  private Handler ofNewcomers(Answer answer) {
    return answering(_ -> "", memoryOfNewcomers, SMALL_BODY_BYTES, answer);
  }

  private interface Knowing {
    String site(ServerRequest request) throws UplinkException, InterruptedException;
  }

  private Handler answering(Knowing knowing, Semaphore room, int most, Answer answer) {
    return (request, response) -> {
      int reserved = 0;
      try {
        Asking asking = new Asking(request, knowing.site(request));
        int kib = 1 + (int) ((INFLATION * length(request, most)) >> 10);
        if (!room.tryAcquire(kib, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          throw busy();
        }
        reserved = kib;
        Awaited awaited = answer.to(asking, body(request, most));
        reserved = 0;
        room.release(kib);
        response.send(awaited.bytes());
      } catch (UplinkException e) {
        refuse(response, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        refuse(response, busy());
      } catch (RuntimeException e) {
        log.accept("a fault in Sedge while a site was answered: " + e);
        refuse(response, new UplinkException(Reason.INTERNAL, "the center has a fault: " + e, e));
      } finally {
        room.release(reserved);
      }
    };
  }

  private static long length(ServerRequest request, int most) throws UplinkException {
    long length = request.headers().contentLength().orElse(-1);
    if (length < 0) {
      throw new UplinkException(Reason.MALFORMED, "a request that does not say how long it is");
    }
    if (length > most) {
      throw new UplinkException(
          Reason.TOO_LARGE, "%,d bytes in a request that may have %,d".formatted(length, most));
    }
    return length;
  }

  private static byte[] body(ServerRequest request, int most) throws UplinkException {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try (InputStream input = request.content().inputStream()) {
      return input.readNBytes(most);
    } catch (IOException e) {
      throw new UplinkException(Reason.MALFORMED, "the request does not end", e);
    }
  }

  private static void refuse(ServerResponse response, UplinkException e) {
    response
        .status(Status.create(e.reason().status()))
        .send(e.reason().text(String.valueOf(e.getMessage())).getBytes(StandardCharsets.UTF_8));
  }

  private static UplinkException busy() {
    return new UplinkException(Reason.BUSY, "the center has too much to do");
  }

  private Awaited enrol(Asking asking, byte[] body) throws UplinkException, InterruptedException {
    EnrolmentRequest asked = EnrolmentRequest.read(body);
    byte[] answer = asking(() -> registrar.enrol(asked)).bytes();
    return () -> answer;
  }

  private Awaited renew(Asking asking, byte[] body) throws UplinkException, InterruptedException {
    X509Certificate shown = shown(asking.request());
    byte[] answer = asking(() -> registrar.renew(shown, body)).bytes();
    return () -> answer;
  }

  private Awaited open(Asking asking, byte[] body) throws UplinkException, InterruptedException {
    StreamOpening opening = StreamOpening.read(body);
    OpenedStream opened = asking(() -> store.openStream(asking.site(), opening));
    return new StreamOpened(opened.id(), opened.sequence())::bytes;
  }

  private Awaited append(Asking asking, byte[] body) throws UplinkException, InterruptedException {
    List<RowBlock> blocks = RowBlocks.read(body);
    try {
      long sequence =
          store
              .append(asking.site(), stream(asking.request()), blocks)
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return ByteBuffer.allocate(Long.BYTES).putLong(sequence)::array;
    } catch (TimeoutException e) {
      throw new UplinkException(
          Reason.BUSY,
          "the database has not taken the rows within %d s".formatted(PATIENCE_SECONDS),
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException refused) {
        throw refused.toUplink();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private Awaited orders(Asking asking, byte[] body) throws UplinkException, InterruptedException {
    OrderPoll poll = OrderPoll.read(body);
    String site = asking.site();
    if (!poll.asks()) {
      asking(() -> store.orders().poll(site, poll));
      return new OrderAnswer(0, List.of())::bytes;
    }
    OrderPoll again =
        new OrderPoll(
            poll.wants(),
            poll.index(),
            poll.after(),
            poll.lastId(),
            0,
            List.of(),
            Optional.empty());
    OrderDesk.Waiting waiting = desk.come(site);
    List<Order> orders = asking(() -> store.orders().poll(site, poll));
    return () -> {
      long begin = System.nanoTime();
      try (waiting) {
        List<Question> asked = questions.take(site, poll.wants());
        if (!orders.isEmpty()
            || !asked.isEmpty()
            || store.orders().isSuspect(site)
            || !waiting.await(poll.waitMillis())) {
          return new OrderAnswer(millisSince(begin), orders, asked).bytes();
        }
        long held = millisSince(begin);
        return new OrderAnswer(
                held,
                asking(() -> store.orders().poll(site, again)),
                questions.take(site, poll.wants()))
            .bytes();
      }
    };
  }

  private Awaited answer(Asking asking, byte[] body) throws UplinkException {
    questions.answer(asking.site(), question(asking.request()), QuestionAnswer.read(body));
    return () -> new byte[0];
  }

  private static UUID question(ServerRequest request) throws UplinkException {
    try {
      return UUID.fromString(request.path().pathParameters().get("id"));
    } catch (IllegalArgumentException e) {
      throw new UplinkException(Reason.MALFORMED, "a question that has no id", e);
    }
  }

  private Awaited alarms(Asking asking, byte[] body) throws UplinkException, InterruptedException {
    SiteAlarmList list = SiteAlarmList.read(body);
    asking(
        () -> {
          store.alarms().tell(asking.site(), list);
          return true;
        });
    return () -> new byte[0];
  }

  private static long millisSince(long beginNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
  }

  private static long stream(ServerRequest request) throws UplinkException {
    String id = request.path().pathParameters().get("id");
    try {
      return Long.parseLong(id);
    } catch (NumberFormatException e) {
      throw new UplinkException(Reason.MALFORMED, "a stream that has no number", e);
    }
  }

  private static X509Certificate shown(ServerRequest request) throws UplinkException {
    Certificate[] chain = request.remotePeer().tlsCertificates().orElse(new Certificate[0]);
    if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
      return certificate;
    }
    throw new UplinkException(
        Reason.UNKNOWN_SITE, "without a certificate one may enrol, and nothing else");
  }
}
