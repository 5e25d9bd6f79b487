package io.sedge.cli.internal;

import io.sedge.connector.SecretKeys;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.sql.SecretReferences;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.TopicRoute;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a site reports to topics of Kafka. */
final class TopicOptions {
  private static final String SCHEME = "kafka://";
  private static final String DEFAULT_PREFIX = "sedge.";
  private static final String SERVERS = "bootstrap.servers";
  private static final String PEM = "PEM";
  private static final long PROBE_BYTES = 1 << 20;

  /** Blocks of PEM: certificates and a key. */
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\\s]+-----END \\1-----");

  @Option(
      names = "--topics",
      paramLabel = "PREFIX",
      order = 10,
      description = {
        "Kafka: what the names of topics begin with; the rest",
        "is the name of the table (default: " + DEFAULT_PREFIX + ")."
      })
  private @Nullable String prefix;

  @Option(
      names = "--properties",
      paramLabel = "FILE",
      order = 11,
      description = {
        "Kafka: a file of lines KEY=VALUE, such as",
        "security.protocol and sasl.jaas.config. Only you may",
        "be able to read it (chmod 600). Files in PEM that it",
        "names are read now, and go to all devices with it."
      })
  private @Nullable String file;

  @Option(
      names = "--secret",
      paramLabel = "NAME",
      order = 12,
      description = {
        "Kafka: the secret that tables name as 'credential'",
        "(default: center). With another one the site reports",
        "to a center too."
      })
  private @Nullable String secret;

  /** Whether an address is one of Kafka. */
  static boolean isFor(String address) {
    return address.startsWith(SCHEME);
  }

  /**
   * Refuses the options where a site reports to a center.
   *
   * @throws JobException USAGE
   */
  void refuseForCenter() throws JobException {
    if (prefix != null || file != null || secret != null) {
      throw usage(
          "%s goes with --to kafka://HOST:9092"
              .formatted(prefix != null ? "--topics" : file != null ? "--properties" : "--secret"));
    }
  }

  /**
   * The secret that tables name.
   *
   * @throws JobException USAGE
   */
  String secret() throws JobException {
    String name = secret == null ? SiteCredential.SECRET : secret;
    if (!SecretReferences.isName(name)) {
      throw usage("--secret=%s: it is %s".formatted(name, SecretReferences.rule()));
    }
    return name;
  }

  /**
   * Where rows go, once brokers have answered there.
   *
   * @param site what rows call it
   * @throws JobException USAGE for what cannot be; CONNECTION_FAILED with what is wrong there
   */
  TopicRoute route(String address, String site, Surroundings surroundings) throws JobException {
    if (address.contains("@")) {
      throw usage(
          "--to has no login, which everybody on this machine would see: write it as"
              + " sasl.jaas.config into a file, and give that with --properties");
    }
    if (!TopicRoute.isName(site)) {
      throw usage(
          site.isEmpty()
              ? "--as is missing: rows in topics have it as `_site`"
              : "--as=%s: rows of Kafka call a site by 1 to 64 letters, digits, dots, dashes and underscores"
                  .formatted(site));
    }
    String topics = prefix == null ? DEFAULT_PREFIX : prefix;
    if (!TopicRoute.isPrefix(topics)) {
      throw usage(
          "--topics=%s: it is up to 100 letters, digits, dots, dashes and underscores"
              .formatted(topics));
    }
    Map<String, String> properties = properties(surroundings);
    List<String> hidden = new ArrayList<>();
    properties.forEach(
        (key, value) -> {
          if (SecretKeys.isSecret(key) || key.equals("ssl.keystore.key")) {
            hidden.add(value);
          }
        });
    Map<String, String> all = new TreeMap<>(properties);
    Exploring.connection(address)
        .forEach((key, value) -> all.put(key.replaceFirst("^properties\\.", ""), value));
    TopicRoute route = new TopicRoute(site, topics, all);
    try {
      Exploring.reach(address, probe(route), surroundings, hidden);
    } catch (JobException e) {
      throw new JobException(
          e.code(), String.valueOf(e.getMessage()).replace("'properties.", "'"), e);
    }
    return route;
  }

  /** A table that such a site may have. */
  private static TableDescriptor probe(TopicRoute route) {
    return route.table(
        new TableDescriptor(
            Exploring.TABLE,
            Schema.builder().add("value", Type.DOUBLE).build(),
            Map.of(),
            List.of(),
            List.of(),
            Map.of(),
            ""),
        Exploring.TABLE,
        PROBE_BYTES);
  }

  /** What the file has; files that it names are read. */
  Map<String, String> properties(Surroundings surroundings) throws JobException {
    Map<String, String> properties = new LinkedHashMap<>();
    if (file == null) {
      return properties;
    }
    Properties given = SecretProperties.read("--properties", file, surroundings);
    given
        .stringPropertyNames()
        .forEach(key -> properties.put(key, given.getProperty(key, "").strip()));
    if (properties.containsKey(SERVERS)) {
      throw usage("--properties=%s: %s stands in it, and --to says it".formatted(file, SERVERS));
    }
    inline(properties, "ssl.truststore.", surroundings);
    inline(properties, "ssl.keystore.", surroundings);
    return properties;
  }

  /** The other devices do not have the file. */
  private void inline(Map<String, String> properties, String store, Surroundings surroundings)
      throws JobException {
    String location = properties.remove(store + "location");
    if (location == null) {
      return;
    }
    String text = text(store, location, surroundings.directory().resolve(location));
    String certificates = String.join("\n", blocks(text, true));
    List<String> keys = blocks(text, false);
    boolean own = store.equals("ssl.keystore.");
    if (certificates.isEmpty() || (own && keys.size() != 1)) {
      throw usage(
          "--properties=%s: %slocation=%s is no file in PEM with certificates%s: make one of a store with `openssl pkcs12 -in FILE.p12 -out FILE.pem`"
              .formatted(file, store, location, own ? " and one private key" : ""));
    }
    properties.put(store + "type", PEM);
    properties.put(store + (own ? "certificate.chain" : "certificates"), certificates);
    if (own) {
      properties.put(store + "key", keys.getFirst());
    }
  }

  private static List<String> blocks(String text, boolean certificates) {
    return BLOCK
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals("CERTIFICATE") == certificates)
        .map(MatchResult::group)
        .toList();
  }

  private String text(String store, String location, Path path) throws JobException {
    try {
      // A store of another kind is no text.
      return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE,
          "--properties=%s: %slocation=%s cannot be read: %s"
              .formatted(
                  file,
                  store,
                  location,
                  e instanceof NoSuchFileException ? "there is no such file" : e),
          e);
    }
  }

  private static JobException usage(String message) {
    return new JobException(FailureCode.USAGE, message);
  }
}
