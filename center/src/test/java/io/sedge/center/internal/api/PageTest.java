package io.sedge.center.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.http.HttpService;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.People;
import io.sedge.center.store.Permission;
import io.sedge.center.store.StoreOptions;
import io.sedge.center.store.Subject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page beside the API, and the API over PostgreSQL. */
@Timeout(120)
class PageTest {
  private static final String PASSWORD = "four words of nobody";

  @TempDir Path directory;

  @Test
  void aPageIsServedOutsideTheApiWithHeadersThatKeepItToItself() throws Exception {
    HttpService page =
        rules ->
            rules.get(
                "/", (_, response) -> response.header("Content-Type", "text/html").send("<p>"));
    try (TestCenter center =
            new TestCenter(
                directory,
                Duration.ofSeconds(2),
                StoreOptions.embedded(directory.resolve("store")),
                Optional.of(page));
        Asking asking = new Asking(center)) {
      HttpResponse<String> answer = outside(asking, "/");
      assertThat(answer.body()).isEqualTo("<p>");
      for (HttpResponse<String> any :
          List.of(answer, outside(asking, "/none"), asking.get("", "/health"))) {
        assertThat(any.headers().firstValue("Content-Security-Policy").orElseThrow())
            .startsWith("default-src 'none'")
            .contains("frame-ancestors 'none'");
        assertThat(any.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(any.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(any.headers().firstValue("Cross-Origin-Opener-Policy")).contains("same-origin");
      }
      assertThat(outside(asking, "/none").statusCode()).isEqualTo(404);
      assertThat(outside(asking, "/none").body()).contains("UNKNOWN_PATH");
      assertThat(asking.get("", "/health").headers().firstValue("Content-Disposition"))
          .contains("attachment");
      assertThat(asking.get("", "/none").body()).contains("the API has no /api/v1/none");
    }
  }

  private static HttpResponse<String> outside(Asking asking, String path) throws Exception {
    return asking.send(
        asking
            .request("", "GET", "", BodyPublishers.noBody())
            .uri(
                asking
                    .request("", "GET", "", BodyPublishers.noBody())
                    .build()
                    .uri()
                    .resolve(path)));
  }

  @Test
  void peopleAndTablesAreInPostgresqlToo() throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start();
        TestCenter center =
            new TestCenter(
                directory,
                Duration.ofSeconds(2),
                StoreOptions.postgres(
                    "jdbc:postgresql://localhost:%d/postgres".formatted(server.getPort()),
                    "postgres",
                    "postgres"),
                Optional.empty());
        Browser browser = new Browser(center)) {
      TestTable.fill(center.store(), 4);
      String code = LocalAccess.newSecret();
      center
          .store()
          .people()
          .invite(
              "anna",
              Permission.everywhere(Role.ENGINEER),
              code,
              center.now().plus(FirstLogin.LIFE));
      assertThat(browser.first(code, PASSWORD).statusCode()).isEqualTo(200);
      assertThat(browser.first(code, PASSWORD).statusCode()).as("again").isEqualTo(401);
      assertThat(browser.login("anna", PASSWORD).statusCode()).isEqualTo(200);
      assertThat(
              browser
                  .ask(
                      "POST",
                      "/query",
                      Browser.body(Map.of("sql", "SELECT count(*) AS n FROM machines")))
                  .body())
          .contains("[[5]]");
      assertThat(browser.ask("GET", "/tables", "").body()).contains("\"name\":\"machines\"");
      assertThat(browser.ask("GET", "/audit", "").body()).contains("first login", "anna");
      assertThat(browser.status("DELETE", "/session", "")).isEqualTo(204);
      People people = center.store().people();
      Subject bob = new Subject("https://id.example.com", "bob 7");
      assertThat(people.enter(bob, "bob", Permission.everywhere(Role.VIEWER)).subject())
          .contains(bob);
      assertThat(people.enter(bob, "renamed", Permission.everywhere(Role.ADMIN)).name())
          .isEqualTo("bob");
      assertThat(people.find(bob).orElseThrow().permission().role()).isEqualTo(Role.ADMIN);
    }
  }
}
