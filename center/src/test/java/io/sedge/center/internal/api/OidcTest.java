package io.sedge.center.internal.api;

import static io.sedge.center.internal.api.Browser.body;
import static io.sedge.center.internal.api.Browser.code;
import static io.sedge.center.internal.api.Browser.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.sedge.center.OidcOptions;
import io.sedge.center.internal.oidc.SingleSignOn;
import io.sedge.center.store.AccessTokens;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.AuditLog;
import io.sedge.center.store.People;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * People log in at a provider of OpenID Connect, as its Core 1.0, RFC 7636 (PKCE) and RFC 9207 have
 * it, and as the Security Best Current Practice of OAuth 2.0 (RFC 9700) asks.
 */
@Timeout(120)
class OidcTest {
  private static final String PASSWORD = "four words of nobody";
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  @TempDir static Path directory;
  private static TestProvider provider;
  private static TestCenter center;
  private Browser browser;

  @BeforeAll
  static void start() throws Exception {
    // Its clock is the center's, which there is as soon as somebody logs in.
    provider = new TestProvider(() -> center.now());
    center =
        new TestCenter(
            directory.resolve("center"),
            options(provider.issuer(), Map.of("client-secret", TestProvider.SECRET)));
  }

  @AfterAll
  static void stop() {
    center.close();
    provider.close();
    assertThat(center.said())
        .isNotEmpty()
        .allMatch(line -> line.startsWith("nobody can log in at the login provider: "));
  }

  @BeforeEach
  void open() throws Exception {
    browser = new Browser(center);
  }

  @AfterEach
  void close() throws Exception {
    browser.close();
    provider.behave();
    for (Person person : center.store().people().list()) {
      assertThat(center.store().people().remove(person.name())).isTrue();
    }
    for (AccessTokens.Access access : center.store().tokens().list()) {
      assertThat(center.store().tokens().remove(access.name())).isTrue();
    }
  }

  private static OidcOptions options(String issuer, Map<String, String> more) {
    Map<String, String> given = new HashMap<>(more);
    given.put("issuer", issuer);
    given.put("client-id", TestProvider.CLIENT);
    given.put("role.operator", "plant-operators");
    given.put("role.engineer", "nobody, plant-engineers");
    given.put("role.admin", "sedge-admins");
    return OidcOptions.parse(given, directory);
  }

  /** Begins a login; where the browser is sent. */
  private static String begin(Browser with) throws Exception {
    HttpResponse<String> answer = with.ask("POST", "/session/oidc", "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer).get("location").textValue();
  }

  private static HttpResponse<String> redeem(Browser with, Map<String, String> returned)
      throws Exception {
    return with.ask("POST", "/session/oidc/code", body(returned));
  }

  private HttpResponse<String> login() throws Exception {
    return redeem(browser, provider.visit(begin(browser)));
  }

  /** Nobody has been let in: neither this browser nor another one. */
  private static void assertNobodyIsIn(Browser browser) throws Exception {
    assertThat(browser.cookie()).isEmpty();
    assertThat(json(browser.ask("GET", "/console", "")).has("caller")).isFalse();
    assertThat(audit()).extracting(AuditLog.Entry::what).doesNotContain("login");
  }

  private static List<AuditLog.Entry> audit() throws Exception {
    // Entries of other tests are older than the marker.
    return center.store().audit().latest(20).stream()
        .takeWhile(entry -> !entry.what().equals("marker"))
        .toList();
  }

  @BeforeEach
  void mark() throws Exception {
    center.store().audit().record("test", "marker", "", "");
    // Logins that earlier tests have begun do not count.
    center.advance(Duration.ofMinutes(10));
  }

  @Test
  void whoTheProviderKnowsIsInWithTheHighestRoleThatItGives() throws Exception {
    JsonNode stranger = json(browser.ask("GET", "/console", ""));
    assertThat(stranger.toString())
        .isEqualTo(
            "{\"kind\":\"center\",\"title\":\"center\",\"login\":\"password\","
                + "\"provider\":\"127.0.0.1\"}");

    String location = begin(browser);
    assertThat(location).startsWith(provider.issuer() + "/authorize?tenant=a&");
    Map<String, String> asked = TestProvider.parsed(location.substring(location.indexOf('?') + 1));
    assertThat(asked)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "sedge")
        .containsEntry("redirect_uri", center.address() + "/")
        .containsEntry("scope", "openid profile email")
        .containsEntry("code_challenge_method", "S256");
    for (String secret : List.of("state", "nonce", "code_challenge")) {
      assertThat(asked.get(secret)).as(secret).matches("[A-Za-z0-9_-]{43}");
    }
    Map<String, String> again = TestProvider.parsed(begin(browser).replaceAll(".*\\?", ""));
    assertThat(again.get("state")).isNotEqualTo(asked.get("state"));
    assertThat(again.get("nonce")).isNotEqualTo(asked.get("nonce"));

    HttpResponse<String> answer = login();
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().allValues("Set-Cookie"))
        .as("two more logins are under way in this browser")
        .hasSize(1)
        .allSatisfy(cookie -> assertThat(cookie).startsWith("__Host-sedge-session-"));
    assertThat(json(answer).get("caller").toString())
        .isEqualTo(
            "{\"name\":\"anna\",\"role\":\"engineer\",\"provider\":\"%s\"}"
                .formatted(provider.issuer()));
    assertThat(json(answer)).isEqualTo(json(browser.ask("GET", "/console", "")));
    assertThat(browser.status("POST", "/site-tokens", "{}")).isEqualTo(201);
    assertThat(provider.form().get("authorization"))
        .isEqualTo(
            "Basic "
                + Base64.getEncoder()
                    .encodeToString(
                        "sedge:a+secret%3A+with+%2B+and+%25".getBytes(StandardCharsets.US_ASCII)));
    assertThat(provider.form()).doesNotContainKey("client_id");
    assertThat(audit())
        .extracting(entry -> entry.who() + ": " + entry.what() + ", " + entry.detail())
        .contains(
            "anna (127.0.0.1): person add, engineer, by " + provider.issuer(),
            "anna (127.0.0.1): login, by " + provider.issuer());
  }

  /** It says which browser has begun, to nobody else, and not for long. */
  @Test
  void theCookieOfALoginIsForThisHostAlone() throws Exception {
    assertThat(
            browser
                .ask("POST", "/session/oidc", "")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow())
        .matches(
            "__Host-sedge-login-\\d+=[A-Za-z0-9_-]{43}; Max-Age=600; Path=/; Secure; HttpOnly;"
                + " SameSite=Strict");
  }

  static Stream<Arguments> good() {
    return Stream.of(
        signing("RS256", claims -> rsa(claims, "RS256", "rsa")),
        signing("PS256", claims -> rsa(claims, "PS256", "rsa")),
        signing("a key without a name", claims -> rsa(claims, "RS256", null)),
        signing(
            "ES256",
            claims ->
                TestProvider.signed(claims, "ES256", "curve", provider.curve().getPrivateKey())));
  }

  private static String rsa(JwtClaims claims, String algorithm, String keyId) throws Exception {
    return TestProvider.signed(claims, algorithm, keyId, provider.rsa().getPrivateKey());
  }

  private interface AnySigning {
    String token(JwtClaims claims) throws Exception;
  }

  private static Arguments signing(String what, AnySigning signing) {
    TestProvider.Signing checked =
        claims -> {
          try {
            return signing.token(claims);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        };
    return Arguments.of(what, checked);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("good")
  void eachSignatureThatProvidersMakeIsTaken(String what, TestProvider.Signing signing)
      throws Exception {
    provider.signs(signing);
    assertThat(login().statusCode()).as(what).isEqualTo(200);
  }

  static Stream<Arguments> forged() {
    return Stream.of(
        signing(
            "of another key",
            claims ->
                TestProvider.signed(
                    claims, "RS256", "rsa", RsaJwkGenerator.generateJwk(2048).getPrivateKey())),
        signing("of a key that is not known", claims -> rsa(claims, "RS256", "other")),
        signing("without a signature", claims -> TestProvider.signed(claims, "none", "rsa", null)),
        signing(
            "without an algorithm but with a signature",
            claims ->
                TestProvider.signed(claims, "none", "rsa", null)
                    + rsa(claims, "RS256", "rsa").replaceAll(".*\\.", "")),
        signing(
            "with the public key as a secret",
            claims ->
                TestProvider.signed(
                    claims,
                    "HS256",
                    "rsa",
                    new HmacKey(provider.rsa().getPublicKey().getEncoded()))),
        signing("with RS512, which was not agreed", claims -> rsa(claims, "RS512", "rsa")),
        signing(
            "changed since",
            claims -> {
              String[] parts = rsa(claims, "RS256", "rsa").split("\\.", -1);
              claims.setSubject("somebody else");
              return parts[0]
                  + "."
                  + rsa(claims, "RS256", "rsa").split("\\.", -1)[1]
                  + "."
                  + parts[2];
            }),
        signing("no token at all", _ -> "eyJhbGciOiJSUzI1NiJ9"),
        signing("not Base64", _ -> "a.b.c"),
        signing("nothing", _ -> ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forged")
  void aTokenThatTheProviderHasNotSignedLetsNobodyIn(String what, TestProvider.Signing signing)
      throws Exception {
    provider.signs(signing);
    HttpResponse<String> answer = login();
    assertThat(code(answer)).as(what).isEqualTo("LOGIN_REFUSED");
    assertThat(answer.body()).contains("ID token").doesNotContain("eyJ");
    assertNobodyIsIn(browser);
    assertThat(center.store().people().list()).isEmpty();
  }

  private static Arguments claims(String what, String words, Consumer<JwtClaims> change) {
    return Arguments.of(what, words, change);
  }

  private static NumericDate in(long seconds) {
    return NumericDate.fromSeconds(center.now().getEpochSecond() + seconds);
  }

  static Stream<Arguments> ofAnotherLogin() {
    return Stream.of(
        claims("of another issuer", "of another issuer", c -> c.setIssuer("https://evil.example")),
        claims("of no issuer", "names no issuer", c -> c.unsetClaim("iss")),
        claims("for another client", "for another client", c -> c.setAudience("grafana")),
        claims("for no client", "for no client", c -> c.unsetClaim("aud")),
        claims(
            "for two, made for the other",
            "made for another client",
            c -> {
              c.setAudience("sedge", "grafana");
              c.setClaim("azp", "grafana");
            }),
        claims(
            "for two, made for nobody knows whom",
            "made for another client",
            c -> c.setAudience("sedge", "grafana")),
        claims("made for another", "made for another", c -> c.setClaim("azp", "grafana")),
        claims("of another login", "of another login", c -> c.setClaim("nonce", "A".repeat(43))),
        claims("of no login", "of another login", c -> c.unsetClaim("nonce")),
        claims("with a nonce of another type", "another type", c -> c.setClaim("nonce", 7)),
        claims("of nobody", "names nobody", c -> c.unsetClaim("sub")),
        claims("of somebody long", "too long", c -> c.setSubject("x".repeat(256))),
        claims("of somebody empty", "is empty", c -> c.setSubject("")),
        claims("with a control character", "control characters", c -> c.setSubject("a\u0000")),
        claims("expired", "has expired", c -> c.setExpirationTime(in(-61))),
        claims("for ever", "when it ends", c -> c.unsetClaim("exp")),
        claims("without a time", "when it was made", c -> c.unsetClaim("iat")),
        claims("from the future", "from the future", c -> c.setIssuedAt(in(120))),
        claims("old", "it is old", c -> c.setIssuedAt(in(-700))),
        claims("not valid yet", "not valid yet", c -> c.setNotBefore(in(120))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofAnotherLogin")
  void aTokenThatIsNotOfThisLoginLetsNobodyIn(String what, String words, Consumer<JwtClaims> change)
      throws Exception {
    provider.says(change);
    HttpResponse<String> answer = login();
    assertThat(code(answer)).as(what).isEqualTo("LOGIN_REFUSED");
    assertThat(answer.body()).contains(words);
    assertNobodyIsIn(browser);
    assertThat(center.store().people().list()).isEmpty();
  }

  /** Clocks differ. */
  @Test
  void aMinuteOfDifferenceBetweenClocksIsBorne() throws Exception {
    provider.says(claims -> claims.setIssuedAt(in(45)));
    assertThat(login().statusCode()).as("the provider's is ahead").isEqualTo(200);
    provider.says(
        claims -> {
          claims.setIssuedAt(in(-300));
          claims.setExpirationTime(in(-30));
        });
    assertThat(login().statusCode()).as("the provider's is behind").isEqualTo(200);
  }

  @Test
  void aLoginEndsOnceInTheBrowserThatHasBegunItAndInTime() throws Exception {
    Map<String, String> returned = provider.visit(begin(browser));
    try (Browser other = new Browser(center);
        Browser begun = new Browser(center)) {
      assertThat(code(redeem(other, returned))).as("without a cookie").isEqualTo("LOGIN_REFUSED");
      assertNobodyIsIn(other);
      begin(begun);
      assertThat(code(redeem(begun, returned))).as("of another").isEqualTo("LOGIN_REFUSED");
      assertNobodyIsIn(begun);
      assertThat(code(redeem(begun, provider.visit(begin(begun).replaceAll("state=", "state=x")))))
          .as("a state that nobody has begun")
          .isEqualTo("LOGIN_REFUSED");
      assertNobodyIsIn(begun);
    }
    assertThat(redeem(browser, returned).statusCode()).isEqualTo(200);
    try (Browser copy = new Browser(center)) {
      assertThat(code(redeem(copy, returned))).as("again").isEqualTo("LOGIN_REFUSED");
      assertThat(copy.cookie()).isEmpty();

      Map<String, String> late = provider.visit(begin(copy));
      center.advance(SingleSignOn.LIFE);
      assertThat(redeem(copy, late).body()).as("late").contains("more than 10 minutes ago");
      assertThat(copy.cookie()).isEmpty();
    }
  }

  /** The code is used up by the first request, even if nothing has come of it. */
  @Test
  void aCodeIsRedeemedOnce() throws Exception {
    Map<String, String> returned = provider.visit(begin(browser));
    provider.answers("/token", exchange -> TestProvider.send(exchange, 500, ""));
    assertThat(code(redeem(browser, returned))).isEqualTo("PROVIDER_UNAVAILABLE");
    provider.behave();
    assertThat(code(redeem(browser, returned))).isEqualTo("LOGIN_REFUSED");
    assertNobodyIsIn(browser);
  }

  /** PKCE: who gets hold of somebody's code cannot use it in a login of his own. */
  @Test
  void aCodeOfAnotherLoginIsOfNoUse() throws Exception {
    try (Browser other = new Browser(center)) {
      Map<String, String> stolen = provider.visit(begin(browser));
      Map<String, String> own = provider.visit(begin(other));
      own.put("code", stolen.get("code"));
      assertThat(redeem(other, own).body()).contains("does not accept the code");
      assertNobodyIsIn(other);
    }
  }

  /** RFC 9207: whoever stands between two providers cannot mix up who answers. */
  @Test
  void aBrowserThatComesFromAnotherProviderIsRefused() throws Exception {
    Map<String, String> returned = provider.visit(begin(browser));
    returned.put("iss", "https://evil.example");
    assertThat(code(redeem(browser, returned))).isEqualTo("LOGIN_REFUSED");
    provider.describes(all -> all.put("authorization_response_iss_parameter_supported", true));
    assertThat(code(login())).as("it says none").isEqualTo("LOGIN_REFUSED");
    assertNobodyIsIn(browser);
    returned = provider.visit(begin(browser));
    returned.put("iss", provider.issuer());
    assertThat(redeem(browser, returned).statusCode()).isEqualTo(200);
  }

  private static void endless(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 2L << 30);
    byte[] block = new byte[1 << 16];
    try (OutputStream out = exchange.getResponseBody()) {
      for (long sent = 0; sent < 2L << 30; sent += block.length) {
        out.write(block);
      }
    } catch (IOException _) {
      // The center has read enough.
    }
  }

  private static void elsewhere(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Location", provider.issuer() + "/keys");
    TestProvider.send(exchange, 302, "");
  }

  /** Whatever comes, from whichever address of the provider. */
  @Test
  void answersThatAreNoneLetNobodyIn() throws Exception {
    for (String path : List.of("/.well-known/openid-configuration", "/token", "/keys")) {
      for (HttpHandler handler :
          List.<HttpHandler>of(
              OidcTest::endless,
              OidcTest::elsewhere,
              HttpExchange::close,
              exchange -> TestProvider.send(exchange, 503, ""),
              exchange -> TestProvider.send(exchange, 200, "<html>"),
              exchange -> TestProvider.send(exchange, 200, "{\"keys\": {}}"),
              exchange -> TestProvider.send(exchange, 200, "{\"keys\": [7, null]}"),
              exchange -> TestProvider.send(exchange, 200, "[]"))) {
        Optional<Map<String, String>> returned =
            path.startsWith("/.") ? Optional.empty() : Optional.of(provider.visit(begin(browser)));
        provider.answers(path, handler);
        HttpResponse<String> answer =
            returned.isPresent()
                ? redeem(browser, returned.get())
                : browser.ask("POST", "/session/oidc", "");
        assertThat(code(answer)).as(path).isIn("PROVIDER_UNAVAILABLE", "LOGIN_REFUSED");
        assertNobodyIsIn(browser);
        provider.behave();
      }
    }
  }

  @Test
  void aProviderThatIsAnotherOrNotSafeIsNotGoneTo() throws Exception {
    for (Map.Entry<String, String> change :
        Map.of(
                "issuer", provider.issuer() + "/other",
                "authorization_endpoint", "http://id.example.com/authorize",
                "token_endpoint", "file:///etc/passwd",
                "jwks_uri", "")
            .entrySet()) {
      provider.describes(all -> all.put(change.getKey(), change.getValue()));
      assertThat(code(browser.ask("POST", "/session/oidc", "")))
          .as(change.getKey())
          .isEqualTo("PROVIDER_UNAVAILABLE");
    }
  }

  /** A secret that is wrong is said, and never told. */
  @Test
  void aCenterThatTheProviderDoesNotKnowSaysSo() throws Exception {
    provider.answers(
        "/token", exchange -> TestProvider.send(exchange, 401, "{\"error\": \"invalid_client\"}"));
    HttpResponse<String> answer = login();
    assertThat(code(answer)).isEqualTo("PROVIDER_UNAVAILABLE");
    assertThat(answer.body()).contains("the center's log says why").doesNotContain("client-secret");
    assertNobodyIsIn(browser);
    assertThat(center.said().getLast())
        .contains("client-id or client-secret is wrong")
        .doesNotContain(TestProvider.SECRET);
    int lines = center.said().size();
    assertThat(code(login())).isEqualTo("PROVIDER_UNAVAILABLE");
    assertThat(center.said()).as("not a line for each").hasSize(lines);
  }

  @Test
  void aNameThatSomebodyElseHasIsNeverTakenOver() throws Exception {
    String hash = center.service().people().passwords().hash(PASSWORD);
    center.store().people().add("anna", Permission.everywhere(Role.ADMIN), hash);
    HttpResponse<String> answer = login();
    assertThat(code(answer)).isEqualTo("NAME_TAKEN");
    assertThat(answer.body()).contains("calls you 'anna'", "sedge center person remove");
    assertNobodyIsIn(browser);
    assertThat(center.store().people().find("anna").orElseThrow().password()).contains(hash);
    assertThat(center.store().people().remove("anna")).isTrue();

    center.store().tokens().add("t", "anna", Permission.everywhere(Role.VIEWER), Optional.empty());
    assertThat(code(login())).as("a token's").isEqualTo("NAME_TAKEN");
    assertThat(center.store().tokens().remove("anna")).isTrue();

    assertThat(login().statusCode()).isEqualTo(200);
    try (Browser other = new Browser(center)) {
      provider.says(claims -> claims.setSubject("another one"));
      assertThat(code(redeem(other, provider.visit(begin(other)))))
          .as("of another one at the provider")
          .isEqualTo("NAME_TAKEN");
      assertThat(other.cookie()).isEmpty();
    }
    for (String name : List.of("local", "<b>", "", "a\u0000b")) {
      provider.says(
          claims -> {
            claims.setSubject("third");
            claims.setClaim("preferred_username", name);
          });
      try (Browser other = new Browser(center)) {
        assertThat(redeem(other, provider.visit(begin(other))).statusCode())
            .as(name)
            .isEqualTo(401);
        assertThat(other.cookie()).isEmpty();
      }
    }
    center.service().people().writeRefusedLogins();
    assertThat(audit())
        .extracting(entry -> entry.what() + " " + entry.subject())
        .contains("login refused anna", "login refused unknown name");
  }

  /** The person is who the subject is, whatever he is called there meanwhile. */
  @Test
  void whoIsRenamedAtTheProviderIsTheSameHere() throws Exception {
    assertThat(login().statusCode()).isEqualTo(200);
    provider.says(claims -> claims.setClaim("preferred_username", "anna b"));
    assertThat(json(login()).get("caller").get("name").textValue()).isEqualTo("anna");
  }

  @Test
  void whoHasNoRoleAtTheProviderIsNotLetInAndPutOut() throws Exception {
    provider.says(claims -> claims.setClaim("groups", "gardeners"));
    HttpResponse<String> answer = login();
    assertThat(code(answer)).isEqualTo("NOT_PERMITTED");
    assertThat(answer.body()).contains("its claim 'groups' gives you no role");
    assertNobodyIsIn(browser);
    assertThat(center.store().people().list()).isEmpty();

    provider.behave();
    assertThat(login().statusCode()).isEqualTo(200);
    provider.says(claims -> claims.unsetClaim("groups"));
    try (Browser again = new Browser(center)) {
      assertThat(code(redeem(again, provider.visit(begin(again))))).isEqualTo("NOT_PERMITTED");
      assertThat(again.cookie()).isEmpty();
    }
    assertThat(code(browser.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
    center.service().people().writeRefusedLogins();
    assertThat(audit())
        .extracting(entry -> entry.what() + " " + entry.subject())
        .contains("login refused anna", "login refused unknown name");
  }

  /** The role is the provider's, the sites are the center's. */
  @Test
  void theRoleIsSetAtEachLoginAndTheSitesStay() throws Exception {
    center.store().sites().enrol("north", "ledger", "key");
    assertThat(login().statusCode()).isEqualTo(200);
    Permission bounded = new Permission(Role.ENGINEER, Optional.of(List.of("north")));
    assertThat(center.store().people().permit("anna", bounded)).isTrue();
    assertThat(code(browser.ask("POST", "/site-tokens", "{}")))
        .as("from the next request on")
        .isEqualTo("NOT_PERMITTED");
    provider.says(claims -> claims.setClaim("groups", "sedge-admins"));
    try (Browser again = new Browser(center)) {
      assertThat(json(redeem(again, provider.visit(begin(again)))).get("caller").toString())
          .contains("\"role\":\"admin\",\"sites\":[\"north\"]");
    }
    assertThat(json(browser.ask("GET", "/console", "")).get("caller").get("role").textValue())
        .as("the session that was there")
        .isEqualTo("admin");
    assertThat(audit())
        .extracting(entry -> entry.what() + ": " + entry.detail())
        .contains("person role: admin at north, by " + provider.issuer());
  }

  @Test
  void whoLogsInAtTheProviderHasNoPasswordAndGetsNone() throws Exception {
    provider.says(claims -> claims.setClaim("groups", List.of("sedge-admins", 7)));
    assertThat(login().statusCode()).isEqualTo(200);
    HttpResponse<String> change =
        browser.ask(
            "PUT",
            "/session/password",
            body(Map.of("old", PASSWORD, "new", "another " + PASSWORD)));
    assertThat(code(change)).isEqualTo("PASSWORD_REFUSED");
    assertThat(change.body()).contains("logs in at " + provider.issuer());
    assertThat(code(browser.ask("POST", "/people/anna/reset", ""))).isEqualTo("PASSWORD_REFUSED");
    assertThat(center.store().people().reset("anna", "code", center.now().plusSeconds(60)))
        .as("not by who has asked before")
        .isFalse();
    assertThat(json(browser.ask("GET", "/people", "")).get(0).get("provider").textValue())
        .isEqualTo(provider.issuer());
    try (Browser other = new Browser(center)) {
      assertThat(code(other.login("anna", PASSWORD))).isEqualTo("LOGIN_REFUSED");
    }
    assertThat(firstLogin(Optional.of(provider.issuer()))).as("there is an admin").isEmpty();
    assertThat(firstLogin(Optional.of("https://other.example"))).as("elsewhere").isPresent();
    assertThat(firstLogin(Optional.empty())).as("without a provider").isPresent();
  }

  private static Optional<String> firstLogin(Optional<String> issuer) throws Exception {
    return new FirstLogin(directory.resolve("control"), center::now, issuer).offer(center.store());
  }

  /** Else the provider would bring him back, without the bounds that he had. */
  @Test
  void whoIsRemovedStaysOutUntilAnAdminForgetsHim() throws Exception {
    provider.says(claims -> claims.setClaim("groups", "sedge-admins"));
    assertThat(login().statusCode()).isEqualTo(200);
    try (Asking admin = new Asking(center)) {
      String token = center.token(Role.ADMIN);
      assertThat(admin.ask(token, "DELETE", "/people/anna", "").statusCode()).isEqualTo(204);
      assertThat(code(browser.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
      HttpResponse<String> refused = login();
      assertThat(code(refused)).isEqualTo("NOT_PERMITTED");
      assertThat(refused.body()).contains("has removed 'anna'");
      assertThat(code(browser.ask("GET", "/sites", ""))).isEqualTo("SESSION_ENDED");
      JsonNode people = json(admin.ask(token, "GET", "/people", ""));
      assertThat(people.get(0).get("shutOut").booleanValue()).isTrue();

      assertThat(admin.ask(token, "DELETE", "/people/anna", "").statusCode()).isEqualTo(204);
      assertThat(code(login())).as("a request that comes twice").isEqualTo("NOT_PERMITTED");
      assertThat(admin.ask(token, "DELETE", "/people/anna?forget=true", "").statusCode())
          .isEqualTo(204);
      assertThat(center.store().people().list()).isEmpty();
      assertThat(login().statusCode()).as("as somebody new").isEqualTo(200);
    }
  }

  /** The role is the provider's; the sites are an admin's. */
  @Test
  void anAdminSaysTheSitesOfSomebodyOfTheProviderAndNotTheRole() throws Exception {
    center.store().sites().enrol("east", "ledger-east", "key-east");
    assertThat(login().statusCode()).isEqualTo(200);
    try (Asking admin = new Asking(center)) {
      String token = center.token(Role.ADMIN);
      HttpResponse<String> refused =
          admin.ask(token, "PUT", "/people/anna/role", "{\"role\": \"admin\"}");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("the login provider says the role of 'anna'");
      for (String body :
          List.of(
              "{\"sites\": [\"east\"]}",
              "{\"role\": \"engineer\"}",
              "{\"role\": \"engineer\", \"sites\": [\"east\"]}")) {
        assertThat(admin.ask(token, "PUT", "/people/anna/role", body).statusCode()).isEqualTo(200);
        assertThat(center.store().people().find("anna").orElseThrow().permission())
            .isEqualTo(new Permission(Role.ENGINEER, Optional.of(List.of("east"))));
      }
      assertThat(admin.ask(token, "PUT", "/people/anna/role", "{}").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void somebodyNewIsBoundedToTheSitesOfTheFile() throws Exception {
    Map<String, String> more = Map.of("sites", "north, east", "prompt", "select_account");
    try (TestCenter bounded =
            new TestCenter(directory.resolve("bounded"), options(provider.issuer(), more));
        Browser page = new Browser(bounded)) {
      bounded.advance(Duration.between(bounded.now(), center.now()));
      String location = begin(page);
      assertThat(location).contains("&prompt=select_account");
      assertThat(json(redeem(page, provider.visit(location))).get("caller").toString())
          .contains("\"role\":\"engineer\",\"sites\":[\"east\",\"north\"]");
    }
  }

  /** Rows of before, or that somebody has changed by hand. */
  @Test
  void aPasswordThatIsStoredOfSomebodyOfTheProviderIsOfNoUse() throws Exception {
    assertThat(login().statusCode()).isEqualTo(200);
    String hash = center.service().people().passwords().hash(PASSWORD);
    try (Connection secrets =
            DriverManager.getConnection(
                "jdbc:sqlite:" + directory.resolve("center/store/secrets.db"));
        PreparedStatement update =
            secrets.prepareStatement("UPDATE sedge_person SET password = ?")) {
      update.setString(1, hash);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
    assertThat(center.store().people().find("anna").orElseThrow().password()).contains(hash);
    try (Browser other = new Browser(center)) {
      assertThat(code(other.login("anna", PASSWORD))).isEqualTo("LOGIN_REFUSED");
      assertThat(other.cookie()).isEmpty();
    }
  }

  /** The audit log says what was done alone. */
  @Test
  void nobodyIsAddedWhereThereIsNoRoom() throws Exception {
    for (int i = 0; i < People.MAX_PEOPLE; i++) {
      center.store().people().add("p" + i, Permission.everywhere(Role.VIEWER), "no hash");
    }
    assertThat(code(login())).isEqualTo("TOO_LARGE");
    assertNobodyIsIn(browser);
    assertThat(audit()).extracting(AuditLog.Entry::what).doesNotContain("person add");
  }

  /** Two tabs of a browser have one cookie. */
  @Test
  void aSecondTabDoesNotEndTheLoginOfTheFirst() throws Exception {
    Map<String, String> first = provider.visit(begin(browser));
    Map<String, String> second = provider.visit(begin(browser));
    HttpResponse<String> one = redeem(browser, first);
    assertThat(one.statusCode()).isEqualTo(200);
    assertThat(one.headers().allValues("Set-Cookie"))
        .noneMatch(cookie -> cookie.startsWith("__Host-sedge-login-"));
    HttpResponse<String> two = redeem(browser, second);
    assertThat(two.statusCode()).isEqualTo(200);
    assertThat(two.headers().allValues("Set-Cookie"))
        .as("the last one takes the cookie away")
        .anySatisfy(
            cookie -> assertThat(cookie).startsWith("__Host-sedge-login-").contains("1970"));
  }

  /** Passwords are for when the provider is away, whoever begins logins and does not end them. */
  @Test
  void loginsThatAreBegunAreBoundedAndTakeNothingFromPasswords() throws Exception {
    String hash = center.service().people().passwords().hash(PASSWORD);
    center.store().people().add("bob", Permission.everywhere(Role.VIEWER), hash);
    try (Browser hasty = new Browser(center, InetAddress.getByName("127.0.0.77"))) {
      int begun = 0;
      HttpResponse<String> refused = hasty.ask("POST", "/session/oidc", "");
      // Time goes on meanwhile, which gives some more.
      while (refused.statusCode() == 200 && begun < 2 * OidcHandlers.AT_ONCE) {
        begun++;
        refused = hasty.ask("POST", "/session/oidc", "");
      }
      assertThat(begun).isGreaterThanOrEqualTo(OidcHandlers.AT_ONCE);
      assertThat(code(refused)).isEqualTo("TOO_MANY_ATTEMPTS");
      assertThat(refused.headers().firstValue("Retry-After")).contains("10");
      assertThat(hasty.login("bob", PASSWORD).statusCode()).isEqualTo(200);
      begin(browser);
    }
  }

  /** ASVS 4.2.2: another page cannot log somebody in as somebody else. */
  @Test
  void aPageOfAnotherOriginBeginsAndEndsNoLogin() throws Exception {
    Map<String, String> returned = provider.visit(begin(browser));
    try (Asking asking = new Asking(center)) {
      for (String path : List.of("/session/oidc", "/session/oidc/code")) {
        assertThat(
                code(
                    asking.send(
                        browser
                            .request("POST", path, body(returned))
                            .setHeader("Origin", "https://evil.example"))))
            .isEqualTo("CSRF_REFUSED");
      }
    }
    assertNobodyIsIn(browser);
    assertThat(redeem(browser, returned).statusCode()).as("itself").isEqualTo(200);
  }

  /** A plant often has no internet: passwords are there, and the provider is asked again. */
  @Test
  void aProviderThatIsAwayIsSaidAndAskedAgain() throws Exception {
    TestProvider before = new TestProvider(InstantSource.system());
    int port = before.port();
    String issuer = before.issuer();
    before.close();
    Path data = directory.resolve("away");
    try (TestCenter away = new TestCenter(data, options(issuer, Map.of()));
        Browser page = new Browser(away)) {
      while (away.said().isEmpty()) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      assertThat(away.said().getFirst())
          .contains("does not answer at " + issuer, "log in with passwords alone");
      assertThat(json(page.ask("GET", "/console", "")).get("provider").textValue())
          .isEqualTo("127.0.0.1");
      HttpResponse<String> refused = page.ask("POST", "/session/oidc", "");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(code(refused)).isEqualTo("PROVIDER_UNAVAILABLE");
      assertThat(refused.body())
          .contains("the login provider does not answer")
          .as("what is between the two is nobody's business")
          .doesNotContain(issuer);
      assertThat(away.said().getLast()).contains(issuer);
      away.store()
          .people()
          .add(
              "bob",
              Permission.everywhere(Role.VIEWER),
              away.service().people().passwords().hash(PASSWORD));
      assertThat(page.login("bob", PASSWORD).statusCode()).isEqualTo(200);
      try (TestProvider back = new TestProvider(InstantSource.system(), port)) {
        assertThat(redeem(page, back.visit(begin(page))).statusCode()).isEqualTo(200);
        assertThat(back.form())
            .as("a client without a secret")
            .containsEntry("client_id", "sedge")
            .containsEntry("authorization", "");
      }
    }
  }

  /** The cookie of the login would not be there for the other name of the center. */
  @Test
  void whoIsNotWhereTheProviderSendsBrowsersIsToldWhereToGo() throws Exception {
    try (TestCenter named =
            new TestCenter(
                directory.resolve("named"),
                options(provider.issuer(), Map.of("redirect", "https://center.example.com")));
        Browser page = new Browser(named)) {
      HttpResponse<String> refused = page.ask("POST", "/session/oidc", "");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("https://center.example.com/: open the console there");
    }
  }

  @Test
  void aCenterWithoutAProviderSaysSo() throws Exception {
    try (TestCenter plain = new TestCenter(directory.resolve("plain"), ApiContext.HEARTBEAT);
        Browser page = new Browser(plain)) {
      assertThat(json(page.ask("GET", "/console", "")).has("provider")).isFalse();
      assertThat(code(page.ask("POST", "/session/oidc", ""))).isEqualTo("UNKNOWN_PATH");
      assertThat(code(redeem(page, Map.of("state", "a", "code", "b")))).isEqualTo("UNKNOWN_PATH");
    }
  }
}
