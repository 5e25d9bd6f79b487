package io.sedge.connector.alarm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.NoticeMark;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** People are told, whatever the far end does. */
@Timeout(120)
final class NoticesTest {
  private static final String HOSTILE = "pump\r\nBcc: all@plant.example\u001b[2J<script>";

  private final TestContext context = TestContext.live(Path.of(""));
  private FencedAlarms alarms = new FencedAlarms();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();

  /** How the webhook answers, one after the other; then 204. */
  private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

  private HttpServer server;
  private long row;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
          Integer answer = answers.poll();
          exchange.sendResponseHeaders(answer == null ? 204 : answer, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    server.stop(0);
  }

  private Map<String, String> webhook() {
    return Map.of("webhook.url", "http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  private Sink sink(Map<String, String> options) {
    Delivery.Writer writer = new Delivery.Writer("a site", "plant", "delivery", "hot");
    Sink sink =
        new AlarmConnector()
            .keptIn(alarms.next())
            .sink(TestTable.with(options), context)
            .orElseThrow()
            .open(Delivery.of(writer, 1, 0));
    open.add(sink);
    row = sink.flush();
    return sink;
  }

  private void raise(Sink sink, int from, int to) {
    offer(sink, ChangeKind.INSERT, from, to);
  }

  private void take(Sink sink, int from, int to) {
    offer(sink, ChangeKind.DELETE, from, to);
  }

  private void offer(Sink sink, ChangeKind change, int from, int to) {
    BatchBuilder builder = new BatchBuilder(TestTable.SCHEMA);
    for (int i = from; i < to; i++) {
      Object[] values = {i == 0 ? HOSTILE : "pump-" + i, 90.0, true, "too hot", 0L};
      for (int column = 0; column < values.length; column++) {
        builder.column(column).add(values[column]);
      }
      builder.endRow(change);
    }
    assertThat(sink.offer(new NumberedBatch(row + 1, builder.build()))).isTrue();
    row += to - from;
  }

  /** Drives the sink as its task does. */
  private void until(Sink sink, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("in time; reports: %s", context.reports())
          .isLessThan(deadline);
      sink.flush();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private NoticeMark mark(String way) {
    return alarms.alarms.read(view -> view.table("plant", "hot").mark(way)).orElseThrow();
  }

  private long time() {
    return context.clock().millis();
  }

  @Test
  void aWebhookIsToldOnceWithAKeyThatNamesTheNotice() {
    Sink sink = sink(webhook());
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").done() == 1);
    assertThat(bodies)
        .hasSize(1)
        .allSatisfy(
            body ->
                assertThat(body)
                    .contains(
                        "\"id\":\"a site/plant/delivery/hot/webhook/1-1/1-",
                        "\"priority\":\"medium\"",
                        "\"key\":\"pump-1\"",
                        "\"event\":\"raise\""));
    assertThat(keys).hasSize(1);
    assertThat(keys.getFirst()).startsWith("\"a_site/plant/delivery/hot/webhook/1-1/1-");
  }

  // A site that was restored counts from one again, and the far end must not take that for told.
  @Test
  void noticesOfASiteThatBeginsAgainHaveOtherNames() {
    Sink sink = sink(webhook());
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").done() == 1);
    long told = time();
    until(sink, () -> time() > told);
    alarms = new FencedAlarms();
    Sink again = sink(webhook());
    raise(again, 1, 2);
    until(again, () -> mark("webhook").done() == 1);
    assertThat(keys).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void aWayThatIsSwitchedOnTellsNothingThatIsPast() {
    Sink without = sink(Map.of());
    raise(without, 1, 2);
    until(without, () -> without.flush() == row);
    Sink with = sink(webhook());
    raise(with, 2, 3);
    until(with, () -> mark("webhook").done() == 2);
    Sink off = sink(Map.of());
    raise(off, 3, 4);
    until(off, () -> mark("webhook").equals(NoticeMark.OFF));
    Sink on = sink(webhook());
    raise(on, 4, 5);
    until(on, () -> mark("webhook").done() == 4);
    assertThat(bodies).hasSize(2);
    assertThat(bodies.getFirst()).contains("pump-2").doesNotContain("pump-1");
    assertThat(bodies.getLast()).contains("pump-4").doesNotContain("pump-3");
  }

  // What is raised and clears while nobody can be told is dropped from the journal's end.
  @Test
  void whatIsForgottenBeforeItIsToldIsCounted() {
    Sink sink = sink(webhook());
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").done() == 1);
    raise(sink, 2, 502);
    until(sink, () -> sink.flush() == row);
    take(sink, 2, 502);
    until(sink, () -> sink.flush() == row);
    Sink next = sink(webhook());
    until(next, () -> mark("webhook").lost() == 1);
    assertThat(bodies).hasSize(1);
    assertThat(context.reports())
        .contains(
            "WARNING table hot: webhook: 500 changes were not told, since they are not kept any"
                + " more");
  }

  @Test
  void anAlarmThatIsPutAsideNoMoreIsTold() {
    Sink sink = sink(webhook());
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").done() == 1);
    List<AlarmAction.Target> all = List.of(new AlarmAction.Target(1, 0));
    alarms.alarms.apply(
        new AlarmAction(AlarmEvent.SHELVE, all, "ann", time(), time() + 3_600_000, ""));
    alarms.alarms.apply(new AlarmAction(AlarmEvent.UNSHELVE, all, "ann", time(), 0, ""));
    Sink next = sink(webhook());
    until(next, () -> mark("webhook").done() == 3);
    assertThat(bodies.getLast()).contains("\"event\":\"unshelve\"");
  }

  // A flood must not become a flood of notices.
  @Test
  void aFloodIsTwoNotices() {
    Sink sink = sink(Map.of("webhook.url", webhook().get("webhook.url"), "notice.interval", "1 s"));
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").begun() == 1);
    raise(sink, 2, 402);
    until(sink, () -> mark("webhook").done() == 401);
    assertThat(bodies).hasSize(2);
    assertThat(bodies.get(1)).contains("\"more\":350").hasSizeLessThan(16 << 10);
  }

  @Test
  void aServerThatFailsIsAskedAgainForTheSameNotice() {
    answers.addAll(List.of(503, 429));
    Sink sink = sink(webhook());
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").done() == 1);
    assertThat(bodies).hasSize(3).containsOnly(bodies.getFirst());
    assertThat(mark("webhook").lost()).isZero();
    assertThat(context.reports())
        .anyMatch(
            report ->
                report.contains(
                    "webhook: people could not be told, which is tried again: 127.0.0.1 answers"
                        + " 503"));
  }

  @Test
  void aServerThatRefusesIsLeftAloneAndThatIsCounted() {
    answers.addAll(List.of(400, 400, 400));
    Sink sink = sink(webhook());
    raise(sink, 1, 2);
    until(sink, () -> mark("webhook").lost() == 1);
    assertThat(bodies).hasSize(3);
    raise(sink, 2, 3);
    until(sink, () -> mark("webhook").done() == 2);
    assertThat(bodies).hasSize(4);
    assertThat(mark("webhook").lost()).isOne();
  }

  // Whoever goes on sends the notice that was on its way under its own name, and no other twice.
  @Test
  void aDeviceThatDiesWhileItTellsIsFollowedByOneThatTellsTheSame() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Sink first = sink(Map.of("webhook.url", "http://127.0.0.1:" + silent.getLocalPort() + "/"));
      raise(first, 1, 2);
      until(first, () -> mark("webhook").begun() == 1);
      assertThat(mark("webhook").done()).isZero();
      Sink second = sink(webhook());
      raise(second, 2, 3);
      until(second, () -> mark("webhook").done() >= 1);
      assertThat(keys.getFirst()).startsWith("\"a_site/plant/delivery/hot/webhook/1-1/1-");
      assertThat(bodies.getFirst()).contains("pump-1").doesNotContain("pump-2");
    }
  }

  @Test
  void aServerThatIsAwayHoldsUpNoRow() throws IOException {
    int port;
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    Sink sink = sink(Map.of("webhook.url", "http://127.0.0.1:" + port + "/"));
    for (int i = 0; i < 50; i++) {
      raise(sink, 1 + 10 * i, 11 + 10 * i);
      assertThat(sink.flush()).isEqualTo(row);
    }
    until(
        sink, () -> context.reports().stream().anyMatch(report -> report.contains("tried again")));
    assertThat(mark("webhook").done()).isZero();
  }

  private GreenMail mailServer(String protocol) {
    return mailServer("127.0.0.1", protocol);
  }

  private GreenMail mailServer(String host, String protocol) {
    ServerSetup setup = new ServerSetup(0, host, protocol);
    setup.setServerStartupTimeout(60_000);
    GreenMail mail = new GreenMail(setup);
    mail.start();
    open.add(mail::stop);
    return mail;
  }

  private static Map<String, String> email(GreenMail mail) {
    return Map.of(
        "email.server",
        "smtp://127.0.0.1:" + (mail.getSmtp() == null ? 25 : mail.getSmtp().getPort()),
        "email.from",
        "sedge@plant.example",
        "email.to",
        "Shift <shift@plant.example>, boss@plant.example",
        "email.username",
        "sedge",
        "email.password",
        "secret",
        "message-column",
        "text",
        "value-column",
        "v",
        "priority",
        "critical");
  }

  @Test
  void aMailSaysWhatHappenedAndNothingInItIsAHeader() throws Exception {
    GreenMail mail = mailServer(ServerSetup.PROTOCOL_SMTP);
    mail.setUser("sedge@plant.example", "sedge", "secret");
    Sink sink = sink(email(mail));
    raise(sink, 0, 1);
    until(sink, () -> mark("email").done() == 1);
    MimeMessage[] messages = mail.getReceivedMessages();
    assertThat(messages).hasSize(2);
    MimeMessage message = messages[0];
    assertThat(message.getSubject())
        .isEqualTo(
            "[sedge] critical hot: pump  Bcc: all@plant.example [2J<script> = 90.0: too hot");
    assertThat(message.getHeader("Bcc")).isNull();
    assertThat(message.getContentType()).startsWith("text/plain");
    assertThat(message.getContent().toString())
        .contains("raise  alarm 1  pump  Bcc: all@plant.example [2J<script> = 90.0: too hot");
    assertThat(message.getMessageID()).isEqualTo(messages[1].getMessageID()).endsWith("@sedge>");
    assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-generated");
  }

  @Test
  void aMailServerThatDoesNotKnowThePasswordIsAskedAgainLater() {
    GreenMail mail = mailServer(ServerSetup.PROTOCOL_SMTP);
    mail.setUser("sedge@plant.example", "sedge", "another");
    Sink sink = sink(email(mail));
    raise(sink, 1, 2);
    until(
        sink,
        () ->
            context.reports().stream()
                .anyMatch(report -> report.contains("email: people could not be told")));
    assertThat(String.join("\n", context.reports())).contains("535").doesNotContain("secret");
    mail.setUser("sedge@plant.example", "sedge", "secret");
    until(sink, () -> mark("email").done() == 1);
    assertThat(mail.getReceivedMessages()).hasSize(2);
  }

  // What is not loopback is reached by TLS or not at all; 127.0.0.2 stands for another machine.
  @Test
  void aMailServerElsewhereWithoutTlsGetsNoPassword() {
    GreenMail mail = mailServer("127.0.0.2", ServerSetup.PROTOCOL_SMTP);
    mail.setUser("sedge@plant.example", "sedge", "secret");
    Map<String, String> options = new HashMap<>(email(mail));
    options.put("email.server", "smtp://127.0.0.2:" + mail.getSmtp().getPort());
    Sink sink = sink(options);
    raise(sink, 1, 2);
    until(
        sink,
        () ->
            context.reports().stream().anyMatch(report -> report.contains("STARTTLS is required")));
    assertThat(mail.getReceivedMessages()).isEmpty();
  }

  @Test
  void aCertificateThatNobodyKnowsIsNotBelieved() {
    GreenMail mail = mailServer(ServerSetup.PROTOCOL_SMTPS);
    Map<String, String> options = new HashMap<>(email(mail));
    options.put("email.server", "smtps://127.0.0.1:" + mail.getSmtps().getPort());
    Sink sink = sink(options);
    raise(sink, 1, 2);
    until(
        sink,
        () ->
            context.reports().stream()
                .anyMatch(report -> report.contains("email: people could not be told")));
    assertThat(mail.getReceivedMessages()).isEmpty();
  }
}
