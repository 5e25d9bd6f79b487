package io.sedge.center.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.helidon.http.Method;
import io.sedge.center.api.AccessReport;
import io.sedge.center.api.AuditEntry;
import io.sedge.center.api.BackupReport;
import io.sedge.center.api.CenterEvent;
import io.sedge.center.api.CenterStatus;
import io.sedge.center.api.ConsoleReport;
import io.sedge.center.api.Failure;
import io.sedge.center.api.LinkReport;
import io.sedge.center.api.LocationReport;
import io.sedge.center.api.PersonReport;
import io.sedge.center.api.Requests;
import io.sedge.center.api.SeriesReport;
import io.sedge.center.api.SiteReport;
import io.sedge.center.api.SiteToken;
import io.sedge.center.api.TableReport;
import io.sedge.center.store.AccessTokens.Role;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What may be asked for, who may, and what a stranger gets. */
class ApiTest {
  private static final Path PAGE = Path.of("..", "docs", "center-api.md");

  private static final Map<String, Class<?>> RECORDS =
      Map.ofEntries(
          Map.entry("Failure", Failure.class),
          Map.entry("Login", Requests.Login.class),
          Map.entry("Center", CenterStatus.class),
          Map.entry("Database", CenterStatus.Database.class),
          Map.entry("Site", SiteReport.class),
          Map.entry("Stream", SiteReport.Stream.class),
          Map.entry("ForSite", Requests.ForSite.class),
          Map.entry("SiteToken", SiteToken.class),
          Map.entry("Table", TableReport.class),
          Map.entry("Series", SeriesReport.class),
          Map.entry("Line", SeriesReport.Line.class),
          Map.entry("Retention", Requests.Retention.class),
          Map.entry("Query", Requests.Query.class),
          Map.entry("Audit", AuditEntry.class),
          Map.entry("ForAccess", Requests.ForAccess.class),
          Map.entry("Access", AccessReport.class),
          Map.entry("Console", ConsoleReport.class),
          Map.entry("Caller", ConsoleReport.Caller.class),
          Map.entry("Credentials", Requests.Credentials.class),
          Map.entry("First", Requests.First.class),
          Map.entry("Location", LocationReport.class),
          Map.entry("Returned", Requests.Returned.class),
          Map.entry("Password", Requests.Password.class),
          Map.entry("Event", CenterEvent.class),
          Map.entry("Person", PersonReport.class),
          Map.entry("ForPerson", Requests.ForPerson.class),
          Map.entry("ForRole", Requests.ForRole.class),
          Map.entry("Link", LinkReport.class),
          Map.entry("ForBackup", Requests.Backup.class),
          Map.entry("Backup", BackupReport.class));

  @TempDir static Path directory;
  private static TestCenter center;
  private static Asking asking;

  @BeforeAll
  static void start() throws Exception {
    center = new TestCenter(directory);
    asking = new Asking(center);
  }

  @AfterAll
  static void stop() {
    asking.close();
    center.close();
    assertThat(center.said()).isEmpty();
  }

  /** Names that nothing has, and empty bodies: permission comes before all else. */
  @Test
  void eachRouteIsForItsRoleAndThoseAboveAndForNobodyElse() throws Exception {
    Map<String, String> tokens = new TreeMap<>();
    tokens.put("", "");
    for (Role role : Role.values()) {
      tokens.put(role.name(), center.token(role));
    }
    for (Route route : center.service().routes()) {
      for (Map.Entry<String, String> token : tokens.entrySet()) {
        int expected = expected(route, token.getKey());
        if (expected == 0 && route.path().equals("/events")) {
          continue; // Does not end; EventsTest listens to it.
        }
        String asked = "%s %s as '%s'".formatted(route.method(), route.path(), token.getKey());
        HttpResponse<String> answer =
            asking.ask(
                token.getValue(),
                route.method().text(),
                route.path().replaceAll("\\{[a-z]+}", "no%20body"),
                "");
        if (expected == 0) {
          assertThat(answer.statusCode()).as(asked).isNotIn(401, 403, 405, 500);
        } else {
          assertThat(answer.statusCode()).as(asked).isEqualTo(expected);
          assertThat(json(answer).get("message").textValue()).as(asked).isNotEmpty();
        }
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
      }
    }
  }

  /** The status of who may not; 0 for who may. */
  private static int expected(Route route, String role) {
    if (route.access().role().isEmpty() || (role.isEmpty() && route.access() == Access.LOOPBACK)) {
      return 0;
    }
    if (role.isEmpty()) {
      return 401;
    }
    return route.access() != Access.PERSON
            && Role.valueOf(role).includes(route.access().role().get())
        ? 0
        : 403;
  }

  @Test
  void theDescriptionHasEachRouteWithItsRoleAndNoOther() throws Exception {
    Map<?, ?> description = (Map<?, ?>) yaml(asking.get("", "/openapi.yaml").body());
    Map<String, String> described = new TreeMap<>();
    ((Map<?, ?>) description.get("paths"))
        .forEach(
            (path, operations) ->
                ((Map<?, ?>) operations)
                    .forEach(
                        (method, operation) -> {
                          if (operation instanceof Map<?, ?> of) {
                            described.put(
                                method.toString().toUpperCase(Locale.ROOT) + " " + path,
                                String.valueOf(of.get("x-sedge-role")));
                          }
                        }));
    assertThat(described).isEqualTo(routes());
  }

  @Test
  void thePageOfDocumentationHasEachRouteWithItsRole() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      String[] cells = line.split("\\|", -1);
      if (cells.length > 3 && cells[1].strip().matches("`(GET|POST|PUT|DELETE) .*`")) {
        documented.put(cells[1].strip().replace("`", ""), cells[2].strip());
      }
    }
    assertThat(documented).isEqualTo(routes());
  }

  private static Map<String, String> routes() {
    Map<String, String> routes = new TreeMap<>();
    center
        .service()
        .routes()
        .forEach(
            route ->
                routes.put(
                    route.method().text() + " " + route.path(),
                    route.access().name().toLowerCase(Locale.ROOT)));
    return routes;
  }

  private static Object yaml(String text) {
    return new Load(LoadSettings.builder().build()).loadFromString(text);
  }

  /** References that lead nowhere would be found by who generates a client. */
  @Test
  void theDescriptionRefersToWhatItHas() throws Exception {
    try (InputStream text =
        CenterHandlers.class.getResourceAsStream("/io/sedge/center/openapi.yaml")) {
      Map<?, ?> description =
          (Map<?, ?>) yaml(new String(text.readAllBytes(), StandardCharsets.UTF_8));
      Set<String> references = new TreeSet<>();
      collect(description, references);
      assertThat(references).isNotEmpty();
      for (String reference : references) {
        Object at = description;
        for (String part : reference.substring("#/".length()).split("/", -1)) {
          at = ((Map<?, ?>) at).get(part);
        }
        assertThat(at).as(reference).isNotNull();
      }
    }
  }

  @Test
  void theDescriptionHasTheFieldsOfEachRecord() throws Exception {
    Map<?, ?> description = (Map<?, ?>) yaml(asking.get("", "/openapi.yaml").body());
    Map<?, ?> schemas = (Map<?, ?>) ((Map<?, ?>) description.get("components")).get("schemas");
    RECORDS.forEach(
        (name, type) ->
            assertThat(((Map<?, ?>) ((Map<?, ?>) schemas.get(name)).get("properties")).keySet())
                .as(name)
                .isEqualTo(
                    Stream.of(type.getRecordComponents())
                        .map(ApiTest::nameInJson)
                        .collect(Collectors.toSet())));
  }

  private static String nameInJson(RecordComponent component) {
    JsonProperty other = component.getAccessor().getAnnotation(JsonProperty.class);
    return other == null ? component.getName() : other.value();
  }

  private static void collect(Object at, Set<String> references) {
    if (at instanceof Map<?, ?> map) {
      if (map.get("$ref") instanceof String reference) {
        references.add(reference);
      }
      map.values().forEach(value -> collect(value, references));
    } else if (at instanceof List<?> list) {
      list.forEach(value -> collect(value, references));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /nothing                      | 404 | UNKNOWN_PATH
          GET    | /                             | 404 | UNKNOWN_PATH
          GET    | /sites/../../../etc/passwd    | 404 |
          GET    | /sites/%2e%2e%2f%2e%2e%2fetc  | 404 | UNKNOWN_PATH
          GET    | /sites/a%00b                  | 404 | UNKNOWN_NAME
          GET    | /tables/a'%20OR%20'1'='1      | 404 | UNKNOWN_NAME
          DELETE | /center                       | 405 | METHOD_NOT_ALLOWED
          PATCH  | /sites                        | 405 | METHOD_NOT_ALLOWED
          GET    | /audit?limit=0                | 400 | MALFORMED
          GET    | /audit?limit=1&limit=2        | 400 | MALFORMED
          GET    | /tables/t/series              | 400 | MALFORMED
          GET    | /tables/t/series?time=a&value=b&form=2026-11-01T00:00:00Z | 400 | MALFORMED
          GET    | /tables/t/series?time=a&value=b&points=0 | 400 | MALFORMED
          GET    | /tables/t/series?time=a&value=b&from=yesterday | 400 | MALFORMED
          GET    | /tables/t/series?time=a&value=b | 404 | UNKNOWN_TABLE
          """)
  void whatCannotBeAskedIsRefusedWithItsReason(String method, String path, int status, String code)
      throws Exception {
    HttpResponse<String> answer = asking.ask(center.token(Role.ADMIN), method, path, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    if (code != null) {
      assertThat(json(answer).get("code").textValue()).isEqualTo(code);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /query         | {                                   | 400 | not the JSON
          /query         | []                                  | 400 | not the JSON
          /query         | null                                | 400 | null
          /query         | {}                                  | 400 | sql is missing
          /query         | {"sql": "SELECT 1", "limt": 1}      | 400 | 'limt', which is not known: it may have limit, sql
          /query         | {"sql": "SELECT 1"} {}              | 400 | not the JSON
          /query         | {"sql": "SELECT 1", "sql": "x"}     | 400 | not the JSON
          /query         | {"sql": "SELECT 1", "limit": 0}     | 400 | limit=0
          /query         | {"sql": "DELETE FROM sedge_site"}   | 422 |
          /query         | {"sql": "DROP TABLE sedge_site"}    | 422 |
          /query         | {"sql": "ATTACH 'x' AS y"}          | 422 |
          /query         | {"sql": "SELECT 1; SELECT 2"}       | 422 |
          /query         | {"sql": "SELEC 1"}                  | 422 |
          /query         | {"sql": "SELECT hash FROM sedge_access"} | 422 |
          /backup        | {"file": "../x"}                    | 400 | without a directory
          /backup        | {"file": "/etc/passwd"}             | 400 | without a directory
          /backup        | {"file": ".."}                      | 400 | without a directory
          /site-tokens   | {"validForSeconds": 604801}         | 400 | 7 days
          /access-tokens | {"name": "a", "role": "root"}       | 400 | viewer, operator, engineer, admin
          /access-tokens | {"name": "local", "role": "admin"}  | 400 | the center's own
          /access-tokens | {"name": "a", "role": "admin", "validForSeconds": -1} | 400 | validForSeconds=-1
          /login         | {"code": "x"}                       | 401 | the code was used
          """)
  void aBodyThatIsWrongIsRefusedWithWhatIsAllowed(
      String path, String body, int status, String message) throws Exception {
    HttpResponse<String> answer = asking.ask(center.token(Role.ADMIN), "POST", path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(json(answer).get("message").textValue())
        .contains(message == null ? "" : message)
        .doesNotContain("io.sedge", "\n");
  }

  @Test
  void aBodyThatIsTooLargeIsNotRead() throws Exception {
    String token = center.token(Role.ADMIN);
    byte[] large = new byte[3 << 20];
    java.util.Arrays.fill(large, (byte) ' ');
    for (var body :
        List.of(
            BodyPublishers.ofByteArray(large),
            BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))) {
      try {
        assertThat(asking.send(asking.request(token, "POST", "/query", body)).statusCode())
            .isEqualTo(413);
      } catch (IOException e) {
        // The center may end the connection while the body is still sent.
        assertThat(e).hasMessageMatching(".*(reset|closed|EOF|[Bb]roken pipe|header parser).*");
      }
    }
    assertThat(asking.get("", "/health").statusCode()).isEqualTo(200);
  }

  @Test
  void whatAPathDoesIsSaid() throws Exception {
    HttpResponse<String> options = asking.ask("", "OPTIONS", "/access-tokens", "");
    assertThat(options.statusCode()).isEqualTo(204);
    assertThat(options.headers().firstValue("Allow")).contains("GET, OPTIONS, POST");
    HttpResponse<String> head = asking.ask("", "HEAD", "/center", "");
    assertThat(head.statusCode()).isEqualTo(405);
    assertThat(head.body()).isEmpty();
    assertThat(asking.get("", "/health").body()).isEqualTo("{\"ok\":true}");
  }

  @Test
  void whoGuessesTokensIsToldToWaitAndWhoHasOneIsNot() throws Exception {
    int status = 0;
    for (int i = 0; i < 200 && status != 429; i++) {
      status = asking.get("sedge-access-guess" + i, "/center").statusCode();
      assertThat(status).isIn(401, 429);
    }
    assertThat(status).isEqualTo(429);
    assertThat(asking.get(center.token(Role.VIEWER), "/center").statusCode()).isEqualTo(200);
  }

  /** A proxy on the center's machine makes strangers look local. */
  @Test
  void metricsAreForTheMachineItselfAndNotForWhoComesByAProxy() throws Exception {
    assertThat(asking.get("", "/metrics").statusCode()).isEqualTo(200);
    assertThat(
            asking
                .send(
                    asking
                        .request("", Method.GET.text(), "/metrics", BodyPublishers.noBody())
                        .header("X-Forwarded-For", "10.0.0.9"))
                .statusCode())
        .isEqualTo(401);
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new JsonMapper().readTree(answer.body());
  }
}
