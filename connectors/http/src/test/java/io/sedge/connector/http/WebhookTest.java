package io.sedge.connector.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.SourceReader;
import io.sedge.connector.http.testkit.Await;
import io.sedge.connector.http.testkit.Caller;
import io.sedge.connector.http.testkit.Drain;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When requests are answered, and with what. */
final class WebhookTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("flow", Type.INT).build();

  private static final String ROW = "{\"machine\": \"a\", \"flow\": 1}";
  private static final Map<String, String> KEY = Map.of("Idempotency-Key", "one");

  private final TestContext context = TestContext.live(Path.of("."));
  private final int port = Caller.freePort();
  private final Caller caller = caller();

  /** A sender with a connection of its own. */
  private Caller caller() {
    return new Caller("http://127.0.0.1:%d/rows".formatted(port));
  }

  @AfterEach
  void stop() {
    caller.close();
  }

  private SourceReader open(Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(Map.of("listen", "127.0.0.1:" + port, "path", "/rows", "format", "json"));
    options.putAll(more);
    return new WebhookConnector()
        .source(Tables.table(SCHEMA, options), context)
        .orElseThrow()
        .open();
  }

  /** Polls until an answer is there. */
  private static HttpResponse<String> answer(
      Drain drain, CompletableFuture<HttpResponse<String>> answer) {
    Await.until(
        "an answer",
        () -> {
          drain.poll();
          return answer.isDone();
        });
    return answer.join();
  }

  @Test
  void aRequestIsAnsweredOnceItsRowsAreCommitted() {
    try (SourceReader reader = open(Map.of())) {
      Drain drain = new Drain(reader);
      CompletableFuture<HttpResponse<String>> answer =
          caller.send("[%s, {\"machine\": \"b\", \"flow\": 2}]".formatted(ROW));
      assertThat(drain.until(2)).containsExactly(List.of("a", 1), List.of("b", 2));
      byte[] before = reader.position();
      CompletableFuture<HttpResponse<String>> next = caller.send(ROW);
      drain.until(3);
      assertThat(answer).isNotDone();
      reader.acknowledge(before);
      assertThat(answer.join().statusCode()).isEqualTo(200);
      assertThat(next).as("it came after the position").isNotDone();
      reader.acknowledge(reader.position());
      assertThat(next.join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whatCannotBeDecodedIsRefusedAtOnce() {
    try (SourceReader reader = open(Map.of("max-payload", "100"))) {
      Drain drain = new Drain(reader);
      HttpResponse<String> refused = answer(drain, caller.send("{\"flow\": \"no\"}"));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("flow");
      assertThat(answer(drain, caller.send("[]")).statusCode()).isEqualTo(200);
      assertThat(answer(drain, caller.send("x".repeat(101))).statusCode()).isEqualTo(413);
      assertThat(reader.counters().malformed()).isEqualTo(1);
      assertThat(drain.poll()).isEmpty();
    }
  }

  @Test
  void aFullQueueTellsSendersToComeAgain() {
    try (SourceReader reader = open(Map.of("queue-bytes", "100"))) {
      Drain drain = new Drain(reader);
      CompletableFuture<HttpResponse<String>> first = caller.send(ROW);
      drain.until(1);
      HttpResponse<String> second = answer(drain, caller.send(ROW));
      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(reader.wantsCommit()).isTrue();
      reader.acknowledge(reader.position());
      assertThat(first.join().statusCode()).isEqualTo(200);
    }
  }

  // Its sender got no answer: the process died after the commit, or before it.
  @Test
  void aRequestThatComesAgainIsCountedOnce() {
    byte[] committed;
    byte[] uncommitted;
    try (SourceReader reader = open(Map.of())) {
      Drain drain = new Drain(reader);
      uncommitted = reader.position();
      CompletableFuture<HttpResponse<String>> first = caller.send(ROW, KEY);
      drain.until(1);
      CompletableFuture<HttpResponse<String>> second = caller.send(ROW, KEY);
      CompletableFuture<HttpResponse<String>> other =
          caller.send("{\"machine\": \"b\", \"flow\": 2}", KEY);
      assertThat(drain.until(2)).as("another body is another request").hasSize(2);
      committed = reader.position();
      reader.acknowledge(committed);
      assertThat(first.join().statusCode()).isEqualTo(200);
      assertThat(second.join().statusCode()).isEqualTo(200);
      assertThat(other.join().statusCode()).isEqualTo(200);
      assertThat(answer(drain, caller.send(ROW, KEY)).body()).isEqualTo("counted before");
    }
    try (Caller again = caller();
        SourceReader next = open(Map.of())) {
      next.seek(committed);
      Drain drain = new Drain(next);
      assertThat(answer(drain, again.send(ROW, KEY)).body()).isEqualTo("counted before");
      assertThat(drain.poll()).isEmpty();
    }
    try (Caller again = caller();
        SourceReader next = open(Map.of())) {
      next.seek(uncommitted);
      CompletableFuture<HttpResponse<String>> answer = again.send(ROW, KEY);
      assertThat(new Drain(next).until(1)).hasSize(1);
      next.acknowledge(next.position());
      assertThat(answer.join().body()).isEqualTo("counted");
    }
  }

  @Test
  void theWindowIsBounded() {
    try (SourceReader reader = open(Map.of("idempotency.window", "2"))) {
      Drain drain = new Drain(reader);
      int empty = reader.position().length;
      for (int i = 0; i < 4; i++) {
        CompletableFuture<HttpResponse<String>> answer =
            caller.send(ROW, Map.of("Idempotency-Key", "key " + i));
        drain.until(i + 1);
        reader.acknowledge(reader.position());
        answer.join();
      }
      assertThat(reader.position()).hasSize(empty + 2 * Long.BYTES);
      assertThat(answer(drain, caller.send(ROW, Map.of("Idempotency-Key", "key 2"))).body())
          .isEqualTo("counted before");
    }
  }

  @Test
  void senderMustHaveTheToken() {
    try (SourceReader reader = open(Map.of("bearer-token", "hush"))) {
      Drain drain = new Drain(reader);
      for (String wrong : List.of("Bearer hus", "Bearer ", "Basic hush", "hush")) {
        assertThat(answer(drain, caller.send(ROW, Map.of("Authorization", wrong))).statusCode())
            .as(wrong)
            .isEqualTo(401);
      }
      assertThat(answer(drain, caller.send(ROW)).statusCode()).isEqualTo(401);
      CompletableFuture<HttpResponse<String>> right =
          caller.send(ROW, Map.of("Authorization", "Bearer hush"));
      drain.until(1);
      reader.acknowledge(reader.position());
      assertThat(right.join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aBodyMustBeSigned() throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("hush".getBytes(UTF_8), "HmacSHA256"));
    String signature = HexFormat.of().formatHex(mac.doFinal(ROW.getBytes(UTF_8)));
    try (SourceReader reader = open(Map.of("signature.secret", "hush"))) {
      Drain drain = new Drain(reader);
      for (Map<String, String> wrong :
          List.of(
              Map.<String, String>of(),
              Map.of("X-Hub-Signature-256", "sha256=zz"),
              Map.of("X-Hub-Signature-256", "sha256=" + "0".repeat(64)))) {
        assertThat(answer(drain, caller.send(ROW, wrong)).statusCode()).isEqualTo(401);
      }
      assertThat(
              answer(drain, caller.send(ROW + " ", Map.of("X-Hub-Signature-256", signature)))
                  .statusCode())
          .as("another body")
          .isEqualTo(401);
      CompletableFuture<HttpResponse<String>> right =
          caller.send(ROW, Map.of("X-Hub-Signature-256", "sha256=" + signature));
      drain.until(1);
      reader.acknowledge(reader.position());
      assertThat(right.join().statusCode()).isEqualTo(200);
    }
  }

  /** Sends the head of a request and nothing of its body. */
  private Socket announce(String header, int length) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    socket
        .getOutputStream()
        .write(
            "POST /rows HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(header, length)
                .getBytes(UTF_8));
    return socket;
  }

  private SourceReader listening(Map<String, String> more) {
    SourceReader reader = open(more);
    reader.poll(0);
    Await.until("it listens", () -> context.reports().toString().contains("listens at"));
    return reader;
  }

  @Test
  void whoDoesNotSignIsRefusedBeforeTheBody() throws IOException {
    try (SourceReader _ = listening(Map.of("signature.secret", "hush"));
        Socket stranger = announce("", 1_000)) {
      BufferedReader answer =
          new BufferedReader(new InputStreamReader(stranger.getInputStream(), UTF_8));
      assertThat(answer.readLine()).startsWith("HTTP/1.1 401 ");
    }
  }

  // Else those who announce much and send nothing would shut out all others.
  @Test
  void whatIsAnnouncedTakesNoRoom() throws IOException {
    try (SourceReader reader = listening(Map.of("queue-bytes", "2 kb", "max-payload", "2 kb"));
        Socket _ = announce("", 2_040);
        Socket _ = announce("", 2_040)) {
      Drain drain = new Drain(reader);
      CompletableFuture<HttpResponse<String>> answer = caller.send(ROW);
      assertThat(drain.until(1)).hasSize(1);
      reader.acknowledge(reader.position());
      assertThat(answer.join().statusCode()).isEqualTo(200);
    }
  }

  // A task moves: the older reader still listens when the next one begins.
  @Test
  void anAddressThatIsTakenIsTriedAgain() {
    SourceReader older = open(Map.of());
    older.poll(0);
    Await.until("it listens", () -> context.reports().toString().contains("listens at"));
    try (Caller sender = caller();
        SourceReader next = open(Map.of())) {
      next.poll(0);
      Await.until("said", () -> context.reports().toString().contains("it cannot listen there"));
      older.close();
      CompletableFuture<HttpResponse<String>> answer = sender.send(ROW);
      new Drain(next).until(1);
      next.acknowledge(next.position());
      assertThat(answer.join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void thoseThatWaitAreToldWhenTheJobStops() {
    SourceReader reader = open(Map.of());
    CompletableFuture<HttpResponse<String>> answer = caller.send(ROW);
    new Drain(reader).until(1);
    reader.close();
    assertThat(answer.join().statusCode()).isEqualTo(503);
  }

  @Test
  void nothingListensOpenlyBeyondThisMachine() {
    for (String listen : List.of("0.0.0.0:8088", "192.0.2.1:8088", "[::]:8088", "127.evil:1")) {
      assertThatThrownBy(() -> open(Map.of("listen", listen)))
          .hasMessageContaining("can be reached from other machines");
      assertThatThrownBy(
              () -> open(Map.of("listen", listen, "tls.certificate", "a.pem", "tls.key", "b.pem")))
          .hasMessageContaining("one of 'bearer-token', 'signature.secret' and 'tls.ca'");
    }
  }
}
