package io.sedge.center.internal.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.StoreException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may change something at some sites alone. */
@Timeout(60)
class PermissionApiTest {
  private static final int FORBIDDEN = 403;

  @TempDir Path directory;
  private TestCenter center;
  private Asking asking;
  private CenterClient admin;

  @BeforeEach
  void start() throws Exception {
    center = new TestCenter(directory);
    asking = new Asking(center);
    admin = CenterClient.local(directory);
    for (String site : List.of("north", "south")) {
      center.store().sites().enrol(site, "ledger-" + site, "key-" + site);
    }
  }

  @AfterEach
  void stop() {
    admin.close();
    asking.close();
    center.close();
  }

  private String token(Role role, String... sites) throws StoreException {
    String token = LocalAccess.newToken();
    center
        .store()
        .tokens()
        .add(
            token,
            "test " + token.hashCode(),
            new Permission(role, Optional.of(List.of(sites))),
            Optional.empty());
    return token;
  }

  private int status(String token, Route route, String site) throws Exception {
    String path = route.path().replace("/sites/{name}", "/sites/" + site);
    return asking
        .ask(token, route.method().text(), path.replaceAll("\\{[a-z]+}", "none"), "")
        .statusCode();
  }

  private Set<String> paths(Reach reach) {
    return center.service().routes().stream()
        .filter(route -> route.reach() == reach)
        .filter(route -> route.access().compareTo(Access.VIEWER) > 0)
        .map(Route::path)
        .collect(Collectors.toSet());
  }

  @Test
  void eachRouteThatChangesSomethingIsBoundedButForThoseThatSayWhyNot() throws Exception {
    assertThat(paths(Reach.NOWHERE)).containsExactly("/scripts/check");
    assertThat(paths(Reach.FOUND))
        .containsExactlyInAnyOrder(
            "/jobs/{name}", "/jobs/{name}/rollback", "/jobs/{name}/versions");
    assertThat(paths(Reach.SITE)).allMatch(path -> path.startsWith("/sites/{name}/"));
    String token = token(Role.ADMIN, "north");
    for (Route route : center.service().routes()) {
      if (route.path().equals("/events")) {
        continue; // Does not end.
      }
      boolean never = route.reach() == Reach.EVERYWHERE || route.access() == Access.PERSON;
      String asked = "%s %s".formatted(route.method(), route.path());
      assertThat(status(token, route, "south") == FORBIDDEN)
          .as(asked)
          .isEqualTo(never || route.reach() == Reach.SITE);
      assertThat(status(token, route, "north") == FORBIDDEN).as(asked).isEqualTo(never);
    }
  }

  private int deploy(String token, String job, String sites) throws Exception {
    return asking
        .ask(
            token,
            "POST",
            "/jobs/%s/versions".formatted(job),
            "{\"script\": \"one\", %s}".formatted(sites))
        .statusCode();
  }

  @Test
  void jobsMayTouchNoOtherSites() throws Exception {
    admin.label("north", Map.of("zone", "cold"));
    admin.label("south", Map.of("zone", "cold"));
    String engineer = token(Role.ENGINEER, "north");
    assertThat(deploy(engineer, "both", "\"sites\": [\"north\", \"south\"]")).isEqualTo(FORBIDDEN);
    assertThat(deploy(engineer, "both", "\"labels\": {\"zone\": \"cold\"}")).isEqualTo(FORBIDDEN);
    assertThat(deploy(engineer, "own", "\"sites\": [\"north\"]")).isEqualTo(201);
    assertThat(asking.ask(engineer, "POST", "/jobs/own/rollback", "").statusCode()).isEqualTo(200);

    String all = center.token(Role.ENGINEER);
    assertThat(deploy(all, "both", "\"sites\": [\"north\", \"south\"]")).isEqualTo(201);
    assertThat(deploy(engineer, "both", "\"sites\": [\"north\"]")).isEqualTo(FORBIDDEN);
    assertThat(asking.ask(engineer, "POST", "/jobs/both/rollback", "").statusCode())
        .isEqualTo(FORBIDDEN);
    HttpResponse<String> refused = asking.ask(engineer, "DELETE", "/jobs/both", "");
    assertThat(refused.statusCode()).isEqualTo(FORBIDDEN);
    assertThat(refused.body()).contains("changes something at south", "at north alone");
  }

  /** Merged windows are the center's own, and of all sites. */
  @Test
  void aJobThatTheCenterMergesIsForAllSites() throws Exception {
    String merged = "SET 'sedge.merge' = 'center';";
    String body = "{\"script\": \"%s\", \"sites\": [\"north\"]}".formatted(merged);
    assertThat(
            asking
                .ask(token(Role.ENGINEER, "north"), "POST", "/jobs/m/versions", body)
                .statusCode())
        .isEqualTo(FORBIDDEN);
    assertThat(
            asking.ask(center.token(Role.ENGINEER), "POST", "/jobs/m/versions", body).statusCode())
        .isEqualTo(201);
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return JsonMapper.builder().build().readTree(answer.body());
  }

  @Test
  void sitesAreKnownAndStayWhenTheRoleChanges() throws Exception {
    String all = center.token(Role.ADMIN);
    String body = "{\"name\": \"bob\", \"role\": \"operator\", \"sites\": [%s]}";
    assertThat(asking.ask(all, "POST", "/people", body.formatted("\"nowhere\"")).statusCode())
        .isEqualTo(404);
    assertThat(asking.ask(all, "POST", "/people", body.formatted("")).statusCode()).isEqualTo(400);
    assertThat(asking.ask(all, "POST", "/people", body.formatted("\"*\", \"north\"")).statusCode())
        .isEqualTo(400);
    assertThat(
            asking.ask(all, "POST", "/people", body.formatted("\"south\", \"north\"")).statusCode())
        .isEqualTo(201);
    assertThat(json(asking.get(all, "/people")).get(0).get("sites").toString())
        .isEqualTo("[\"north\",\"south\"]");

    role(all, "{\"role\": \"engineer\"}");
    assertThat(json(asking.get(all, "/people")).get(0).get("sites")).hasSize(2);
    role(all, "{\"role\": \"engineer\", \"sites\": [\"south\"]}");
    assertThat(json(asking.get(all, "/people")).get(0).get("sites")).hasSize(1);
    role(all, "{\"role\": \"engineer\", \"sites\": [\"*\"]}");
    assertThat(json(asking.get(all, "/people")).get(0).has("sites")).isFalse();

    assertThat(admin.addAccess("scada", "operator", List.of("north"), Optional.empty()).sites())
        .containsExactly("north");
    JsonNode console = json(asking.get(token(Role.VIEWER, "north"), "/console"));
    assertThat(console.get("caller").get("sites").toString()).isEqualTo("[\"north\"]");
    assertThat(center.store().audit().latest(9))
        .anyMatch(entry -> entry.detail().equals("operator at north"));
  }

  private void role(String token, String body) throws Exception {
    assertThat(asking.ask(token, "PUT", "/people/bob/role", body).statusCode()).isEqualTo(200);
  }

  /** It counts from the token's next request on. */
  @Test
  void aTokenGetsOtherSitesAndAnotherRole() throws Exception {
    String token =
        String.valueOf(
            admin.addAccess("scada", "operator", List.of("north"), Optional.empty()).token());
    assertThat(caller(token)).isEqualTo("operator [\"north\"]");

    assertThat(admin.accessRole("scada", "engineer", List.of()).role()).isEqualTo("engineer");
    assertThat(caller(token)).isEqualTo("engineer [\"north\"]");
    admin.accessRole("scada", "engineer", List.of("north", "south"));
    assertThat(caller(token)).isEqualTo("engineer [\"north\",\"south\"]");
    admin.accessRole("scada", "viewer", List.of("*"));
    assertThat(caller(token)).isEqualTo("viewer null");

    assertThatExceptionOfType(CenterException.class)
        .isThrownBy(() -> admin.accessRole("nobody", "viewer", List.of()))
        .withMessageContaining("no token is called 'nobody'");
    assertThatExceptionOfType(CenterException.class)
        .isThrownBy(() -> admin.accessRole("scada", "admin", List.of("west")))
        .withMessageContaining("no site is called 'west'");
    assertThatExceptionOfType(CenterException.class)
        .as("with it the commands on its machine ask")
        .isThrownBy(() -> admin.accessRole("local", "viewer", List.of()))
        .withMessageContaining("the center's own");
    assertThatExceptionOfType(CenterException.class)
        .isThrownBy(() -> admin.removeAccess("local"))
        .withMessageContaining("the center's own");
    assertThat(caller(token)).isEqualTo("viewer null");
    assertThat(center.store().audit().latest(9))
        .anyMatch(
            entry ->
                entry.what().equals("access role")
                    && entry.detail().equals("engineer at north, south"));
  }

  /** How a token's role and sites are answered. */
  private String caller(String token) throws Exception {
    JsonNode caller = json(asking.get(token, "/console")).get("caller");
    return caller.get("role").textValue() + " " + caller.get("sites");
  }

  /** What was forgotten where it is stored opens nothing. */
  @Test
  void aListWithoutASiteReachesNone() {
    Permission none = new Permission(Role.ADMIN, Optional.of(List.of()));
    assertThat(none.isEverywhere()).isFalse();
    assertThat(none.reaches(List.of("north"))).isFalse();
    assertThat(none.reaches(List.of())).isTrue();
  }
}
