package io.sedge.center.internal.api;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.sedge.identity.Fingerprint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/**
 * A provider of OpenID Connect on loopback that may be told to do what none should. Everybody who
 * is sent there is logged in at once.
 */
final class TestProvider implements AutoCloseable {
  static final String CLIENT = "sedge";
  static final String SECRET = "a secret: with + and %";

  private final HttpServer server;
  private final InstantSource clock;
  private final RsaJsonWebKey rsa;
  private final EllipticCurveJsonWebKey curve;
  private final Map<String, Map<String, String>> asked = new ConcurrentHashMap<>();
  private final Map<String, HttpHandler> instead = new ConcurrentHashMap<>();
  private volatile Consumer<JwtClaims> claims = _ -> {};
  private volatile Signing signing = this::signed;
  private volatile Consumer<Map<String, Object>> description = _ -> {};

  /** The last form that the token endpoint got, with the header as {@code authorization}. */
  private volatile Map<String, String> form = Map.of();

  /** Makes a token of claims. */
  @FunctionalInterface
  interface Signing {
    String token(JwtClaims claims) throws JoseException;
  }

  TestProvider(InstantSource clock) throws IOException, JoseException {
    this(clock, 0);
  }

  TestProvider(InstantSource clock, int port) throws IOException, JoseException {
    this.clock = clock;
    this.rsa = RsaJwkGenerator.generateJwk(2048);
    rsa.setKeyId("rsa");
    this.curve = EcJwkGenerator.generateJwk(EllipticCurves.P256);
    curve.setKeyId("curve");
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String issuer() {
    return "http://127.0.0.1:" + port();
  }

  /** As it was in the beginning. */
  void behave() {
    instead.clear();
    claims = _ -> {};
    signing = this::signed;
    description = _ -> {};
  }

  /** Answers at a path in another way. */
  void answers(String path, HttpHandler other) {
    instead.put(path, other);
  }

  /** Says something else in its tokens. */
  void says(Consumer<JwtClaims> other) {
    claims = other;
  }

  void signs(Signing other) {
    signing = other;
  }

  /** Says something else of itself. */
  void describes(Consumer<Map<String, Object>> other) {
    description = other;
  }

  Map<String, String> form() {
    return form;
  }

  RsaJsonWebKey rsa() {
    return rsa;
  }

  EllipticCurveJsonWebKey curve() {
    return curve;
  }

  private String signed(JwtClaims of) throws JoseException {
    return signed(of, "RS256", "rsa", rsa.getPrivateKey());
  }

  static String signed(JwtClaims of, String algorithm, String keyId, Key key) throws JoseException {
    JsonWebSignature token = new JsonWebSignature();
    token.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
    token.setDoKeyValidation(false);
    token.setPayload(of.toJson());
    token.setAlgorithmHeaderValue(algorithm);
    token.setKeyIdHeaderValue(keyId);
    token.setKey(key);
    return token.getCompactSerialization();
  }

  /** A browser is sent there, somebody logs in, and it comes back with this. */
  Map<String, String> visit(String location) {
    Map<String, String> query = parsed(URI.create(location).getRawQuery());
    String code = LocalAccess.newSecret();
    asked.put(code, query);
    Map<String, String> returned = new LinkedHashMap<>();
    returned.put("state", query.get("state"));
    returned.put("code", code);
    return returned;
  }

  static Map<String, String> parsed(String encoded) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : encoded.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      pairs.put(decoded(parts[0]), decoded(parts[1]));
    }
    return pairs;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    HttpHandler other = instead.get(path);
    try (exchange) {
      if (other != null) {
        other.handle(exchange);
      } else {
        switch (path) {
          case "/.well-known/openid-configuration" ->
              send(exchange, 200, new JsonMapper().writeValueAsString(description()));
          case "/keys" -> send(exchange, 200, new JsonWebKeySet(rsa, curve).toJson());
          case "/token" -> token(exchange);
          default -> send(exchange, 404, "");
        }
      }
    }
  }

  private Map<String, Object> description() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("issuer", issuer());
    all.put("authorization_endpoint", issuer() + "/authorize?tenant=a");
    all.put("token_endpoint", issuer() + "/token");
    all.put("jwks_uri", issuer() + "/keys");
    description.accept(all);
    return all;
  }

  static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> given =
        parsed(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    given.put("authorization", authorization == null ? "" : authorization);
    form = given;
    Map<String, String> begun = asked.remove(given.get("code"));
    if (begun == null
        || !given.get("grant_type").equals("authorization_code")
        || !given.get("redirect_uri").equals(begun.get("redirect_uri"))
        || !challenge(given.get("code_verifier")).equals(begun.get("code_challenge"))) {
      send(exchange, 400, "{\"error\": \"invalid_grant\"}");
      return;
    }
    try {
      send(
          exchange,
          200,
          new JsonMapper()
              .writeValueAsString(
                  Map.of(
                      "token_type",
                      "Bearer",
                      "access_token",
                      "of no use",
                      "id_token",
                      signing.token(claims(begun)))));
    } catch (JoseException e) {
      throw new IOException(e);
    }
  }

  private static String challenge(String verifier) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Fingerprint.sha256(verifier.getBytes(StandardCharsets.US_ASCII)));
  }

  private JwtClaims claims(Map<String, String> begun) {
    JwtClaims all = new JwtClaims();
    all.setIssuer(issuer());
    all.setAudience(begun.get("client_id"));
    all.setSubject("248289761001");
    all.setIssuedAt(NumericDate.fromMilliseconds(clock.millis()));
    all.setExpirationTime(NumericDate.fromMilliseconds(clock.millis() + 300_000));
    all.setClaim("nonce", begun.get("nonce"));
    all.setClaim("preferred_username", "anna");
    all.setClaim("groups", List.of("plant-engineers", "plant-operators"));
    claims.accept(all);
    return all;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
