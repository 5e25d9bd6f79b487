package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A login by OAuth 2 client credentials (RFC 6749, section 4.4). The token is kept until shortly
 * before it ends, and got anew when a server refuses it. One thread at a time.
 */
final class ClientCredentials implements Login {
  private static final int MAX_ANSWER_BYTES = 64 * 1024;

  /** What a header can take (RFC 6749, appendix A.12, without the space). */
  private static final String TOKEN = "[\\x21-\\x7e]+";

  /** For a token that does not say how long it holds. */
  private static final long DEFAULT_SECONDS = 300;

  private static final long MOST_SECONDS = Duration.ofDays(1).toSeconds();

  private final URI uri;
  private final String client;
  private final String secret;
  private final Optional<String> scope;
  private final LongSupplier nanoTime;
  private @Nullable String token;
  private long endNanos;

  /**
   * @param nanoTime a monotonic clock
   */
  ClientCredentials(
      URI uri, String client, String secret, Optional<String> scope, LongSupplier nanoTime) {
    this.uri = uri;
    this.client = client;
    this.secret = secret;
    this.scope = scope;
    this.nanoTime = nanoTime;
  }

  @Override
  public Optional<String> authorization(Exchange exchange)
      throws IOException, InterruptedException {
    String known = token;
    if (known == null || endNanos - nanoTime.getAsLong() <= 0) {
      known = fetch(exchange);
      token = known;
    }
    return Optional.of("Bearer " + known);
  }

  @Override
  public boolean renew() {
    boolean had = token != null;
    token = null;
    return had;
  }

  private String fetch(Exchange exchange) throws IOException, InterruptedException {
    String form =
        "grant_type=client_credentials" + scope.map(its -> "&scope=" + encoded(its)).orElse("");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json")
            .header("Authorization", Login.basicValue(encoded(client), encoded(secret)))
            .POST(BodyPublishers.ofString(form))
            .build();
    Answer answer = exchange.send(request, MAX_ANSWER_BYTES);
    Map<String, String> fields = fields(answer.body());
    String got = fields.get("access_token");
    if (!answer.isSuccess() || got == null || !got.matches(TOKEN)) {
      boolean refused = answer.status() == 400 || answer.status() == 401;
      throw new StatusException(
          "no token from %s: %s"
              .formatted(
                  place(),
                  refused
                      ? "the login is refused (%s)"
                          .formatted(code(fields.getOrDefault("error", "no reason")))
                      : answer.isSuccess()
                          ? "its answer has no 'access_token' of printable characters"
                          : "it answers %d".formatted(answer.status())),
          refused,
          Duration.ZERO);
    }
    endNanos = nanoTime.getAsLong() + usableNanos(fields.get("expires_in"));
    return got;
  }

  /** A tenth less than it holds, so that no request comes with one that has just ended. */
  private static long usableNanos(@Nullable String text) {
    long seconds = DEFAULT_SECONDS;
    if (text != null && text.matches("\\d{1,9}")) {
      seconds = Math.min(MOST_SECONDS, Long.parseLong(text));
    }
    return Duration.ofSeconds(seconds).toNanos() / 10 * 9;
  }

  private String place() {
    return "%s://%s%s".formatted(uri.getScheme(), uri.getRawAuthority(), uri.getRawPath());
  }

  /** One of RFC 6749, section 5.2; whatever else stands there is not said. */
  private static String code(String error) {
    return error.matches("[a-z_]{1,40}") ? error : "no reason";
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** The members of an object that are texts or numbers; none if it is no object. */
  private static Map<String, String> fields(byte[] json) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          JsonToken value = parser.nextToken();
          if (value == JsonToken.VALUE_STRING || value == JsonToken.VALUE_NUMBER_INT) {
            fields.put(name, parser.getText());
          } else {
            parser.skipChildren();
          }
        }
      }
    } catch (IOException e) {
      fields.clear(); // No JSON: it has no token.
    }
    return fields;
  }

  @Override
  public String toString() {
    return "ClientCredentials[%s]".formatted(place());
  }
}
