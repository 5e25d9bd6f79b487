package io.sedge.center.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.AccessReport;
import io.sedge.center.api.SiteReport;
import io.sedge.center.api.SiteToken;
import io.sedge.center.internal.client.ClientTls;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.QueryResult;
import io.sedge.center.store.RowReceiver;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreOptions;
import io.sedge.identity.TokenText;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What sites have sent, asked for by programs; and what an admin does. */
@Timeout(60)
class CenterDataTest {
  private static final Path PAGE = Path.of("..", "docs", "center-api.md");
  private static final String ENDLESS =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

  @TempDir Path directory;
  private TestCenter center;
  private Asking asking;
  private CenterClient admin;

  @BeforeEach
  void start() throws Exception {
    center = new TestCenter(directory, Duration.ofMillis(20));
    asking = new Asking(center);
    admin = CenterClient.local(directory);
  }

  @AfterEach
  void stop() {
    admin.close();
    asking.close();
    center.close();
  }

  private HttpResponse<String> query(String accept, String sql) throws Exception {
    return asking.send(
        asking
            .request(
                center.token(Role.VIEWER),
                "POST",
                "/query",
                BodyPublishers.ofString(new JsonMapper().writeValueAsString(Map.of("sql", sql))))
            .header("Accept", accept));
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonMapper().readTree(answer.body());
  }

  @Test
  void rowsAreJsonOrCsvAsIsAskedFor() throws Exception {
    TestTable.fill(center.store(), 2);
    String sql = "SELECT machine, temperature, readings, ok, '' AS e FROM machines ORDER BY _seq";
    JsonNode result = json(query("application/json", sql));
    assertThat(result.get("columns").findValuesAsText("name"))
        .containsExactly("machine", "temperature", "readings", "ok", "e");
    assertThat(result.get("complete").booleanValue()).isTrue();
    assertThat(result.get("rows").get(0).toString())
        .isEqualTo("[\"a,\\\"b\\\"\\n\",null,9223372036854775807,null,\"\"]");
    assertThat(result.get("rows").get(1).get(1).doubleValue()).isEqualTo(1.5);
    assertThat(query("text/csv", sql).body())
        .startsWith(
            "machine,temperature,readings,ok,e\n\"a,\"\"b\"\"\n\",,9223372036854775807,,\"\"\n")
        .contains("\noven,1.5,1,");
    assertThat(json(query("*/*", "SELECT 9e999, -9e999")).get("rows").toString())
        .isEqualTo("[[\"Infinity\",\"-Infinity\"]]");
  }

  @Test
  void whatALimitCutsIsSaid() throws Exception {
    TestTable.fill(center.store(), 20);
    List<List<Object>> rows = new ArrayList<>();
    QueryResult result = admin.query("SELECT _seq FROM machines", Optional.of(7L), into(rows));
    assertThat(result).isEqualTo(new QueryResult(7, 0, false));
    assertThat(rows).hasSize(7);
    QueryResult large =
        admin.query(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                + " SELECT hex(zeroblob(100000)) FROM n",
            Optional.empty(),
            into(new ArrayList<>()));
    assertThat(large.complete()).isFalse();
    assertThat(large.rows()).isLessThan(1_000);
  }

  private static RowReceiver into(List<List<Object>> rows) {
    return new RowReceiver() {
      @Override
      public void columns(List<Column> columns) {}

      @Override
      public void row(List<Object> values) {
        rows.add(values);
      }
    };
  }

  /** The store runs four queries at once; they would run for 30 s if they were not ended. */
  @Test
  void queriesOfWhoHasLeftAreEnded() throws Exception {
    String body = "{\"sql\": \"%s\"}".formatted(ENDLESS);
    String request =
        "POST /api/v1/query HTTP/1.1\r\nHost: center\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(center.token(Role.VIEWER), body.length(), body);
    List<SSLSocket> sockets = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SSLSocket socket =
          (SSLSocket)
              ClientTls.trusting(directory.resolve("authority/certificate.pem"))
                  .getSocketFactory()
                  .createSocket("127.0.0.1", center.address().getPort());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      sockets.add(socket);
    }
    for (SSLSocket socket : sockets) {
      assertThat(socket.getInputStream().read()).as("the answer has begun").isEqualTo('H');
    }
    assertThat(query("*/*", "SELECT 1").body()).contains("BUSY");
    for (SSLSocket socket : sockets) {
      socket.close();
    }
    while (query("*/*", "SELECT 1").body().contains("BUSY")) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void aChartHasALineForEachGroup() throws Exception {
    TestTable.fill(center.store(), 100);
    String path =
        "/tables/machines/series?time=window_end&value=temperature&by=machine&where=_site=north"
            + "&from=1970-01-01T00:00:00Z&to=1970-01-01T01:00:00Z&points=4";
    JsonNode series = json(asking.get(center.token(Role.VIEWER), path));
    assertThat(series.get("by").toString()).isEqualTo("[\"machine\"]");
    assertThat(series.get("complete").booleanValue()).isTrue();
    assertThat(series.get("lines").toString()).contains("[\"press\"]").contains("\"average\":");
    for (JsonNode line : series.get("lines")) {
      assertThat(line.get("points").size()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void aSiteIsShownWithWhatItHasSentAndLabelledHeldBackAndShutOut() throws Exception {
    TestTable.fill(center.store(), 9);
    admin.label("north", Map.of("plant", "hamburg"));
    SiteReport site = admin.site("north");
    assertThat(site.labels()).isEqualTo(Map.of("plant", "hamburg"));
    assertThat(site.streams())
        .singleElement()
        .satisfies(
            stream -> {
              assertThat(stream.table()).isEqualTo("machines");
              assertThat(stream.sequence()).isEqualTo(10);
              assertThat(stream.rows()).isEqualTo(10);
            });
    assertThat(admin.acceptRestored("north")).isEqualTo(1);
    admin.revoke("north");
    assertThat(admin.sites()).singleElement().extracting(SiteReport::state).isEqualTo("revoked");
    assertThat(admin.keep("machines", Optional.of(Duration.ofDays(90)), Optional.of("window_end")))
        .satisfies(table -> assertThat(table.keepSeconds()).isEqualTo(90 * 86_400L));
    assertThat(admin.audit(10))
        .extracting(entry -> entry.what() + " " + entry.subject() + " " + entry.who())
        .contains(
            "site revoke north local (127.0.0.1)",
            "site accept north local (127.0.0.1)",
            "site label north local (127.0.0.1)",
            "table keep machines local (127.0.0.1)");
    refused(FailureCode.UNKNOWN_NAME, () -> admin.site("nort/h?#"));
    refused(FailureCode.UNKNOWN_NAME, () -> admin.revoke("south"));
  }

  /** Something that fails. */
  private interface Attempt {
    void make() throws Exception;
  }

  private static void refused(FailureCode code, Attempt attempt) {
    CenterException refused = Assertions.catchThrowableOfType(CenterException.class, attempt::make);
    assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code);
  }

  @Test
  void tokensAreShownOnceAndKeptAsHashes() throws Exception {
    AccessReport made =
        admin.addAccess("grafana", "viewer", List.of(), Optional.of(Duration.ofDays(1)));
    SiteToken site = admin.siteToken(Optional.of("north"), Duration.ofHours(1));
    assertThat(TokenText.parse(site.token()).authority()).hasSize(32);
    assertThat(admin.accessTokens())
        .extracting(AccessReport::name, AccessReport::token)
        .containsExactly(Assertions.tuple("grafana", null), Assertions.tuple("local", null));
    assertThat(asking.get(made.token(), "/center").statusCode()).isEqualTo(200);
    refused(
        FailureCode.NAME_TAKEN,
        () -> admin.addAccess("grafana", "admin", List.of(), Optional.empty()));
    admin.removeAccess("grafana");
    assertThat(asking.get(made.token(), "/center").statusCode()).isEqualTo(401);
    refused(FailureCode.UNKNOWN_NAME, () -> admin.removeAccess("grafana"));
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(bytes).as(file.toString()).doesNotContain(made.token(), site.token());
      }
    }
    assertThat(center.said()).isEmpty();
  }

  @Test
  void theCodeOfTheFirstStartMakesAnAdminOnce() throws Exception {
    FirstLogin login =
        new FirstLogin(directory.resolve("control"), InstantSource.system(), Optional.empty());
    String stale = login.offer(center.store()).orElseThrow();
    String code = login.offer(center.store()).orElseThrow();
    assertThat(login(stale)).isEqualTo(401);
    assertThat(login(code)).isEqualTo(201);
    assertThat(login(code)).isEqualTo(401);
    assertThat(login.offer(center.store())).as("there is an admin").isEmpty();
    assertThat(admin.audit(1).getFirst().what()).isEqualTo("first login");
  }

  private int login(String code) throws Exception {
    HttpResponse<String> answer =
        asking.ask("", "POST", "/login", "{\"code\": \"%s\", \"name\": \"anna\"}".formatted(code));
    if (answer.statusCode() == 201) {
      String token = new JsonMapper().readTree(answer.body()).get("token").textValue();
      assertThat(asking.get(token, "/access-tokens").statusCode()).isEqualTo(200);
    }
    return answer.statusCode();
  }

  @Test
  void aCodeIsWorthNothingWhenItsTimeIsOver() throws Exception {
    InstantSource then =
        InstantSource.fixed(InstantSource.system().instant().minus(FirstLogin.LIFE));
    String code =
        new FirstLogin(directory.resolve("control"), then, Optional.empty())
            .offer(center.store())
            .orElseThrow();
    assertThat(login(code)).isEqualTo(401);
  }

  @Test
  void aBackupIsWholeAndIsNotWrittenOver() throws Exception {
    TestTable.fill(center.store(), 50);
    Path file = Path.of(admin.backup("b.db").file());
    assertThat(file).isRegularFile().hasParent(directory.resolve("backups").toAbsolutePath());
    refused(FailureCode.NAME_TAKEN, () -> admin.backup("b.db"));
    StoreOptions elsewhere = StoreOptions.embedded(directory.resolve("restored"));
    Store.restore(file, elsewhere);
    try (Store restored = Store.open(elsewhere, InstantSource.system(), _ -> {})) {
      assertThat(restored.tables().getFirst().rows()).isEqualTo(51);
    }
  }

  @Test
  void eachMetricIsOnThePageWithItsTypeLabelsAndUnit() throws Exception {
    TestTable.fill(center.store(), 2);
    center.store().sites().seen("north");
    Map<String, String> told = new TreeMap<>();
    String text = asking.get("", "/metrics").body();
    for (String line : text.lines().toList()) {
      String[] words = line.split("[ {]", -1);
      if (line.startsWith("# TYPE ")) {
        told.put(words[2], words[3] + " | ");
      } else if (!line.startsWith("#") && line.contains("{")) {
        told.put(words[0], told.get(words[0]).split(" ", 2)[0] + " | " + words[1].split("=", 2)[0]);
      }
    }
    Map<String, String> documented = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      String[] cells = line.split("\\|", -1);
      if (cells.length == 7 && cells[1].contains("_")) {
        documented.put(
            cells[1].strip().replace("`", ""), cells[2].strip() + " | " + cells[3].strip());
        assertThat(cells[4]).as(line).isNotBlank();
      }
    }
    assertThat(told).isEqualTo(documented);
    assertThat(text).contains("sedge_center_rows_total 3.0", "{table=\"machines\"} 3.0");
  }

  @Test
  void whoAsksACenterThatIsNotThereIsToldWhatToDo() throws Exception {
    refused(FailureCode.CONNECTION_FAILED, () -> CenterClient.local(directory.resolve("x")));
    refused(
        FailureCode.CONNECTION_FAILED,
        () -> {
          try (CenterClient client = CenterClient.of(center.address(), "x", Optional.empty())) {
            client.status();
          }
        });
    try (CenterClient viewer =
        CenterClient.of(
            center.address(),
            center.token(Role.VIEWER),
            Optional.of(directory.resolve("authority/certificate.pem")))) {
      assertThat(viewer.status().version()).isEqualTo("test");
      refused(FailureCode.JOIN_REFUSED, viewer::accessTokens);
      refused(
          FailureCode.USAGE,
          () -> viewer.query("DELETE FROM sedge_site", Optional.empty(), into(List.of())));
    }
  }
}
