package io.sedge.mqtt;

import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of a table that say which broker it connects to and how, declared and read. */
public final class BrokerOptions {
  private static final long MAX_16_BITS = 65_535;

  private BrokerOptions() {}

  /**
   * Their declarations.
   *
   * @param clientId what the name of the client is for
   */
  public static List<Option> declared(String clientId) {
    return List.of(
        Option.required(
            "url", Kind.STRING, "The broker: mqtt://host:1883, or mqtts://host:8883 for TLS."),
        Option.choice("version", "5", List.of("5", "3.1.1"), "The version of MQTT to speak."),
        Option.optional("client-id", Kind.STRING, clientId),
        Option.optional("username", Kind.STRING, "The user name for the broker.").asTuning(),
        Option.optional(
                "password",
                Kind.STRING,
                "The password; better named than written: '${secret:NAME}'.")
            .asTuning(),
        Option.optional("password-file", Kind.STRING, "A file whose first line is the password.")
            .asTuning(),
        Option.optional(
                "tls.ca",
                Kind.STRING,
                "PEM file of the authorities that may vouch for the broker; else the JDK's.")
            .asTuning(),
        Option.optional(
                "tls.certificate", Kind.STRING, "PEM file of this client's certificate chain.")
            .asTuning(),
        Option.optional("tls.key", Kind.STRING, "PEM file (PKCS #8) of this client's private key.")
            .asTuning(),
        Option.withDefault(
                "keep-alive",
                Kind.DURATION,
                "60 s",
                "A sign of life at least this often; 0 s: never.")
            .asTuning(),
        Option.withDefault(
                "connection-timeout",
                Kind.DURATION,
                "10 s",
                "For connecting and, at the end, closing.")
            .asTuning(),
        Option.withDefault(
                "reconnect.min-delay", Kind.DURATION, "500 ms", "Before the first new attempt.")
            .asTuning(),
        Option.withDefault(
                "reconnect.max-delay",
                Kind.DURATION,
                "30 s",
                "Between attempts; each delay is up to twice the one before.")
            .asTuning());
  }

  /**
   * What they say of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if they do not fit together
   */
  public static ConnectionSettings read(String table, Options options) {
    BrokerAddress broker = broker(options);
    Duration minDelay = positive(options, "reconnect.min-delay");
    Duration maxDelay = positive(options, "reconnect.max-delay");
    if (maxDelay.compareTo(minDelay) < 0) {
      throw options.wrong("reconnect.max-delay", "is less than 'reconnect.min-delay'");
    }
    return new ConnectionSettings(
        table,
        broker,
        options.choice("version").equals("5"),
        options.find("client-id").filter(id -> !id.isEmpty()).orElse(null),
        options.find("username").orElse(null),
        options.find("password").orElse(null),
        path(options, "password-file"),
        tls(options, broker),
        (int) seconds(options, "keep-alive", MAX_16_BITS),
        positive(options, "connection-timeout"),
        minDelay,
        maxDelay);
  }

  /** A duration in whole seconds, rounded up, of which MQTT allows so many at most. */
  public static long seconds(Options options, String key, long most) {
    Duration value = options.duration(key);
    if (value.toSeconds() > most) {
      throw options.wrong(key, "is more than %d s, the most that MQTT allows".formatted(most));
    }
    return value.plusMillis(999).toSeconds();
  }

  private static BrokerAddress broker(Options options) {
    try {
      return BrokerAddress.parse(options.string("url"));
    } catch (IllegalArgumentException e) {
      throw options.wrong("url", String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable TlsSettings tls(Options options, BrokerAddress broker) {
    Path authorities = path(options, "tls.ca");
    Path certificate = path(options, "tls.certificate");
    Path key = path(options, "tls.key");
    if (!broker.tls()) {
      for (String option : List.of("tls.ca", "tls.certificate", "tls.key")) {
        if (options.has(option)) {
          throw options.wrong(option, "needs an 'url' that begins with mqtts://");
        }
      }
      return null;
    }
    if ((certificate == null) != (key == null)) {
      throw options.wrong(
          certificate == null ? "tls.key" : "tls.certificate",
          "needs '%s' too".formatted(certificate == null ? "tls.certificate" : "tls.key"));
    }
    return new TlsSettings(authorities, certificate, key);
  }

  private static @Nullable Path path(Options options, String key) {
    return options.find(key).map(Path::of).orElse(null);
  }

  private static Duration positive(Options options, String key) {
    Duration value = options.duration(key);
    if (value.toMillis() < 1 || value.toMillis() > Integer.MAX_VALUE) {
      throw options.wrong(key, "is not in 1 ms to 24 d");
    }
    return value;
  }
}
