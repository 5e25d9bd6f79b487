package io.sedge.connector.http.internal;

import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import java.time.Duration;
import java.util.List;

/** The options of the connector {@code webhook}. */
public final class WebhookOptions {
  static final String LISTEN = "listen";
  static final String PATH = "path";
  static final String SIGNATURE_SECRET = "signature.secret";
  static final String SIGNATURE_HEADER = "signature.header";
  static final String IDEMPOTENCY_HEADER = "idempotency.header";
  static final String WINDOW = "idempotency.window";
  static final String ANSWER_TIMEOUT = "answer-timeout";
  static final String MAX_PAYLOAD = "max-payload";
  static final String QUEUE = "queue-bytes";

  public static final List<Option> ALL =
      List.of(
          Option.required(
                  LISTEN,
                  Kind.STRING,
                  "Address and port: 127.0.0.1:8088; another address than this machine's own needs"
                      + " TLS, and 'bearer-token' or 'signature.secret'.")
              .asTuning(),
          Option.withDefault(PATH, Kind.STRING, "/", "The path that requests go to.").asTuning(),
          HttpOptions.BODY_OPTION,
          HttpOptions.POINTER_OPTION,
          Option.optional(
                  HttpOptions.CERTIFICATE,
                  Kind.STRING,
                  "PEM file of the certificate chain; with it only TLS is spoken.")
              .asTuning(),
          Option.optional(HttpOptions.KEY, Kind.STRING, "PEM file (PKCS #8) of its private key.")
              .asTuning(),
          Option.optional(
                  HttpOptions.CA,
                  Kind.STRING,
                  "PEM file of the authorities of senders' certificates; with it each sender needs"
                      + " one.")
              .asTuning(),
          Option.optional(
                  HttpOptions.TOKEN,
                  Kind.STRING,
                  "A token that each request must have (Authorization: Bearer …), as"
                      + " ${secret:NAME}.")
              .asTuning(),
          Option.optional(
                  SIGNATURE_SECRET,
                  Kind.STRING,
                  "The key of HMAC-SHA256 by which each body must be signed, as ${secret:NAME}.")
              .asTuning(),
          Option.withDefault(
                  SIGNATURE_HEADER,
                  Kind.STRING,
                  "X-Hub-Signature-256",
                  "The header with the signature in hexadecimal digits, sha256= before them or"
                      + " not.")
              .asTuning(),
          Option.withDefault(
                  IDEMPOTENCY_HEADER,
                  Kind.STRING,
                  "Idempotency-Key",
                  "The header by which a request that comes again is known.")
              .asTuning(),
          Option.withDefault(
                  WINDOW,
                  Kind.INTEGER,
                  "256",
                  "So many of the last requests with such a header are known again, 0 to 4096;"
                      + " each takes 8 bytes of a commit.")
              .asTuning(),
          Option.durationWithDefault(
                  ANSWER_TIMEOUT,
                  Duration.ofSeconds(30),
                  "A request that is not committed after so long is answered with 503.")
              .asTuning(),
          Option.withDefault(
                  MAX_PAYLOAD, Kind.BYTES, "1 mb", "A larger body is refused (413); up to 64 mb.")
              .asTuning(),
          Option.withDefault(
                  QUEUE,
                  Kind.BYTES,
                  "16 mb",
                  "So much may wait for a commit; what comes then is told to come again (429).")
              .asTuning());

  private WebhookOptions() {}
}
