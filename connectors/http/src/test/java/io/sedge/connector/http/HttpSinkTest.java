package io.sedge.connector.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.notMatching;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import com.sun.net.httpserver.HttpServer;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.http.testkit.Await;
import io.sedge.connector.http.testkit.Faulty;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How rows are sent, and what becomes of them where a server is not well. */
final class HttpSinkTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("flow", Type.INT).build();

  private static final Delivery OF_A_WRITER =
      Delivery.of(new Delivery.Writer("north", "job", "delivery", "readings"), 1, 0);

  private final TestContext context = TestContext.live(Path.of("."));
  private final Faulty server = new Faulty();

  @AfterEach
  void stop() {
    server.close();
  }

  private Feed open(String path, Delivery delivery, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(Map.of("url", server.url(path), "format", "json"));
    options.putAll(more);
    return Feed.open(
        new HttpConnector().sink(Tables.table(SCHEMA, options), context).orElseThrow(), delivery);
  }

  private static Batch batch(@Nullable String... machines) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int i = 0; i < machines.length; i++) {
      builder.addRow(machines[i], i);
    }
    return builder.build();
  }

  private void send(String path, Map<String, String> more, Batch batch) {
    try (Feed sink = open(path, OF_A_WRITER, more)) {
      sink.give(batch);
      sink.flushAll();
    }
  }

  private List<String> bodies() {
    return server.requests().stream().map(LoggedRequest::getBodyAsString).toList();
  }

  private List<String> keys() {
    return server.requests().stream().map(request -> request.getHeader("Idempotency-Key")).toList();
  }

  @Test
  void rowsOfABatchGoTogetherInAnArray() {
    server.takesAll();
    send("/rows?plant=1", Map.of("headers.X-Plant", "north"), batch("a", "b"));
    LoggedRequest request = server.requests().getFirst();
    assertThat(request.getMethod().getName()).isEqualTo("POST");
    assertThat(request.getUrl()).isEqualTo("/rows?plant=1");
    assertThat(request.getHeader("Content-Type")).isEqualTo("application/json");
    assertThat(request.getHeader("X-Plant")).isEqualTo("north");
    assertThat(request.getBodyAsString())
        .isEqualTo("[{\"machine\":\"a\",\"flow\":0},{\"machine\":\"b\",\"flow\":1}]");
  }

  @Test
  void linesOfCsvBeginWithTheirHeader() {
    server.takesAll();
    send("/rows", Map.of("format", "csv", "csv.header", "true"), batch("a", "b"));
    assertThat(bodies()).containsExactly("machine,flow\na,0\nb,1\n");
  }

  @Test
  void pointsOfTheLineProtocolGoTogether() {
    server.takesAll();
    send(
        "/api/v2/write?bucket=b&precision=ms",
        Map.of(
            "format", "influx-line",
            "influx-line.measurement", "flows",
            "influx-line.tags", "machine"),
        batch("a", "b c"));
    assertThat(bodies()).containsExactly("flows,machine=a flow=0i\nflows,machine=b\\ c flow=1i\n");
    assertThat(server.requests().getFirst().getHeader("Content-Type"))
        .isEqualToIgnoringCase("text/plain; charset=utf-8");
  }

  @Test
  void valuesStandInTheAddressEncoded() {
    server.takesAll();
    send(
        "/machines/{machine}/flow",
        Map.of("body", "row", "sink.method", "PUT"),
        batch("a/../b c?", null, ".."));
    assertThat(server.requests())
        .extracting(LoggedRequest::getUrl)
        .containsExactly("/machines/a%2F..%2Fb%20c%3F/flow");
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::reason)
        .containsExactly(
            "column `machine`, a part of the address, is NULL",
            "column `machine`, a part of the address, is '..'");
  }

  // A server that has taken a request and could not say so knows it by its key.
  @Test
  void whatIsSentAgainHasTheKeyThatItHad() {
    server.answers(
        aResponse().withStatus(503),
        aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER),
        aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE),
        aResponse().withStatus(204));
    send("/rows", Map.of(), batch("a", "b"));
    assertThat(keys()).hasSize(4).containsOnly(keys().getFirst());
    assertThat(keys().getFirst()).matches("[0-9a-f]{24}-1-2");
    assertThat(bodies()).containsOnly(bodies().getFirst());
    assertThat(context.reports())
        .containsExactly(
            "WARNING table readings: %s: it answers 503; it is tried again"
                .formatted(server.url("/rows")),
            "INFO table readings: %s: it works again".formatted(server.url("/rows")));
  }

  // Who delivers next, on another device, sends the same requests.
  @Test
  void keysAreTheSameWhoeverDelivers() {
    server.takesAll();
    for (int device = 0; device < 2; device++) {
      send("/rows", Map.of("sink.request.max-rows", "2"), batch("a", "b", "c"));
    }
    assertThat(keys()).hasSize(4);
    assertThat(keys().subList(2, 4)).isEqualTo(keys().subList(0, 2));
    try (Feed run = open("/rows", Delivery.OF_A_RUN, Map.of())) {
      run.give(batch("a", "b"));
      run.flushAll();
    }
    assertThat(keys().subList(0, 4)).as("a run is no writer").doesNotContain(keys().getLast());
  }

  @Test
  void aRowThatIsRefusedIsFoundAndTheOthersAreTaken() {
    server
        .rules()
        .stubFor(
            any(anyUrl())
                .withRequestBody(containing("bad"))
                .willReturn(
                    aResponse()
                        .withStatus(422)
                        .withHeader("Content-Type", "text/plain")
                        .withBody("no such machine")));
    server
        .rules()
        .stubFor(
            any(anyUrl())
                .withRequestBody(notMatching("(?s).*bad.*"))
                .willReturn(aResponse().withStatus(200)));
    send("/rows", Map.of(), batch("a", "b", "bad", "c", "d"));
    List<String> taken = bodies().stream().filter(body -> !body.contains("bad")).toList();
    assertThat(String.join("", taken)).contains("\"a\"", "\"b\"", "\"c\"", "\"d\"");
    assertThat(String.join("", taken).split("machine", -1)).as("each once").hasSize(5);
    assertThat(context.malformed())
        .containsExactly(
            new TestContext.Malformed(
                "readings",
                server.url("/rows"),
                "{\"machine\":\"bad\",\"flow\":2}",
                "%s refuses the row (422): no such machine".formatted(server.url("/rows"))));
  }

  // Nothing is wrong with the rows: all of them would be dropped.
  @Test
  void aServerThatTakesNoRequestOfThisKindIsAnOutage() {
    server.answers(
        aResponse().withStatus(415),
        aResponse().withStatus(402),
        aResponse().withStatus(431),
        aResponse().withStatus(200));
    send("/rows", Map.of(), batch("a", "b"));
    assertThat(keys()).hasSize(4).containsOnly(keys().getFirst());
    assertThat(context.malformed()).isEmpty();
    assertThat(context.reports().getFirst())
        .contains("it does not take the media type (415); see 'headers.Content-Type'");
  }

  @Test
  void aJobMayFailInstead() {
    server.answers(aResponse().withStatus(400));
    Feed sink = open("/rows", OF_A_WRITER, Map.of("sink.on-refused", "fail"));
    sink.give(batch("a"));
    assertThatThrownBy(sink::flushAll)
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("refuses the row (400)")
        .hasMessageContaining("'sink.on-refused' = 'skip' would go on without it");
    sink.close();
  }

  @Test
  void aServerThatIsSlowIsAskedAgain() {
    server.answers(aResponse().withStatus(200).withFixedDelay(60_000), aResponse().withStatus(200));
    send("/rows", Map.of("request-timeout", "300 ms"), batch("a"));
    assertThat(context.reports().getFirst()).contains("it has not answered within 300 ms");
    assertThat(keys()).hasSizeGreaterThanOrEqualTo(1).containsOnly(keys().getFirst());
  }

  @Test
  void aHugeAnswerIsNotRead() {
    server.answers(aResponse().withStatus(200).withBody(new byte[32 << 20]));
    send("/rows", Map.of(), batch("a"));
    assertThat(keys()).hasSize(1);
    assertThat(context.reports()).isEmpty();
  }

  // Its status says that the rows are taken; they would be sent again for ever.
  @Test
  void anAnswerThatNeverEndsIsNotWaitedFor() throws IOException {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer open =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    open.setExecutor(task -> Thread.ofVirtual().start(task));
    open.createContext(
        "/",
        exchange -> {
          asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("taken".getBytes(UTF_8));
          exchange.getResponseBody().flush(); // And not closed.
        });
    open.start();
    String url = "http://127.0.0.1:%d/".formatted(open.getAddress().getPort());
    try (Feed sink = open("/", OF_A_WRITER, Map.of("url", url, "request-timeout", "10 s"))) {
      for (String machine : List.of("a", "b", "c")) {
        sink.give(batch(machine));
        sink.flushAll();
      }
    } finally {
      open.stop(0);
    }
    assertThat(asked).hasSize(3);
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void aRedirectionIsSaidAndNotFollowed() {
    server.answers(
        aResponse().withStatus(307).withHeader("Location", "http://elsewhere.invalid/"),
        aResponse().withStatus(200));
    send("/rows", Map.of("bearer-token", "hush"), batch("a"));
    assertThat(context.reports().getFirst())
        .contains("it answers 307, look at http://elsewhere.invalid/; write that in 'url'");
  }

  @Test
  void loginsAreGivenAndNeverSaid() {
    server.answers(aResponse().withStatus(401), aResponse().withStatus(200));
    send("/rows", Map.of("username", "ann", "password", "hush"), batch("a"));
    assertThat(server.requests().getLast().getHeader("Authorization"))
        .isEqualTo("Basic YW5uOmh1c2g=");
    assertThat(String.join("\n", context.reports()))
        .contains("the login is refused (401)")
        .doesNotContain("hush");
  }

  @Test
  void aTokenIsGotOnceAndAnewWhenItIsRefused() {
    server
        .rules()
        .stubFor(
            post("/token")
                .inScenario("token")
                .whenScenarioStateIs(Scenario.STARTED)
                .withRequestBody(equalTo("grant_type=client_credentials&scope=write"))
                .withBasicAuth("client", "h%3Aush")
                .willReturn(
                    aResponse().withBody("{\"access_token\":\"first\",\"expires_in\":3600}"))
                .willSetStateTo("again"));
    server
        .rules()
        .stubFor(
            post("/token")
                .inScenario("token")
                .whenScenarioStateIs("again")
                .willReturn(aResponse().withBody("{\"access_token\":\"second\"}")));
    Map<String, String> login =
        Map.of(
            "login.url", server.url("/token"),
            "login.client-id", "client",
            "login.client-secret", "h:ush",
            "login.scope", "write");
    for (String token : List.of("first", "second")) {
      server
          .rules()
          .stubFor(
              post("/rows")
                  .withHeader("Authorization", equalTo("Bearer " + token))
                  .willReturn(aResponse().withStatus(200)));
    }
    try (Feed sink = open("/rows", OF_A_WRITER, login)) {
      for (int i = 0; i < 3; i++) {
        sink.give(batch("a"));
        sink.flushAll();
      }
      server
          .rules()
          .stubFor(
              post("/rows")
                  .withHeader("Authorization", equalTo("Bearer first"))
                  .willReturn(aResponse().withStatus(401)));
      sink.give(batch("a"));
      sink.flushAll();
    }
    server.rules().verify(2, postRequestedFor(urlEqualTo("/token")));
    assertThat(context.reports()).as("it is renewed without a word").isEmpty();
  }

  @Test
  void aTokenThatNoHeaderCanTakeIsAnOutageAndNotSaid() {
    server
        .rules()
        .stubFor(
            post("/token").willReturn(aResponse().withBody("{\"access_token\":\"hu\\r\\nsh\"}")));
    server.rules().stubFor(post("/rows").willReturn(aResponse().withStatus(200)));
    Map<String, String> login =
        Map.of(
            "login.url", server.url("/token"),
            "login.client-id", "client",
            "login.client-secret", "secret");
    try (Feed sink = open("/rows", OF_A_WRITER, login)) {
      sink.give(batch("a"));
      Await.until("said", () -> !context.reports().isEmpty());
      assertThat(context.reports().getFirst())
          .contains("its answer has no 'access_token' of printable characters")
          .doesNotContain("hu");
      server
          .rules()
          .stubFor(post("/token").willReturn(aResponse().withBody("{\"access_token\":\"good\"}")));
      sink.flushAll();
    }
    assertThat(server.requests().getLast().getHeader("Authorization")).isEqualTo("Bearer good");
  }

  @Test
  void aLoginThatIsRefusedIsSaidWithoutItsSecret() {
    server
        .rules()
        .stubFor(
            any(anyUrl())
                .willReturn(
                    aResponse()
                        .withStatus(401)
                        .withBody(
                            "{\"error\":\"invalid_client\",\"error_description\":\"hush\"}")));
    Feed sink =
        open(
            "/rows",
            OF_A_WRITER,
            Map.of(
                "login.url", server.url("/token"),
                "login.client-id", "client",
                "login.client-secret", "hush"));
    sink.give(batch("a"));
    Await.until("said", () -> !context.reports().isEmpty());
    assertThat(context.reports().getFirst())
        .contains("no token from", "the login is refused (invalid_client)")
        .doesNotContain("hush");
    assertThat(sink.flush()).isFalse();
    server
        .rules()
        .stubFor(any(anyUrl()).willReturn(aResponse().withBody("{\"access_token\":\"t\"}")));
    sink.close();
    assertThat(server.requests().getLast().getUrl()).isEqualTo("/rows");
  }
}
