package io.sedge.connector.http.internal;

import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The options of the connector {@code http}. */
public final class HttpOptions {
  static final String URL = "url";
  static final String HEADERS = "headers.";
  static final String BODY = "body";
  static final String POINTER = "json-pointer";
  static final String CONNECT_TIMEOUT = "connection-timeout";
  static final String TIMEOUT = "request-timeout";
  static final String CA = "tls.ca";
  static final String CERTIFICATE = "tls.certificate";
  static final String KEY = "tls.key";
  static final String USER = "username";
  static final String PASSWORD = "password";
  static final String TOKEN = "bearer-token";
  static final String LOGIN_URL = "login.url";
  static final String CLIENT_ID = "login.client-id";
  static final String CLIENT_SECRET = "login.client-secret";
  static final String SCOPE = "login.scope";
  static final String INTERVAL = "poll-interval";
  static final String MAX_ANSWER = "max-answer";
  static final String METHOD = "sink.method";
  static final String MAX_ROWS = "sink.request.max-rows";
  static final String MAX_BYTES = "sink.request.max-bytes";
  static final String IDEMPOTENCY_HEADER = "sink.idempotency-header";
  static final String ON_REFUSED = "sink.on-refused";
  static final String QUEUE = "sink.queue-bytes";

  /** Options that say something of one direction alone. */
  static final List<String> SOURCE_ONLY = List.of(POINTER, INTERVAL, MAX_ANSWER);

  static final List<String> SINK_ONLY =
      List.of(METHOD, MAX_ROWS, MAX_BYTES, IDEMPOTENCY_HEADER, ON_REFUSED, QUEUE);

  /** The values of {@link #ON_REFUSED}. */
  static final String SKIP = "skip";

  /** How rows stand in a body, for both connectors. */
  static final Option BODY_OPTION =
      new Option(
          BODY,
          Kind.CHOICE,
          List.of("array", "lines", "row"),
          Optional.empty(),
          false,
          "How rows stand in a body: a JSON array (an object alone is one row), one on each line,"
              + " or one row and nothing else; json: array, csv and influx-line: lines, other"
              + " formats: row.");

  static final Option POINTER_OPTION =
      Option.optional(
          POINTER,
          Kind.STRING,
          "Source: where in the JSON the rows stand, as a JSON Pointer: /data/items.");

  public static final List<Option> ALL =
      List.of(
          Option.required(
              URL,
              Kind.STRING,
              "The address, http:// or https://; in a sink {column} stands for a value of the"
                  + " row."),
          Option.optional(
                  HEADERS + "*",
                  Kind.STRING,
                  "A header of each request: 'headers.X-Plant' = 'north'.")
              .asTuning(),
          BODY_OPTION,
          Option.durationWithDefault(
                  CONNECT_TIMEOUT, Duration.ofSeconds(10), "For connecting to the server.")
              .asTuning(),
          Option.durationWithDefault(
                  TIMEOUT, Duration.ofSeconds(30), "For a request with its whole answer.")
              .asTuning(),
          Option.optional(
                  CA,
                  Kind.STRING,
                  "PEM file of the authorities that may vouch for the server; else the JDK's.")
              .asTuning(),
          Option.optional(CERTIFICATE, Kind.STRING, "PEM file of this client's certificate chain.")
              .asTuning(),
          Option.optional(KEY, Kind.STRING, "PEM file (PKCS #8) of this client's private key.")
              .asTuning(),
          Option.optional(USER, Kind.STRING, "Basic login: the user. Needs 'password'.").asTuning(),
          Option.optional(PASSWORD, Kind.STRING, "The password, as ${secret:NAME}.").asTuning(),
          Option.optional(TOKEN, Kind.STRING, "Login by a token, as ${secret:NAME}.").asTuning(),
          Option.optional(
                  LOGIN_URL,
                  Kind.STRING,
                  "OAuth 2 client credentials: where a token is got. Needs 'login.client-id' and"
                      + " 'login.client-secret'.")
              .asTuning(),
          Option.optional(CLIENT_ID, Kind.STRING, "The client's name there.").asTuning(),
          Option.optional(CLIENT_SECRET, Kind.STRING, "Its secret, as ${secret:NAME}.").asTuning(),
          Option.optional(SCOPE, Kind.STRING, "What the token is to allow.").asTuning(),
          POINTER_OPTION,
          Option.durationWithDefault(
                  INTERVAL, Duration.ofSeconds(10), "Source: how often the server is asked.")
              .asTuning(),
          Option.withDefault(
                  MAX_ANSWER,
                  Kind.BYTES,
                  "8 mb",
                  "Source: a larger answer is broken off; up to 64 mb.")
              .asTuning(),
          Option.choice(METHOD, "POST", List.of("POST", "PUT"), "Sink: how rows are sent."),
          Option.withDefault(
                  MAX_ROWS, Kind.INTEGER, "500", "Sink: so many rows go into a request at most.")
              .asTuning(),
          Option.withDefault(
                  MAX_BYTES,
                  Kind.BYTES,
                  "1 mb",
                  "Sink: so many bytes go into a request at most, or one row.")
              .asTuning(),
          Option.withDefault(
                  IDEMPOTENCY_HEADER,
                  Kind.STRING,
                  "Idempotency-Key",
                  "Sink: the header with the key by which a server knows a request that comes"
                      + " again.")
              .asTuning(),
          Option.choice(
                  ON_REFUSED,
                  SKIP,
                  List.of(SKIP, "fail"),
                  "Sink: a row that the server refuses is counted and said in the log, or the job"
                      + " fails.")
              .asTuning(),
          Option.withDefault(
                  QUEUE,
                  Kind.BYTES,
                  "16 mb",
                  "Sink: what may wait for the server; when it is full the job waits.")
              .asTuning());

  private HttpOptions() {}
}
