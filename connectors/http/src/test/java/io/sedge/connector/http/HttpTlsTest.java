package io.sedge.connector.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.sedge.connector.SourceReader;
import io.sedge.connector.http.testkit.Await;
import io.sedge.connector.http.testkit.Caller;
import io.sedge.connector.http.testkit.Drain;
import io.sedge.connector.http.testkit.Faulty;
import io.sedge.connector.http.testkit.Keys;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that nobody but the table's files vouch for. */
final class HttpTlsTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("flow", Type.INT).build();

  @TempDir private Path directory;
  private TestContext context = new TestContext(Path.of("."));
  private Keys keys = new Keys(Path.of("."));

  @BeforeEach
  void begin() {
    context = TestContext.live(directory);
    keys = Keys.create(directory);
  }

  private Feed sink(Faulty server, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("url", server.rules().url("/rows").replace("http:", "https:"));
    options.put("format", "json");
    return Feed.open(
        new HttpConnector().sink(Tables.table(SCHEMA, options), context).orElseThrow());
  }

  private Faulty serverWithTls() {
    return new Faulty(
        WireMockConfiguration.wireMockConfig()
            .httpDisabled(true)
            .dynamicHttpsPort()
            .keystorePath(keys.store().toString())
            .keystorePassword(Keys.PASSWORD)
            .keyManagerPassword(Keys.PASSWORD)
            .keystoreType("PKCS12"));
  }

  @Test
  void aServerIsTrustedThatTheTablesAuthorityVouchesFor() {
    try (Faulty server = serverWithTls()) {
      server.takesAll();
      BatchBuilder rows = new BatchBuilder(SCHEMA);
      rows.addRow("a", 1);
      try (Feed sink = sink(server, Map.of("tls.ca", keys.certificate().toString()))) {
        sink.give(rows.build());
        sink.flushAll();
      }
      assertThat(server.requests()).hasSize(1);
      Feed stranger = sink(server, Map.of());
      rows.addRow("b", 2);
      stranger.give(rows.build());
      Await.until("said", () -> !context.reports().isEmpty());
      assertThat(context.reports().getFirst())
          .contains("the TLS handshake fails")
          .contains("see 'tls.ca'");
      assertThat(server.requests()).as("nothing was sent").hasSize(1);
    }
  }

  // Files are renewed in place: a reader may come amid it.
  @Test
  void aFileThatCannotBeUsedAnyMoreEndsNoJob() throws IOException {
    try (Faulty server = serverWithTls()) {
      server.answers(
          aResponse().withStatus(200),
          aResponse().withStatus(503),
          aResponse().withStatus(503),
          aResponse().withStatus(200));
      BatchBuilder rows = new BatchBuilder(SCHEMA);
      rows.addRow("a", 1);
      try (Feed sink = sink(server, Map.of("tls.ca", keys.certificate().toString()))) {
        sink.give(rows.build());
        sink.flushAll();
        Files.writeString(keys.certificate(), "-----BEGIN CERTIFICATE-----");
        rows.addRow("b", 2);
        sink.give(rows.build());
        sink.flushAll();
      }
      assertThat(server.requests()).hasSize(4);
      assertThat(context.reports())
          .filteredOn(said -> said.endsWith("; what it held before is used on"))
          .as("said once")
          .singleElement()
          .asString()
          .contains("'tls.ca' = '%s' is not a certificate".formatted(keys.certificate()));
    }
  }

  @Test
  void aWebhookSpeaksTls() {
    int port = Caller.freePort();
    Map<String, String> options =
        Map.of(
            "listen",
            "localhost:" + port,
            "format",
            "json",
            "bearer-token",
            "hush",
            "tls.certificate",
            keys.certificate().toString(),
            "tls.key",
            keys.key().toString());
    HttpClient client = HttpClient.newBuilder().sslContext(keys.trusting()).build();
    try (Caller caller = new Caller("https://localhost:%d/".formatted(port), client);
        SourceReader reader =
            new WebhookConnector()
                .source(Tables.table(SCHEMA, options), context)
                .orElseThrow()
                .open()) {
      CompletableFuture<HttpResponse<String>> answer =
          caller.send("{\"machine\": \"a\", \"flow\": 1}", Map.of("Authorization", "Bearer hush"));
      assertThat(new Drain(reader).until(1)).containsExactly(List.of("a", 1));
      reader.acknowledge(reader.position());
      assertThat(answer.join().statusCode()).isEqualTo(200);
    }
  }
}
