package io.sedge.site.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.sedge.alarm.Alarm;
import io.sedge.identity.Authority;
import io.sedge.identity.DeviceIdentity;
import io.sedge.uplink.EnrolmentAnswer;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderBody;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.SiteAlarmList;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.Uplink;
import io.sedge.uplink.UplinkException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * A center that gives orders to one site, asks it questions and hears of its alarms, and nothing
 * else; answers at once.
 */
public final class OrderingCenter implements AutoCloseable {
  private final Authority authority;
  private final HttpsServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  // Guarded by this.
  private final List<Order> orders = new ArrayList<>();
  private final Map<UUID, List<OrderState>> states = new LinkedHashMap<>();
  private final List<OrderPoll> polls = new ArrayList<>();
  private final List<Question> questions = new ArrayList<>();
  private final Map<UUID, QuestionAnswer> answers = new LinkedHashMap<>();
  private int lostAnswers;
  private List<Alarm> alarms = List.of();

  public OrderingCenter(Path directory) throws IOException, GeneralSecurityException {
    InstantSource clock = InstantSource.system();
    authority = Authority.create(directory.resolve("authority"), "center", clock.instant());
    DeviceIdentity.found(
        directory.resolve("identity"),
        authority,
        "center",
        List.of(Devices.HOST),
        clock.instant(),
        Duration.ofDays(1));
    DeviceIdentity identity = DeviceIdentity.open(directory.resolve("identity"), clock);
    SSLContext tls = SSLContext.getInstance("TLSv1.3");
    tls.init(new KeyManager[] {identity.keyManager()}, new TrustManager[] {identity.trust()}, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral(Devices.HOST), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asking = tls.getDefaultSSLParameters();
            asking.setNeedClientAuth(true);
            parameters.setSSLParameters(asking);
          }
        });
    server.createContext(Uplink.ROOT + Uplink.ORDERS, this::answer);
    server.createContext(Uplink.ROOT + Uplink.ALARMS, this::hear);
    server.createContext(Uplink.ROOT + Uplink.ANSWERS, this::hearAnswer);
    server.setExecutor(executor);
    server.start();
  }

  /** What a site has that enrolled here. */
  public String credential() throws GeneralSecurityException {
    KeyPair keys = SiteCredential.newKeys();
    EnrolmentAnswer answer =
        new EnrolmentAnswer(
            "north",
            authority.sign(
                "north",
                keys.getPublic(),
                List.of(),
                InstantSource.system().instant(),
                Duration.ofDays(1)),
            authority.certificate());
    return SiteCredential.of(Devices.HOST + ":" + server.getAddress().getPort(), 0, keys, answer)
        .text();
  }

  /** Gives an order; it is sent until the site has it. */
  public UUID give(OrderBody body, Duration life) {
    return give(body.kind(), body.bytes(), life);
  }

  /** Gives an order of a kind that may not exist. */
  public synchronized UUID give(String kind, byte[] body, Duration life) {
    UUID id = UUID.randomUUID();
    orders.add(new Order(orders.size() + 1L, id, kind, body, "anna", 0, life.toMillis()));
    return id;
  }

  /**
   * Asks a question when the site next comes for orders.
   *
   * @param device empty for all
   */
  public synchronized UUID ask(String kind, String device) {
    UUID id = UUID.randomUUID();
    questions.add(new Question(id, kind, device, "", "anna", 60_000));
    return id;
  }

  /** What the site has answered; empty if it has not. */
  public synchronized Optional<QuestionAnswer> answer(UUID question) {
    return Optional.ofNullable(answers.get(question));
  }

  /** Does what the next requests ask and ends their connections without a word. */
  public synchronized void loseAnswers(int count) {
    lostAnswers = count;
  }

  /** What the site has said of an order, each once, in the order in which it came. */
  public synchronized List<OrderState> states(UUID order) {
    return List.copyOf(states.getOrDefault(order, List.of()));
  }

  /** The last question of the site; empty if there was none since the last call. */
  public synchronized Optional<OrderPoll> takeLastPoll() {
    Optional<OrderPoll> last = polls.isEmpty() ? Optional.empty() : Optional.of(polls.getLast());
    polls.clear();
    return last;
  }

  /** The alarms that the site has told of last. */
  public synchronized List<Alarm> alarms() {
    return alarms;
  }

  private void hearAnswer(HttpExchange exchange) throws IOException {
    try (exchange) {
      QuestionAnswer answer = QuestionAnswer.read(exchange.getRequestBody().readAllBytes());
      String path = exchange.getRequestURI().getPath();
      synchronized (this) {
        answers.put(UUID.fromString(path.substring(path.lastIndexOf('/') + 1)), answer);
      }
      exchange.sendResponseHeaders(200, -1);
    } catch (UplinkException e) {
      exchange.sendResponseHeaders(e.reason().status(), -1);
    }
  }

  private void hear(HttpExchange exchange) throws IOException {
    try (exchange) {
      SiteAlarmList list = SiteAlarmList.read(exchange.getRequestBody().readAllBytes());
      synchronized (this) {
        alarms = list.alarms().alarms();
      }
      if (!isLost()) {
        exchange.sendResponseHeaders(200, -1);
      }
    } catch (UplinkException e) {
      exchange.sendResponseHeaders(e.reason().status(), -1);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] answer = answer(OrderPoll.read(exchange.getRequestBody().readAllBytes())).bytes();
      if (!isLost()) {
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
      }
    } catch (UplinkException e) {
      exchange.sendResponseHeaders(e.reason().status(), -1);
    }
  }

  private synchronized boolean isLost() {
    return lostAnswers-- > 0;
  }

  private synchronized OrderAnswer answer(OrderPoll poll) {
    for (OrderOutcome outcome : poll.outcomes()) {
      List<OrderState> known = states.computeIfAbsent(outcome.id(), _ -> new ArrayList<>());
      if (!known.contains(outcome.state())) {
        known.add(outcome.state());
      }
    }
    if (!poll.asks()) {
      return new OrderAnswer(0, List.of());
    }
    polls.add(poll);
    List<Question> asked = List.copyOf(questions);
    questions.clear();
    return new OrderAnswer(
        0, orders.stream().filter(order -> order.number() > poll.after()).toList(), asked);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
