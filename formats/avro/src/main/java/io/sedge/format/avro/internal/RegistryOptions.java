package io.sedge.format.avro.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.engine.type.Schema;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The options of a registry of schemas. Immutable; its text tells no secret. */
public final class RegistryOptions {
  private static final String URL = "avro-confluent.url";
  private static final String SUBJECT = "avro-confluent.subject";
  private static final String SCHEMA = "avro-confluent.schema";
  private static final String AUTO_REGISTER = "avro-confluent.auto.register.schemas";
  private static final String LEGACY = "avro-confluent.timestamp_mapping.legacy";
  private static final String BASIC_SOURCE = "avro-confluent.basic-auth.credentials-source";
  private static final String BASIC_USER = "avro-confluent.basic-auth.user-info";
  private static final String BEARER_SOURCE = "avro-confluent.bearer-auth.credentials-source";
  private static final String BEARER_TOKEN = "avro-confluent.bearer-auth.token";
  static final String TRUST_STORE = "avro-confluent.ssl.truststore.location";
  static final String TRUST_PASSWORD = "avro-confluent.ssl.truststore.password";
  static final String KEY_STORE = "avro-confluent.ssl.keystore.location";
  static final String KEY_PASSWORD = "avro-confluent.ssl.keystore.password";

  /** The declarations, Flink's first. */
  public static final List<Option> DECLARED =
      List.of(
          Option.required(
              URL,
              Option.Kind.STRING,
              "Where the registry is: https://registry.plant:8081. Several are separated by ',':"
                  + " the next one is asked if one does not answer."),
          Option.optional(
              SUBJECT,
              Option.Kind.STRING,
              "The subject under which the schema of what is written is registered. By default"
                  + " kafka and upsert-kafka have TOPIC-value and TOPIC-key; elsewhere a table that"
                  + " is written needs it."),
          Option.optional(
              SCHEMA,
              Option.Kind.STRING,
              "The schema of what is written, as JSON; else it is made of the columns. Columns are"
                  + " found in it by name; a text may be an enum."),
          Option.withDefault(
              AUTO_REGISTER,
              Option.Kind.BOOLEAN,
              "true",
              "Whether the schema is registered; else it must be there."),
          Option.choice(
              BASIC_SOURCE,
              "USER_INFO",
              List.of("USER_INFO"),
              "Where the login is from: the option basic-auth.user-info."),
          Option.optional(
              BASIC_USER,
              Option.Kind.STRING,
              "A login, as NAME:${secret:NAME}: name and password."),
          Option.choice(
              BEARER_SOURCE,
              "STATIC_TOKEN",
              List.of("STATIC_TOKEN"),
              "Where the token is from: the option bearer-auth.token."),
          Option.optional(
              BEARER_TOKEN, Option.Kind.STRING, "A token instead of a login, as ${secret:NAME}."),
          Option.optional(
              TRUST_STORE,
              Option.Kind.STRING,
              "The authorities that may vouch for the registry: a PEM file, or a key store (PKCS"
                  + " #12 or JKS) with its password; else those of the JDK."),
          Option.optional(TRUST_PASSWORD, Option.Kind.STRING, "Its password, as ${secret:NAME}."),
          Option.optional(
              KEY_STORE,
              Option.Kind.STRING,
              "A key store (PKCS #12 or JKS) with a certificate of this end and its key."),
          Option.optional(KEY_PASSWORD, Option.Kind.STRING, "Its password, as ${secret:NAME}."),
          Option.withDefault(
              LEGACY,
              Option.Kind.BOOLEAN,
              "true",
              "As avro.timestamp_mapping.legacy. Sedge's own."));

  private final Options options;
  private final List<URI> urls;

  /**
   * @throws ConnectorException of kind USER if they do not fit
   */
  public RegistryOptions(Options options) {
    this.options = options;
    this.urls = urls(options);
    if (options.has(BASIC_USER) && options.has(BEARER_TOKEN)) {
      throw user("'%s' and '%s' are both there; leave one out".formatted(BASIC_USER, BEARER_TOKEN));
    }
    String login = options.find(BASIC_USER).orElse(":");
    if (login.indexOf(':') < 0) {
      throw user("'%s' has no ':' between name and password".formatted(BASIC_USER));
    }
    if (options.find(BEARER_TOKEN).orElse("").chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw user(
          "'%s' has a blank, an end of line or another character that is in no token"
              .formatted(BEARER_TOKEN));
    }
    needsPassword(KEY_STORE, KEY_PASSWORD);
    if (!isPem()) {
      needsPassword(TRUST_STORE, TRUST_PASSWORD);
    }
  }

  private static List<URI> urls(Options options) {
    List<URI> urls = new ArrayList<>();
    for (String text : options.string(URL).split(",", -1)) {
      try {
        URI url = new URI(text.strip().replaceAll("/+$", ""));
        boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!web || url.getHost() == null || url.getQuery() != null) {
          throw user(
              "'%s' is not of the form http://HOST:PORT or https://HOST:PORT".formatted(URL));
        }
        if (url.getUserInfo() != null) {
          throw user("'%s' has a login; put it into '%s'".formatted(URL, BASIC_USER));
        }
        urls.add(url);
      } catch (URISyntaxException e) {
        throw user("'%s' is not an address: %s".formatted(URL, e.getReason()));
      }
    }
    return List.copyOf(urls);
  }

  private void needsPassword(String store, String password) {
    if (options.has(store) != options.has(password)) {
      throw user(
          "'%s' needs '%s' too"
              .formatted(
                  options.has(store) ? store : password, options.has(store) ? password : store));
    }
  }

  /** How the columns of a table are mapped. */
  public SchemaMapping mapping(Schema table, List<Integer> columns) {
    return new SchemaMapping(table, columns, options.bool(LEGACY), LEGACY, SCHEMA);
  }

  /** The schema given for what is written. */
  public Optional<String> schema() {
    return options.find(SCHEMA);
  }

  /**
   * The subject of what is written.
   *
   * @throws ConnectorException of kind USER if there is none
   */
  public String subject() {
    return options
        .find(SUBJECT)
        .filter(subject -> !subject.isBlank())
        .orElseThrow(
            () ->
                user(
                    "option '%s' is missing: the subject under which the schema is registered"
                        .formatted(SUBJECT)));
  }

  boolean registers() {
    return options.bool(AUTO_REGISTER);
  }

  List<URI> urls() {
    return urls;
  }

  /** The value of the header Authorization; a secret. */
  Optional<String> authorization() {
    return options
        .find(BEARER_TOKEN)
        .map(token -> "Bearer " + token)
        .or(
            () ->
                options
                    .find(BASIC_USER)
                    .map(
                        login ->
                            "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8))));
  }

  /** Whether the authorities are in a PEM file. */
  boolean isPem() {
    return options.has(TRUST_STORE) && !options.has(TRUST_PASSWORD);
  }

  Optional<String> find(String key) {
    return options.find(key);
  }

  private static ConnectorException user(String message) {
    return SchemaMapping.user(message);
  }
}
