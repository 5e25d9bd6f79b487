package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Options;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the declaration of a table of the connector {@code webhook} and makes its source. */
public final class WebhookTables {
  private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]]+]|[^:\\[\\]]+):(\\d{1,5})");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|::1");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._~/-]*");
  private static final int MOST_PORT = 65_535;
  private static final int MOST_KNOWN = 4_096;

  private WebhookTables() {}

  /**
   * The source of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    Options options =
        Options.of(
            table,
            Stream.concat(
                    WebhookOptions.ALL.stream(),
                    context.formats().options(table.options()).stream())
                .toList());
    HttpTables.checkMetadata(table);
    Matcher address = ADDRESS.matcher(options.string(WebhookOptions.LISTEN));
    if (!address.matches() || Integer.parseInt(address.group(2)) > MOST_PORT) {
      throw options.wrong(WebhookOptions.LISTEN, "is not an address and a port: 127.0.0.1:8088");
    }
    String host = address.group(1).replaceAll("[\\[\\]]", "");
    BodyForm form = BodyForm.of(table, context, options);
    Guard guard =
        new Guard(
            secret(options, HttpOptions.TOKEN), secret(options, WebhookOptions.SIGNATURE_SECRET));
    Optional<TlsFiles> tls = tls(table, context, options);
    if (!LOOPBACK.matcher(host).matches()
        && (tls.isEmpty() || (!guard.knowsSenders() && tls.get().authorities().isEmpty()))) {
      throw options.wrong(
          WebhookOptions.LISTEN,
          "can be reached from other machines; set 'tls.certificate' and 'tls.key', and one of"
              + " 'bearer-token', 'signature.secret' and 'tls.ca', or listen at 127.0.0.1");
    }
    Duration answerTimeout = options.duration(WebhookOptions.ANSWER_TIMEOUT);
    if (answerTimeout.isZero()) {
      throw options.wrong(WebhookOptions.ANSWER_TIMEOUT, "is no time at all");
    }
    WebhookSettings settings =
        new WebhookSettings(
            table,
            context,
            host,
            Integer.parseInt(address.group(2)),
            matching(options, WebhookOptions.PATH, PATH, "is not a path: /readings"),
            form,
            HttpTables.pointer(table, options, form),
            tls,
            guard,
            matching(options, WebhookOptions.SIGNATURE_HEADER, HEADER, "is no name of a header"),
            matching(options, WebhookOptions.IDEMPOTENCY_HEADER, HEADER, "is no name of a header"),
            (int) options.integer(WebhookOptions.WINDOW, 0, MOST_KNOWN),
            answerTimeout,
            (int) options.bytes(WebhookOptions.MAX_PAYLOAD, 1, HttpTables.MOST_BODY_BYTES),
            options.bytes(WebhookOptions.QUEUE, 1, Long.MAX_VALUE));
    context.formats().decoder(table, Formats.payloadColumns(table));
    return new WebhookSource(settings);
  }

  /** A blank one, of a variable that is not set, would let everybody in. */
  private static Optional<String> secret(Options options, String key) {
    Optional<String> value = options.find(key);
    if (value.filter(String::isBlank).isPresent()) {
      throw options.wrong(key, "is blank: everybody knows it; set it, or leave the option out");
    }
    return value;
  }

  private static String matching(Options options, String key, Pattern pattern, String why) {
    String value = options.string(key);
    if (!pattern.matcher(value).matches()) {
      throw options.wrong(key, why);
    }
    return value;
  }

  private static Optional<TlsFiles> tls(
      TableDescriptor table, ConnectorContext context, Options options) {
    boolean hasCertificate = options.has(HttpOptions.CERTIFICATE);
    if (hasCertificate != options.has(HttpOptions.KEY)) {
      throw options.wrong(
          hasCertificate ? HttpOptions.CERTIFICATE : HttpOptions.KEY,
          "needs '%s' too".formatted(hasCertificate ? HttpOptions.KEY : HttpOptions.CERTIFICATE));
    }
    if (!hasCertificate && options.has(HttpOptions.CA)) {
      throw options.wrong(HttpOptions.CA, "needs 'tls.certificate' and 'tls.key' too");
    }
    if (!hasCertificate) {
      return Optional.empty();
    }
    TlsFiles files =
        new TlsFiles(
            table.name(),
            context,
            options.find(HttpOptions.CA).map(Path::of),
            Optional.of(
                new TlsFiles.Own(
                    Path.of(options.string(HttpOptions.CERTIFICATE)),
                    Path.of(options.string(HttpOptions.KEY)))));
    files.check();
    return Optional.of(files);
  }
}
