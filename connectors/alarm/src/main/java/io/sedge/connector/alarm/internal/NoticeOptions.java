package io.sedge.connector.alarm.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How people are told.
 *
 * @param webhook where to; null for nowhere
 * @param mail where to; null for nowhere
 * @param interval notices after the first are so far apart
 * @param cleared whether it is told too that an alarm is over
 */
public record NoticeOptions(
    @Nullable Webhook webhook,
    @Nullable Mail mail,
    Duration interval,
    boolean cleared,
    Trust trust) {
  private static final String URL = "webhook.url";
  private static final String AUTHORIZATION = "webhook.authorization";
  private static final String SERVER = "email.server";
  private static final String FROM = "email.from";
  private static final String TO = "email.to";
  private static final String USER = "email.username";
  private static final String PASSWORD = "email.password";
  private static final String INTERVAL = "notice.interval";
  private static final String CLEARED = "notice.cleared";
  private static final URI UNKNOWN = URI.create("https://secret.invalid");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Its options. */
  static final List<Option> ALL =
      List.of(
          Option.optional(
                  URL, Option.Kind.STRING, "Notices go there as JSON by POST: https://host/path.")
              .asTuning(),
          Option.optional(
                  AUTHORIZATION,
                  Option.Kind.STRING,
                  "The header Authorization of the webhook: `Bearer ${secret:hook}`.")
              .asTuning(),
          Option.optional(
                  SERVER,
                  Option.Kind.STRING,
                  "The mail server: smtp://host:587, which must offer STARTTLS, or"
                      + " smtps://host:465.")
              .asTuning(),
          Option.optional(FROM, Option.Kind.STRING, "The sender of mails.").asTuning(),
          Option.optional(TO, Option.Kind.STRING, "Who gets mails; several with commas between.")
              .asTuning(),
          Option.optional(USER, Option.Kind.STRING, "The user name at the mail server.").asTuning(),
          Option.optional(
                  PASSWORD, Option.Kind.STRING, "The password there; write `${secret:NAME}`.")
              .asTuning(),
          Option.withDefault(
                  INTERVAL,
                  Option.Kind.DURATION,
                  "1 min",
                  "The first alarm is told at once; those after it together, once in this time.")
              .asTuning(),
          Option.withDefault(
                  CLEARED, Option.Kind.BOOLEAN, "false", "Whether to tell when an alarm clears.")
              .asTuning(),
          Option.optional(
                  Trust.OPTION,
                  Option.Kind.STRING,
                  "The file of the authority (PEM) that signs webhook and mail server, if it is one"
                      + " of your own.")
              .asTuning());

  /** Where a webhook goes to. */
  record Webhook(URI url, Optional<String> authorization) {}

  /** Where mails go to. */
  record Mail(
      URI server, String from, String to, Optional<String> username, Optional<String> password) {
    boolean isLoopback() {
      return NoticeOptions.isLoopback(server);
    }
  }

  static NoticeOptions read(String table, Options options, ConnectorContext context) {
    return new NoticeOptions(
        webhook(table, options),
        mail(table, options),
        options.duration(INTERVAL),
        options.bool(CLEARED),
        Trust.of(table, options, context));
  }

  private static @Nullable Webhook webhook(String table, Options options) {
    if (!options.has(URL)) {
      if (options.has(AUTHORIZATION)) {
        throw missing(table, AUTHORIZATION, URL);
      }
      return null;
    }
    URI url = uri(options, URL, Set.of("https", "http"), "https://host/path");
    if (options.has(AUTHORIZATION) && url.getScheme().equals("http") && !isLoopback(url)) {
      throw options.wrongAddress(URL, "would send the authorization in clear: write https://");
    }
    return new Webhook(url, options.find(AUTHORIZATION));
  }

  /** Without the value of what is given, which may be a password. */
  private static ConnectorException missing(String table, String given, String needed) {
    return new ConnectorException(
        ConnectorException.Kind.USER,
        "table %s: '%s' goes with '%s', which is missing".formatted(table, given, needed));
  }

  private static @Nullable Mail mail(String table, Options options) {
    Optional<String> given =
        Stream.of(SERVER, FROM, TO, USER, PASSWORD).filter(options::has).findFirst();
    if (given.isEmpty()) {
      return null;
    }
    for (String needed : List.of(SERVER, FROM, TO)) {
      if (!options.has(needed)) {
        throw missing(table, given.get(), needed);
      }
    }
    if (options.has(USER) != options.has(PASSWORD)) {
      throw options.has(USER) ? missing(table, USER, PASSWORD) : missing(table, PASSWORD, USER);
    }
    URI server = uri(options, SERVER, Set.of("smtp", "smtps"), "smtp://host:587");
    MailSender.checkAddresses(options, FROM);
    MailSender.checkAddresses(options, TO);
    return new Mail(
        server,
        options.string(FROM),
        options.string(TO),
        options.find(USER),
        options.find(PASSWORD));
  }

  private static URI uri(Options options, String key, Set<String> schemes, String example) {
    if (options.string(key).contains("${secret:")) {
      return UNKNOWN; // Until the table is opened.
    }
    try {
      URI uri = new URI(options.string(key));
      String scheme = uri.getScheme();
      if (scheme != null
          && schemes.contains(scheme.toLowerCase(Locale.ROOT))
          && uri.getHost() != null
          && uri.getUserInfo() == null) {
        return URI.create(
            scheme.toLowerCase(Locale.ROOT) + uri.toString().substring(scheme.length()));
      }
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw options.wrongAddress(key, "is not an address such as %s".formatted(example));
  }

  private static boolean isLoopback(URI uri) {
    return LOOPBACK.contains(uri.getHost());
  }

  /**
   * Opens the ways there are, by name.
   *
   * @throws ConnectorException of kind USER if the authorities cannot be read
   */
  Map<String, NoticeSender> open() {
    Map<String, NoticeSender> ways = new TreeMap<>();
    if (webhook != null) {
      ways.put("webhook", new WebhookSender(webhook, trust.tls()));
    }
    if (mail != null) {
      ways.put("email", new MailSender(mail, trust.tls()));
    }
    return ways;
  }
}
