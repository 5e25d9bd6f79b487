package io.sedge.center.internal.api;

import static io.sedge.center.internal.api.Browser.body;
import static io.sedge.center.internal.api.Browser.code;
import static io.sedge.center.internal.api.Browser.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.center.internal.people.Attempts;
import io.sedge.center.store.AccessTokens;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.AuditLog;
import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import io.sedge.center.store.Site;
import io.sedge.center.store.StoreException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** People log in, as the chapters on authentication and sessions of OWASP's ASVS ask. */
@Timeout(120)
class SessionTest {
  private static final String PASSWORD = "four words of nobody";
  private static final String OTHER = "some more words of nobody";

  @TempDir static Path directory;
  private static TestCenter center;
  private static String hash;
  private Browser browser;

  @BeforeAll
  static void start() throws Exception {
    center = new TestCenter(directory);
    hash = center.service().people().passwords().hash(PASSWORD);
  }

  @AfterAll
  static void stop() {
    center.close();
    assertThat(center.said()).isEmpty();
  }

  @BeforeEach
  void open() throws Exception {
    browser = new Browser(center);
  }

  @AfterEach
  void close() throws Exception {
    browser.close();
    for (Person person : center.store().people().list()) {
      assertThat(center.store().people().remove(person.name())).isTrue();
    }
    for (AccessTokens.Access access : center.store().tokens().list()) {
      assertThat(center.store().tokens().remove(access.name())).isTrue();
    }
  }

  /** Who has set a password already. */
  private static void person(String name, Role role) throws Exception {
    center.store().people().add(name, Permission.everywhere(role), hash);
  }

  private static String invite(String name, Role role) throws StoreException {
    String code = LocalAccess.newSecret();
    center
        .store()
        .people()
        .invite(name, Permission.everywhere(role), code, center.now().plus(FirstLogin.LIFE));
    return code;
  }

  /** Logged in by a browser of its own. */
  private static Browser loggedIn(String name) throws Exception {
    Browser fresh = new Browser(center);
    assertThat(fresh.login(name, PASSWORD).statusCode()).isEqualTo(200);
    return fresh;
  }

  private static List<AuditLog.Entry> audit() throws StoreException {
    return center.store().audit().latest(20);
  }

  @Test
  void whoLogsInIsKnownByACookieThatScriptsAndOtherSitesDoNotGet() throws Exception {
    person("anna", Role.ENGINEER);
    JsonNode stranger = json(browser.ask("GET", "/console", ""));
    assertThat(stranger.toString())
        .isEqualTo("{\"kind\":\"center\",\"title\":\"center\",\"login\":\"password\"}");

    HttpResponse<String> answer = browser.login("anna", PASSWORD);
    assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
        .matches(
            "__Host-sedge-session-\\d+=[A-Za-z0-9_-]{43}; Path=/; Secure; HttpOnly;"
                + " SameSite=Strict");
    JsonNode known = json(browser.ask("GET", "/console", ""));
    assertThat(known).isEqualTo(json(answer));
    assertThat(known.get("caller").toString())
        .isEqualTo("{\"name\":\"anna\",\"role\":\"engineer\"}");
    assertThat(known.get("csrf").textValue()).matches("[A-Za-z0-9_-]{43}");

    assertThat(browser.status("GET", "/sites", "")).isEqualTo(200);
    assertThat(browser.status("POST", "/query", "{\"sql\": \"SELECT 1\"}")).isEqualTo(200);
    assertThat(code(browser.ask("POST", "/backup", "{\"file\": \"b\"}")))
        .isEqualTo("NOT_PERMITTED");
    assertThat(audit().getFirst().who()).isEqualTo("anna (127.0.0.1)");
    assertThat(audit())
        .extracting(entry -> entry.what() + " " + entry.who())
        .contains("login anna (127.0.0.1)");
  }

  /** ASVS 3.3.1: a copy of the cookie is worth nothing after that. */
  @Test
  void aStolenSessionIsWorthNothingAfterTheLogOut() throws Exception {
    person("anna", Role.VIEWER);
    browser.login("anna", PASSWORD);
    try (Browser thief = browser.copy()) {
      assertThat(thief.status("GET", "/sites", "")).isEqualTo(200);
      assertThat(browser.status("DELETE", "/session", "")).isEqualTo(204);
      assertThat(browser.cookie()).isEmpty();
      assertThat(code(thief.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
      assertThat(json(thief.ask("GET", "/console", "")).has("caller")).isFalse();
    }
    assertThat(audit().getFirst().what()).isEqualTo("logout");
  }

  /** ASVS 3.2.1: what somebody has put into the browser before is not what is logged in. */
  @Test
  void aSessionThatWasThereBeforeIsNotTheOneThatIsLoggedIn() throws Exception {
    person("anna", Role.VIEWER);
    person("eve", Role.VIEWER);
    try (Browser eve = loggedIn("eve")) {
      String planted = eve.cookie();
      browser.keep(planted);
      browser.login("anna", PASSWORD);
      assertThat(browser.cookie()).isNotEqualTo(planted);
      assertThat(code(eve.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
    }
    browser.keep(HostCookie.SESSION.name(center.address().getAuthority()) + "=" + "A".repeat(43));
    browser.login("anna", PASSWORD);
    assertThat(browser.cookie()).doesNotContain("AAAA");
  }

  /** A sub-domain may set cookies of the host, but none whose name begins with __Host-. */
  @Test
  void aSessionWithinAnotherCookieOrBesideAnotherIsNone() throws Exception {
    person("anna", Role.VIEWER);
    browser.login("anna", PASSWORD);
    String session = browser.cookie();
    for (String header :
        List.of(
            "foo=a," + session,
            "foo=a, " + session,
            "$Version=1; foo=a," + session,
            "foo=\"a; " + session.toLowerCase(Locale.ROOT),
            session + "; " + session,
            session + "; " + session.replaceAll("=.*", "=evil"),
            "x" + session,
            session.replaceAll("-\\d+=", "-1=")) /* another center's */) {
      browser.keep(header);
      assertThat(browser.status("GET", "/sites", "")).as(header).isEqualTo(401);
    }
    for (String header : List.of(session, "foo=a; " + session, session + ";bar=\"b,c\"")) {
      browser.keep(header);
      assertThat(browser.status("GET", "/sites", "")).as(header).isEqualTo(200);
    }
  }

  /** ASVS 3.3.2. */
  @Test
  void aSessionEndsWhenItIsNotUsedAndWhenItsTimeIsOver() throws Exception {
    person("anna", Role.VIEWER);
    browser.login("anna", PASSWORD);
    for (int i = 0; i < 6; i++) {
      center.advance(Duration.ofMinutes(119));
      assertThat(browser.status("GET", "/sites", "")).isEqualTo(200);
    }
    center.advance(Duration.ofMinutes(7));
    assertThat(code(browser.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
    browser.login("anna", PASSWORD);
    // The console asks for itself as long as a page is open: that is no use.
    center.advance(Duration.ofMinutes(119));
    assertThat(json(browser.ask("GET", "/console", "")).has("caller")).isTrue();
    browser.events().body().close();
    try (Asking page = new Asking(center)) {
      HttpResponse<String> byTimer =
          page.send(browser.request("GET", "/sites", "").header("X-Sedge-Idle", "true"));
      assertThat(byTimer.statusCode()).isEqualTo(200);
    }
    center.advance(Duration.ofMinutes(1));
    assertThat(code(browser.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
  }

  @Test
  void whoLogsInASixthTimeLosesTheSessionThatWasNotUsedForLongest() throws Exception {
    person("anna", Role.VIEWER);
    List<Browser> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      center.advance(Duration.ofSeconds(1));
      all.add(loggedIn("anna"));
    }
    assertThat(code(all.getFirst().ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
    for (Browser one : all.subList(1, 6)) {
      assertThat(one.status("GET", "/sites", "")).isEqualTo(200);
    }
    all.forEach(Browser::close);
  }

  /** ASVS 4.2.2. A cookie alone changes nothing, wherever the request came from. */
  @Test
  void aPageOfAnotherOriginChangesNothing() throws Exception {
    person("anna", Role.ADMIN);
    browser.login("anna", PASSWORD);
    String token = "{\"name\": \"evil\", \"role\": \"admin\"}";
    String credentials = body(Map.of("name", "anna", "password", PASSWORD));
    List<List<String>> wrong =
        List.of(
            List.of("X-Sedge-Csrf", ""),
            List.of("X-Sedge-Csrf", "A".repeat(43)),
            List.of("Origin", "https://evil.example"),
            List.of("Origin", "null"),
            List.of("Sec-Fetch-Site", "cross-site"),
            List.of("Sec-Fetch-Site", "same-site"));
    try (Asking asking = new Asking(center);
        Browser stranger = new Browser(center)) {
      for (List<String> header : wrong) {
        assertThat(
                code(
                    asking.send(
                        browser
                            .request("POST", "/access-tokens", token)
                            .setHeader(header.getFirst(), header.getLast()))))
            .as(header.toString())
            .isEqualTo("CSRF_REFUSED");
        if (!header.getFirst().startsWith("X-")) {
          assertThat(
                  code(
                      asking.send(
                          stranger
                              .request("POST", "/session", credentials)
                              .setHeader(header.getFirst(), header.getLast()))))
              .as("logging in by %s", header)
              .isEqualTo("CSRF_REFUSED");
        }
      }
    }
    assertThat(center.store().tokens().list())
        .extracting(AccessTokens.Access::name)
        .doesNotContain("evil");
    assertThat(browser.status("POST", "/access-tokens", token)).as("itself").isEqualTo(201);
  }

  /** ASVS 4.1: each request is asked what the person may now. */
  @Test
  void aRoleThatChangesCountsFromTheNextRequestOn() throws Exception {
    person("anna", Role.VIEWER);
    person("boss", Role.ADMIN);
    browser.login("anna", PASSWORD);
    assertThat(code(browser.ask("POST", "/site-tokens", "{}"))).isEqualTo("NOT_PERMITTED");
    try (Browser boss = loggedIn("boss")) {
      assertThat(boss.status("PUT", "/people/anna/role", "{\"role\": \"engineer\"}"))
          .isEqualTo(200);
      assertThat(browser.status("POST", "/site-tokens", "{}")).isEqualTo(201);
      assertThat(code(browser.ask("GET", "/people", ""))).isEqualTo("NOT_PERMITTED");
      assertThat(boss.status("DELETE", "/people/anna", "")).isEqualTo(204);
      assertThat(code(browser.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
      assertThat(code(browser.login("anna", PASSWORD))).isEqualTo("LOGIN_REFUSED");
      assertThat(boss.status("DELETE", "/people/anna", "")).isEqualTo(404);
    }
  }

  @Test
  void whoIsInvitedSetsAPasswordOnceWithinADay() throws Exception {
    person("boss", Role.ADMIN);
    browser.login("boss", PASSWORD);
    JsonNode made =
        json(browser.ask("POST", "/people", "{\"name\": \"anna k\", \"role\": \"operator\"}"));
    String link = made.get("link").textValue();
    assertThat(link).startsWith(center.address() + "/#/first?code=").endsWith("&name=anna%20k");
    String code = link.replaceAll(".*code=|&.*", "");
    try (Browser anna = new Browser(center)) {
      assertThat(code(anna.login("anna k", PASSWORD))).isEqualTo("LOGIN_REFUSED");
      assertThat(code(anna.first(code, "short"))).isEqualTo("PASSWORD_REFUSED");
      assertThat(
              anna.status(
                  "POST",
                  "/session/first",
                  body(Map.of("code", code, "name", "eve", "password", PASSWORD))))
          .isEqualTo(400);
      assertThat(json(anna.first(code, PASSWORD)).get("caller").get("role").textValue())
          .isEqualTo("operator");
      assertThat(code(anna.first(code, OTHER))).as("again").isEqualTo("TOKEN_REFUSED");
      assertThat(anna.login("anna k", PASSWORD).statusCode()).isEqualTo(200);

      HttpResponse<String> reset = browser.ask("POST", "/people/anna%20k/reset", "");
      assertThat(code(anna.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
      assertThat(code(anna.login("anna k", PASSWORD))).isEqualTo("LOGIN_REFUSED");
      center.advance(FirstLogin.LIFE);
      assertThat(
              code(
                  anna.first(
                      json(reset).get("link").textValue().replaceAll(".*code=|&.*", ""), OTHER)))
          .as("too late")
          .isEqualTo("TOKEN_REFUSED");
    }
    assertThat(audit())
        .extracting(AuditLog.Entry::what)
        .contains("person add", "password set", "first login", "person reset");
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .doesNotContain(PASSWORD, code);
      }
    }
  }

  /** What is done while the audit log is away is not half done. */
  @Test
  void whatCannotBeWrittenIntoTheAuditLogLeavesNoSessionAndLosesNoLink() throws Exception {
    person("boss", Role.ADMIN);
    person("anna", Role.VIEWER);
    browser.login("boss", PASSWORD);
    String invitation = body(Map.of("name", "carl", "role", "viewer"));
    try (Browser anna = loggedIn("anna")) {
      center.execute("ALTER TABLE sedge_audit RENAME TO away");
      try (Browser another = new Browser(center)) {
        for (int i = 0; i < 5; i++) {
          assertThat(another.login("anna", PASSWORD).statusCode()).isEqualTo(500);
        }
        assertThat(another.cookie()).isEmpty();
      }
      assertThat(browser.status("POST", "/people", invitation)).isEqualTo(500);
      assertThat(browser.status("POST", "/people/anna/reset", "")).isEqualTo(500);
      assertThat(browser.status("POST", "/access-tokens", invitation)).isEqualTo(500);
      center.execute("ALTER TABLE away RENAME TO sedge_audit");
      assertThat(anna.status("GET", "/sites", "")).as("not pushed out").isEqualTo(200);
      assertThat(anna.status("DELETE", "/session", "")).isEqualTo(204);
    }
    assertThat(browser.status("POST", "/people", invitation)).isEqualTo(201);
    loggedIn("anna").close();
  }

  /** Whoever leaves a machine to others must not stay logged in there. */
  @Test
  void aSessionEndsEvenIfTheAuditLogCannotHaveIt() throws Exception {
    person("anna", Role.VIEWER);
    try (Browser anna = loggedIn("anna");
        Browser thief = anna.copy()) {
      center.execute("ALTER TABLE sedge_audit RENAME TO away");
      int status = anna.status("DELETE", "/session", "");
      center.execute("ALTER TABLE away RENAME TO sedge_audit");
      assertThat(status).isEqualTo(500);
      assertThat(anna.cookie()).isEmpty();
      assertThat(code(thief.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
    }
  }

  /** A center that is killed between the two has written down what it did not do, never less. */
  @Test
  void whatCannotBeWrittenIntoTheAuditLogIsNotDone() throws Exception {
    person("boss", Role.ADMIN);
    person("anna", Role.VIEWER);
    String code = invite("carl", Role.VIEWER);
    center
        .store()
        .tokens()
        .add("token", "grafana", Permission.everywhere(Role.VIEWER), Optional.empty());
    center.store().sites().enrol("west", "ledger-west", "key-west");
    browser.login("boss", PASSWORD);
    String admin = body(Map.of("role", "admin"));
    String job = "{\"script\": \"one\", \"sites\": [\"west\"]}";
    assertThat(browser.status("POST", "/jobs/given/versions", job)).isEqualTo(201);
    center.execute("ALTER TABLE sedge_audit RENAME TO away");
    List<Integer> statuses =
        List.of(
            browser.status("PUT", "/people/anna/role", admin),
            browser.status("DELETE", "/people/anna", ""),
            browser.status("PUT", "/access-tokens/grafana/role", admin),
            browser.status("DELETE", "/access-tokens/grafana", ""),
            browser.status("PUT", "/sites/west/labels", body(Map.of("plant", "ulm"))),
            browser.status("POST", "/sites/west/accept-restored", ""),
            browser.status("POST", "/sites/west/revoke", ""),
            browser.status("POST", "/backup", body(Map.of("file", "copy.db"))),
            browser.status("PUT", "/session/password", body(Map.of("old", PASSWORD, "new", OTHER))),
            browser.status("POST", "/jobs/fleet/versions", job),
            browser.status("POST", "/jobs/given/rollback", ""),
            browser.status("POST", "/site-tokens", "{}"),
            browser.first(code, PASSWORD).statusCode());
    center.execute("ALTER TABLE away RENAME TO sedge_audit");
    assertThat(statuses).containsOnly(500);
    assertThat(center.store().people().find("anna").orElseThrow().permission().role())
        .isEqualTo(Role.VIEWER);
    assertThat(center.store().people().find("carl").orElseThrow().password()).isEmpty();
    assertThat(center.store().tokens().named("grafana").orElseThrow().permission().role())
        .isEqualTo(Role.VIEWER);
    assertThat(center.store().sites().find("west").orElseThrow())
        .satisfies(
            site -> {
              assertThat(site.labels()).isEmpty();
              assertThat(site.generation()).isZero();
              assertThat(site.state()).isEqualTo(Site.State.ACTIVE);
            });
    assertThat(directory.resolve("backups/copy.db")).doesNotExist();
    assertThat(center.store().fleet().versions("fleet")).isEmpty();
    assertThat(center.store().fleet().versions("given"))
        .extracting(FleetVersion::state)
        .containsExactly(FleetVersion.State.CHECKING);
    loggedIn("boss").close();
  }

  @Test
  void ofTwoWhoUseALinkAtOnceOneIsLetIn() throws Exception {
    String code = invite("anna", Role.VIEWER);
    List<Callable<Integer>> both =
        Stream.of(PASSWORD, OTHER)
            .<Callable<Integer>>map(
                password ->
                    () -> {
                      try (Browser one = new Browser(center)) {
                        return one.first(code, password).statusCode();
                      }
                    })
            .toList();
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> done : executor.invokeAll(both)) {
        statuses.add(done.get());
      }
    }
    assertThat(statuses).containsExactlyInAnyOrder(200, 401);
  }

  @Test
  void theFirstAdminIsWhoHasTheLinkOfTheFirstStart() throws Exception {
    FirstLogin login = new FirstLogin(directory.resolve("control"), center::now, Optional.empty());
    String code = login.offer(center.store()).orElseThrow();
    assertThat(browser.status("POST", "/session/first", body(Map.of("code", code)))).isEqualTo(400);
    assertThat(code(browser.first(code, "administrator123"))).isEqualTo("PASSWORD_REFUSED");
    assertThat(json(browser.first(code, PASSWORD)).get("caller").toString())
        .isEqualTo("{\"name\":\"admin\",\"role\":\"admin\"}");
    assertThat(browser.status("GET", "/people", "")).isEqualTo(200);
    assertThat(code(browser.first(code, PASSWORD))).isEqualTo("TOKEN_REFUSED");
    assertThat(login.offer(center.store())).as("there is an admin").isEmpty();
  }

  /** A line of a log that somebody finds a day later is worth nothing. */
  @Test
  void theCodeOfTheFirstStartMakesNoSecondAdmin() throws Exception {
    FirstLogin login = new FirstLogin(directory.resolve("control"), center::now, Optional.empty());
    center
        .store()
        .tokens()
        .add(
            "t",
            "ended",
            Permission.everywhere(Role.ADMIN),
            Optional.of(center.now().minusSeconds(1)));
    invite("invited", Role.ADMIN);
    String code = login.offer(center.store()).orElseThrow();
    person("boss", Role.ADMIN);
    assertThat(code(browser.first(code, PASSWORD))).isEqualTo("TOKEN_REFUSED");
    assertThat(browser.status("POST", "/login", body(Map.of("code", code)))).isEqualTo(401);
    assertThat(center.store().people().find("admin")).isEmpty();
  }

  /** ASVS 2.1.6 and 3.3.3. */
  @Test
  void whoChangesThePasswordGivesTheOldOneAndEndsOtherSessions() throws Exception {
    person("anna", Role.VIEWER);
    browser.login("anna", PASSWORD);
    try (Browser other = loggedIn("anna");
        Browser thief = browser.copy()) {
      assertThat(
              code(
                  browser.ask(
                      "PUT", "/session/password", body(Map.of("old", OTHER, "new", OTHER)))))
          .isEqualTo("PASSWORD_REFUSED");
      assertThat(
              browser.status(
                  "PUT", "/session/password", body(Map.of("old", PASSWORD, "new", OTHER))))
          .isEqualTo(200);
      assertThat(code(thief.ask("GET", "/sites", "")))
          .as("a copy of the session that set it")
          .isEqualTo("SESSION_ENDED");
      assertThat(browser.status("GET", "/sites", "")).isEqualTo(200);
      assertThat(code(other.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
    }
    assertThat(code(browser.login("anna", PASSWORD))).isEqualTo("LOGIN_REFUSED");
    assertThat(browser.login("anna", OTHER).statusCode()).isEqualTo(200);
  }

  /** ASVS 2.2.1. The same words for a name that nobody has. */
  @Test
  void aThousandWrongPasswordsGetNowhereAndThePersonIsLetInFromElsewhere() throws Exception {
    person("anna", Role.VIEWER);
    List<String> said = new ArrayList<>();
    try (Browser attacker = new Browser(center, InetAddress.getByName("127.0.0.66"))) {
      for (String name : List.of("anna", "nobody")) {
        List<String> bodies =
            IntStream.range(0, 500)
                .mapToObj(i -> "a guess that is wrong " + i)
                .map(guess -> attempt(attacker, name, guess))
                .toList();
        assertThat(bodies.stream().filter(body -> body.contains("LOGIN_REFUSED"))).hasSize(5);
        assertThat(bodies.stream().filter(body -> body.contains("TOO_MANY"))).hasSize(495);
        said.add(String.join("\n", bodies));
      }
      assertThat(said.getFirst()).isEqualTo(said.getLast());
      HttpResponse<String> right = attacker.login("anna", PASSWORD);
      assertThat(code(right)).as("not even the right one").isEqualTo("TOO_MANY_ATTEMPTS");
      assertThat(right.headers().firstValue("Retry-After")).contains("300");
    }
    assertThat(browser.login("anna", PASSWORD).statusCode()).isEqualTo(200);
    center.service().people().writeRefusedLogins();
    assertThat(audit())
        .extracting(entry -> "%s: %s, %s".formatted(entry.who(), entry.subject(), entry.detail()))
        .contains(
            "nobody (127.0.0.66): anna, 501 times", "nobody (127.0.0.66): unknown name, 500 times");
  }

  /** Guessers elsewhere have locked the name: a link lets its person in, there, from now on. */
  @Test
  void aLinkHelpsWhoIsLockedOut() throws Exception {
    Attempts attempts = center.service().people().attempts();
    for (int i = 0; i < 60; i++) {
      assertThat(attempts.take("locked", "10.0.0." + i)).isTrue();
    }
    String code = invite("locked", Role.VIEWER);
    assertThat(code(browser.login("locked", PASSWORD))).isEqualTo("TOO_MANY_ATTEMPTS");
    assertThat(browser.first(code, PASSWORD).statusCode()).isEqualTo(200);
    loggedIn("locked").close();
  }

  private static String attempt(Browser browser, String name, String password) {
    try {
      return browser.login(name, password).body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Whatever keyboard it is typed on; and what cannot be a name reaches no database. */
  @Test
  void aNameIsTheSameHoweverItIsTyped() throws Exception {
    person("boss", Role.ADMIN);
    person("Zo\u00eb", Role.VIEWER);
    browser.login("boss", PASSWORD);
    for (String name : List.of("Zoe\u0308", " Zo\u00eb ")) {
      assertThat(code(browser.ask("POST", "/people", body(Map.of("name", name, "role", "viewer")))))
          .isEqualTo("NAME_TAKEN");
      loggedIn(name).close();
    }
    assertThat(Names.fresh("\u0939\u093f\u0928\u094d\u0926\u0940")).isEqualTo("हिन्दी");
    assertThat(code(browser.login("\u0000", PASSWORD))).isEqualTo("LOGIN_REFUSED");
  }

  /** Names are for people: what they cannot be is refused, and nothing of it is ever markup. */
  @Test
  void namesThatAreMarkupAreRefusedAndNeverAnsweredAsHtml() throws Exception {
    person("boss", Role.ADMIN);
    browser.login("boss", PASSWORD);
    for (String name :
        List.of(
            "<script>alert(1)</script>",
            "a\"b",
            "a\nb",
            "\u202eanna",
            "-anna",
            "\u0000",
            "local")) {
      HttpResponse<String> answer =
          browser.ask("POST", "/people", body(Map.of("name", name, "role", "viewer")));
      assertThat(answer.statusCode()).as(name).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.headers().firstValue("Content-Security-Policy"))
          .contains("default-src 'none'; frame-ancestors 'none'");
    }
    center
        .store()
        .tokens()
        .add("a token", "grafana", Permission.everywhere(Role.VIEWER), Optional.empty());
    String grafana = body(Map.of("name", "grafana", "role", "viewer"));
    assertThat(code(browser.ask("POST", "/people", grafana)))
        .as("the audit log would not say who it was")
        .isEqualTo("NAME_TAKEN");
    String boss = body(Map.of("name", "boss", "role", "viewer"));
    assertThat(code(browser.ask("POST", "/access-tokens", boss))).isEqualTo("NAME_TAKEN");
  }
}
