package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Options;
import io.sedge.connector.Suggestions;
import io.sedge.connector.TableDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;

/**
 * What a table says to Kafka's clients with {@code properties.…}.
 *
 * <p>A script is not trusted with the device. So options that load classes, run commands, or read
 * files and variables on their own are refused, and files are asked for.
 */
final class ClientProperties {
  private static final List<ConfigDef> DEFINITIONS =
      List.of(
          ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef());

  private static final Set<String> FILES =
      Set.of("ssl.keystore.location", "ssl.truststore.location");

  /** Beginnings and ends of the keys of options that reach beyond the connection. */
  private static final Pattern UNTRUSTED =
      Pattern.compile(
          "sasl\\.kerberos\\..*|sasl\\.oauthbearer\\..*|config\\.providers.*|security\\.providers"
              + "|ssl\\.provider|interceptor\\.classes|metric\\.reporters|.*\\.class|internal\\..*");

  /** What the connector sets itself, each with what to write instead. */
  private static final Map<String, String> OWN =
      Map.of(
          "transactional.id", "set 'sink.transactional-id-prefix'",
          "enable.auto.commit", "the group's offsets are written with each commit of the job",
          "key.serializer", "set 'key.format'",
          "value.serializer", "set 'value.format'",
          "key.deserializer", "set 'key.format'",
          "value.deserializer", "set 'value.format'",
          "partition.assignment.strategy", "the site divides the partitions",
          "group.instance.id", "the site divides the partitions",
          "enable.idempotence", "a producer of Sedge is always idempotent",
          "bootstrap.controllers", "set 'properties.bootstrap.servers'");

  private static final List<String> MECHANISMS = List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512");

  /** One login module, its flag and its options. */
  private static final Pattern JAAS =
      Pattern.compile(
          "\\s*org\\.apache\\.kafka\\.common\\.security\\.(plain\\.Plain|scram\\.Scram)LoginModule"
              + "\\s+(?i:required|requisite|sufficient|optional)"
              + "(\\s+(username|password|tokenauth)\\s*=\\s*"
              + "(\"([^\"\\\\]|\\\\.)*+\"|'([^'\\\\]|\\\\.)*+'|[^\\s;\"']++))*+\\s*;\\s*");

  private final Map<String, String> given;

  private ClientProperties(Map<String, String> given) {
    this.given = given;
  }

  /**
   * Those of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if one of them cannot be, or names a
   *     file that may not be read
   */
  static ClientProperties of(TableDescriptor table, Options options, ConnectorContext context) {
    Map<String, String> given = new TreeMap<>();
    table
        .options()
        .forEach(
            (key, value) -> {
              if (key.startsWith(KafkaOptions.PROPERTIES)) {
                given.put(key.substring(KafkaOptions.PROPERTIES.length()), value);
              }
            });
    given.keySet().forEach(key -> checkKey(table, key));
    for (String file : FILES) {
      if (given.containsKey(file)) {
        Path path = context.directory().resolve(given.get(file));
        context
            .files()
            .check(
                "table %s: '%s%s'".formatted(table.name(), KafkaOptions.PROPERTIES, file),
                path,
                FileAccess.Use.READ);
        given.put(file, path.toString());
      }
    }
    checkLogin(table, given, options);
    checkValues(table, given);
    return new ClientProperties(given);
  }

  private static void checkKey(TableDescriptor table, String key) {
    if (UNTRUSTED.matcher(key).matches()) {
      throw problem(
          table,
          key,
          "is not allowed: it loads a class, runs a command or reads what a script may not; use"
              + " SASL PLAIN or SCRAM, and TLS");
    }
    if (OWN.containsKey(key)) {
      throw problem(table, key, "is not allowed: " + OWN.get(key));
    }
    Set<String> known = new TreeSet<>();
    DEFINITIONS.forEach(definition -> known.addAll(definition.names()));
    if (!known.contains(key)) {
      String help =
          Suggestions.closest(key, known)
              .map(near -> "; did you mean '%s%s'?".formatted(KafkaOptions.PROPERTIES, near))
              .orElse("");
      throw problem(
          table, key, "is unknown: Kafka's clients have no option '%s'%s".formatted(key, help));
    }
  }

  private static RuntimeException problem(TableDescriptor table, String key, String why) {
    return Failures.user(
        "table %s: option '%s%s' %s".formatted(table.name(), KafkaOptions.PROPERTIES, key, why));
  }

  /** What stands in the value is a secret: messages do not repeat it. */
  private static void checkLogin(
      TableDescriptor table, Map<String, String> given, Options options) {
    if (given.getOrDefault("bootstrap.servers", "").contains("@")) {
      throw problem(
          table,
          "bootstrap.servers",
          "has a login in it; write it as 'properties.sasl.jaas.config'");
    }
    String mechanism = given.get("sasl.mechanism");
    if (mechanism != null && !MECHANISMS.contains(mechanism)) {
      throw options.wrong(
          KafkaOptions.PROPERTIES + "sasl.mechanism",
          "is not one of " + String.join(", ", MECHANISMS));
    }
    String login = given.get("sasl.jaas.config");
    if (login != null && !JAAS.matcher(login).matches()) {
      throw problem(
          table,
          "sasl.jaas.config",
          "is not understood; write org.apache.kafka.common.security.plain.PlainLoginModule"
              + " required username=\"…\" password=\"…\"; or …scram.ScramLoginModule …");
    }
    boolean sasl = protocol(given).startsWith("SASL");
    if (sasl && (login == null || mechanism == null)) {
      throw problem(
          table,
          login == null ? "sasl.jaas.config" : "sasl.mechanism",
          "is missing; 'properties.security.protocol' = '%s' needs it"
              .formatted(given.get("security.protocol")));
    }
    if (!sasl && (login != null || mechanism != null)) {
      throw problem(
          table,
          "security.protocol",
          "is missing or without SASL; for a user and a password it is SASL_SSL or SASL_PLAINTEXT");
    }
  }

  /** As each client's own definition takes them. */
  private static void checkValues(TableDescriptor table, Map<String, String> given) {
    for (ConfigDef definition : DEFINITIONS) {
      Map<String, String> its = new TreeMap<>(given);
      its.keySet().retainAll(definition.names());
      for (ConfigValue value : definition.validate(its)) {
        List<String> errors = new ArrayList<>(value.errorMessages());
        if (!errors.isEmpty() && its.containsKey(value.name())) {
          throw problem(table, value.name(), "is wrong: " + errors.getFirst());
        }
      }
    }
  }

  /** The value of one that was given. */
  Optional<String> find(String key) {
    return Optional.ofNullable(given.get(key));
  }

  /** In capital letters; Kafka takes others, too. */
  String protocol() {
    return protocol(given);
  }

  private static String protocol(Map<String, String> given) {
    return given.getOrDefault("security.protocol", "PLAINTEXT").strip().toUpperCase(Locale.ROOT);
  }

  String servers() {
    return given.getOrDefault("bootstrap.servers", "");
  }

  /** For a client of a definition: what was given for it, over defaults, under what must be. */
  Map<String, Object> of(
      ConfigDef definition, Map<String, Object> defaults, Map<String, Object> own) {
    Map<String, Object> all = new TreeMap<>(defaults);
    given.forEach(
        (key, value) -> {
          if (definition.names().contains(key)) {
            all.put(key, value);
          }
        });
    all.putAll(own);
    return all;
  }

  /** Without the values: a password is among them. */
  @Override
  public String toString() {
    return "ClientProperties" + given.keySet();
  }
}
