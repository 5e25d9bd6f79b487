package io.sedge.connector.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.http.Fault;
import io.sedge.connector.SourceReader;
import io.sedge.connector.http.testkit.Await;
import io.sedge.connector.http.testkit.Drain;
import io.sedge.connector.http.testkit.Faulty;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of answers, and what is said where there are none. */
final class PollSourceTest {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("flow", Type.INT).build();

  private final TestContext context = TestContext.live(Path.of("."));
  private final Faulty server = new Faulty();

  @AfterEach
  void stop() {
    server.close();
  }

  private SourceReader open(Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of("url", server.url("/state"), "format", "json", "poll-interval", "20 ms"));
    options.putAll(more);
    return new HttpConnector().source(Tables.table(SCHEMA, options), context).orElseThrow().open();
  }

  @Test
  void rowsStandWhereThePointerSays() {
    server.answers(
        aResponse()
            .withBody(
                """
                {"skip": [[1, {"items": 2}]], "data": {"pages": [{}, {"items":
                 [{"machine": "ä", "flow": 1}, {"machine": "b]", "flow": 2}]}]}}\
                """));
    try (SourceReader reader =
        open(Map.of("json-pointer", "/data/pages/1/items", "poll-interval", "1 h"))) {
      assertThat(new Drain(reader).until(2)).containsExactly(List.of("ä", 1), List.of("b]", 2));
    }
  }

  private static byte[] packed(String body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream output = new GZIPOutputStream(bytes)) {
      output.write(body.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void anAnswerMayBePacked() throws IOException {
    server.answers(
        aResponse()
            .withHeader("Content-Encoding", "gzip")
            .withBody(packed("{\"machine\": \"a\", \"flow\": 1}")));
    try (SourceReader reader = open(Map.of("poll-interval", "1 h"))) {
      assertThat(new Drain(reader).until(1)).containsExactly(List.of("a", 1));
    }
    assertThat(server.requests().getFirst().getHeader("Accept-Encoding")).isEqualTo("gzip");
  }

  private void assertRefused(String packing, byte[] body, String why) {
    server.answers(aResponse().withHeader("Content-Encoding", packing).withBody(body));
    try (SourceReader reader = open(Map.of("max-answer", "1 mb"))) {
      Await.until(
          "it is said: " + why,
          () -> {
            assertThat(reader.poll(0)).isNull();
            return context.reports().stream().anyMatch(report -> report.contains(why));
          });
    }
  }

  // A small answer may unpack to gigabytes.
  @Test
  void whatIsPackedIsNoLargerThanAllowedWhenItIsUnpacked() throws IOException {
    assertRefused("gzip", packed(" ".repeat(2 << 20)), "its answer is larger than 1048576 bytes");
  }

  @Test
  void whatCannotBeUnpackedIsSaid() {
    assertRefused("gzip", "no gzip".getBytes(UTF_8), "its answer is damaged: it is no whole gzip");
    assertRefused("br", "packed".getBytes(UTF_8), "its answer is packed, and not by gzip");
  }

  @Test
  void anObjectIsARow() {
    server.answers(aResponse().withBody("{\"machine\": \"a\", \"flow\": 1}"));
    try (SourceReader reader = open(Map.of())) {
      assertThat(new Drain(reader).until(2).subList(0, 2))
          .as("one each time that it is asked")
          .containsExactly(List.of("a", 1), List.of("a", 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\uFEFF"})
  void linesOfCsvAreRows(String mark) {
    server.answers(aResponse().withBody(mark + "flow,machine\r\n1,a\r\n\r\n2,b"));
    Map<String, String> csv = Map.of("format", "csv", "csv.header", "true", "poll-interval", "1 h");
    try (SourceReader reader = open(csv)) {
      assertThat(new Drain(reader).until(2)).containsExactly(List.of("a", 1), List.of("b", 2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"row", "lines", "array"})
  void aByteOrderMarkBeforeABodyIsNoPartOfIt(String form) {
    server.answers(aResponse().withBody("\uFEFF{\"machine\": \"a\", \"flow\": 1}"));
    try (SourceReader reader = open(Map.of("body", form, "poll-interval", "1 h"))) {
      assertThat(new Drain(reader).until(1)).containsExactly(List.of("a", 1));
    }
    assertThat(context.malformed()).isEmpty();
  }

  @Test
  void aRowThatCannotBeDecodedCostsNoOther() {
    server.answers(
        aResponse()
            .withBody(
                "[{\"machine\": \"a\", \"flow\": 1}, {\"machine\": \"b\", \"flow\": \"no\"},"
                    + " {\"machine\": \"c\", \"flow\": 3}]"),
        aResponse().withBody("<html>not JSON</html>"),
        aResponse().withStatus(204));
    try (SourceReader reader = open(Map.of())) {
      Drain drain = new Drain(reader);
      assertThat(drain.until(2)).containsExactly(List.of("a", 1), List.of("c", 3));
      Await.until(
          "two are malformed",
          () -> {
            drain.poll();
            return reader.counters().malformed() == 2;
          });
    }
    assertThat(context.malformed().getFirst().payload())
        .isEqualTo("{\"machine\": \"b\", \"flow\": \"no\"}");
    assertThat(context.malformed().getLast().reason()).startsWith("the body is not JSON");
  }

  // Some services have the key in the path; a row says where it came from.
  @Test
  void aSecretInThePathStandsInNoRow() {
    server.answers(aResponse().withBody("[{\"machine\": \"a\"}, 5]"));
    context.withSecret("hush");
    Schema schema =
        Schema.builder().add("machine", Type.STRING).add("address", Type.STRING.notNull()).build();
    Map<String, String> options =
        Map.of("url", server.url("/hush/state"), "format", "json", "poll-interval", "1 h");
    try (SourceReader reader =
        new HttpConnector()
            .source(Tables.table(schema, Map.of(1, "address"), options), context)
            .orElseThrow()
            .open()) {
      assertThat(new Drain(reader).until(1))
          .containsExactly(List.of("a", server.url("/***/state")));
    }
    assertThat(server.requests().getFirst().getUrl()).isEqualTo("/hush/state");
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::origin)
        .containsExactly(server.url("/***/state"));
  }

  // Also by the next reader, on whatever device, which knows the version from the position.
  @Test
  void aVersionThatWasReadIsNotReadAgain() {
    server
        .rules()
        .stubFor(
            any(anyUrl())
                .atPriority(2)
                .willReturn(
                    aResponse()
                        .withHeader("ETag", "\"7\"")
                        .withBody("{\"machine\": \"a\", \"flow\": 1}")));
    server
        .rules()
        .stubFor(
            get(anyUrl())
                .atPriority(1)
                .withHeader("If-None-Match", equalTo("\"7\""))
                .willReturn(aResponse().withStatus(304)));
    byte[] position;
    try (SourceReader reader = open(Map.of())) {
      Drain drain = new Drain(reader);
      drain.until(1);
      int asked = server.requests().size();
      Await.until("asked again", () -> drain.poll().size() == 1 && asked() > asked + 3);
      position = reader.position();
    }
    try (SourceReader reader = open(Map.of())) {
      reader.seek(position);
      int asked = asked();
      Drain drain = new Drain(reader);
      Await.until("asked again", () -> drain.poll().isEmpty() && asked() > asked + 3);
    }
  }

  private int asked() {
    return server.requests().size();
  }

  @Test
  void whatIsMissingIsReportedWithItsTimes() {
    server.answers(
        aResponse().withBody("{\"machine\": \"a\", \"flow\": 1}"),
        aResponse().withStatus(500),
        aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE),
        aResponse().withBody(new byte[2_000]),
        aResponse().withBody("{\"machine\": \"b\", \"flow\": 2}"));
    try (SourceReader reader = open(Map.of("max-answer", "1000"))) {
      Drain drain = new Drain(reader);
      Await.until("b", () -> drain.poll().contains(List.<Object>of("b", 2)));
    }
    String place = server.url("/state");
    assertThat(context.reports())
        .anyMatch(
            said -> said.matches(".*%s gives nothing since .*: it answers 500".formatted(place)))
        .anyMatch(
            said ->
                said.matches(
                    ".*%s answers again; nothing was got from .* to .*, \\d+ times"
                        .formatted(place)));
  }

  // It is broken off after the bound, however long it is.
  @Test
  void anAnswerOverTheBoundIsNotRead() {
    server.answers(aResponse().withBody(new byte[48 << 20]));
    try (SourceReader reader = open(Map.of("max-answer", "1 kb"))) {
      Drain drain = new Drain(reader);
      Await.until(
          "said",
          () ->
              drain.poll().isEmpty()
                  && context.reports().stream()
                      .anyMatch(said -> said.endsWith("its answer is larger than 1024 bytes")));
    }
  }
}
