package io.sedge.connector.opcua.internal;

import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The options of a table, declared and read. */
public final class OpcUaOptions {
  /** So many shards a table has at most; each is a task of its own. */
  private static final int MAX_SHARDS = 1000;

  static final String NODES = "nodes";
  static final String SHARD_BY = "shard.by";
  static final String SHARD_VALUES = "shard.values";
  static final String MAX_AGE = "sink.max-age";

  public static final List<Option> DECLARED =
      List.of(
          Option.required(
              "url",
              Kind.STRING,
              "Where the server is: opc.tcp://host:4840, with its path if any."),
          Option.required(
              NODES,
              Kind.STRING,
              "The variables: node ids (ns=2;s=Line1.Temp), patterns (ns=2;s={machine}.*) or browse"
                  + " paths (/Objects/Line1/{machine}/Temp), separated by ';'. A {name} is a"
                  + " column."),
          Option.withDefault(
              "browse.root",
              Kind.STRING,
              "i=85",
              "The node below which nodes that fit a pattern are looked for: the Objects folder."),
          Option.withDefault(
              "browse.max-nodes",
              Kind.INTEGER,
              "100000",
              "So many nodes are looked at for patterns at most."),
          Option.withDefault(
                  "sampling-interval",
                  Kind.DURATION,
                  "1 s",
                  "How often the server looks at each value.")
              .asTuning(),
          Option.optional(
                  "publishing-interval",
                  Kind.DURATION,
                  "How often the server sends what has changed: the sampling interval unless"
                      + " given.")
              .asTuning(),
          Option.withDefault(
                  "queue-size",
                  Kind.INTEGER,
                  "100",
                  "So many values of each node the server keeps until they are sent.")
              .asTuning(),
          Option.optional(
              "deadband.absolute",
              Kind.DECIMAL,
              "A value is sent once it differs by more than that from the one sent before."),
          Option.optional(
              "deadband.percent",
              Kind.DECIMAL,
              "The same in percent of the range of the node (EURange)."),
          Option.choice(
              "bad-values",
              "null",
              List.of("null", "drop", "keep"),
              "A value with a bad status: the row has NULL, or is left out and counted, or has what"
                  + " the server sent."),
          Option.withDefault(
              "history",
              Kind.BOOLEAN,
              "true",
              "Whether what was missed is read from the server's history, where it keeps one."),
          Option.choice(
              "security-policy",
              "None",
              Stream.of(Policy.values()).map(Policy::toString).toList(),
              "How the connection is secured. With None anybody on the way can read and change"
                  + " it."),
          Option.choice(
              "security-mode",
              "sign-and-encrypt",
              List.of("sign", "sign-and-encrypt"),
              "Whether messages are signed only, with a policy other than None."),
          Option.optional(
              "server.fingerprint",
              Kind.STRING,
              "SHA-256 fingerprints of server certificates that are trusted, separated by ';'."),
          Option.optional(
              "server.certificates",
              Kind.STRING,
              "A directory of certificates, PEM or DER: those of trusted servers or of who has"
                  + " signed them."),
          Option.optional("username", Kind.STRING, "The user's name; anonymous without it."),
          Option.optional("password", Kind.STRING, "The password; write ${secret:NAME}."),
          Option.withDefault(
                  "request-timeout", Kind.DURATION, "10 s", "For how long an answer is waited for.")
              .asTuning(),
          Option.withDefault("connection-timeout", Kind.DURATION, "10 s", "For connecting.")
              .asTuning(),
          Option.withDefault(
                  "reconnect.min-delay",
                  Kind.DURATION,
                  "500 ms",
                  "Before the first new attempt to connect.")
              .asTuning(),
          Option.withDefault(
                  "reconnect.max-delay",
                  Kind.DURATION,
                  "30 s",
                  "Between attempts; each delay is up to twice the one before.")
              .asTuning(),
          Option.optional(
              SHARD_BY,
              Kind.STRING,
              "A {column} of 'nodes': on a site the nodes of each of its values are a shard of"
                  + " their own."),
          Option.optional(
              SHARD_VALUES,
              Kind.STRING,
              "The values of that column, separated by ';'; * for those that the server has."),
          Option.withDefault(
              "sink.read-back",
              Kind.BOOLEAN,
              "true",
              "Whether what is written is read back; if it differs the row is refused."),
          Option.optional(
              MAX_AGE,
              Kind.DURATION,
              "A command that is older is never written; needs a column METADATA FROM"
                  + " 'source-timestamp' that says when it was given."));

  private final Options options;
  private final String table;

  OpcUaOptions(TableDescriptor table) {
    this.options = Options.of(table, DECLARED);
    this.table = table.name();
  }

  /** An error of the script about an option. */
  RuntimeException wrong(String key, String why) {
    return options.wrong(key, why);
  }

  boolean has(String key) {
    return options.has(key);
  }

  List<NodePattern> nodes() {
    return patterns(NODES);
  }

  private List<NodePattern> patterns(String key) {
    try {
      return NodePattern.parseAll(options.string(key));
    } catch (IllegalArgumentException e) {
      throw wrong(key, String.valueOf(e.getMessage()));
    }
  }

  String browseRoot() {
    List<NodePattern> root = patterns("browse.root");
    if (root.size() != 1 || !root.getFirst().isExact()) {
      throw wrong("browse.root", "is not one node id, such as i=85 or ns=2;s=Line1");
    }
    return root.getFirst().text();
  }

  int maxNodes() {
    return (int) options.integer("browse.max-nodes", 1, 10_000_000);
  }

  MonitorSettings monitoring() {
    Duration sampling = positive("sampling-interval");
    Duration publishing = has("publishing-interval") ? positive("publishing-interval") : sampling;
    if (has("deadband.absolute") && has("deadband.percent")) {
      throw wrong("deadband.percent", "and 'deadband.absolute' are both given; leave one out");
    }
    return new MonitorSettings(
        sampling,
        publishing,
        (int) options.integer("queue-size", 1, 100_000),
        has("deadband.absolute")
            ? Optional.of(new MonitorSettings.Deadband(false, deadband("deadband.absolute")))
            : has("deadband.percent")
                ? Optional.of(new MonitorSettings.Deadband(true, deadband("deadband.percent")))
                : Optional.empty(),
        MonitorSettings.BadValues.valueOf(options.choice("bad-values").toUpperCase(Locale.ROOT)),
        options.bool("history"));
  }

  private double deadband(String key) {
    double value = options.decimal(key).doubleValue();
    if (!(value > 0) || Double.isInfinite(value)) {
      throw wrong(key, "is not above 0");
    }
    if (key.endsWith("percent") && value > 100) {
      throw wrong(key, "is above 100");
    }
    return value;
  }

  LinkSettings link(Path directory) {
    Duration least = positive("reconnect.min-delay");
    Duration most = positive("reconnect.max-delay");
    if (most.compareTo(least) < 0) {
      throw wrong("reconnect.max-delay", "is less than 'reconnect.min-delay'");
    }
    if (has("password") && !has("username")) {
      // Not by wrong(…), whose message has the value.
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: 'password' is given without 'username'".formatted(table));
    }
    return new LinkSettings(
        url(),
        security(directory),
        options.find("username"),
        options.find("password").orElse(""),
        positive("request-timeout"),
        positive("connection-timeout"),
        new Backoff(least, most, RandomGenerator.getDefault()));
  }

  private String url() {
    String text = options.string("url");
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw wrong("url", "is no address; write opc.tcp://host:4840");
    }
    if (!"opc.tcp".equals(uri.getScheme())) {
      throw wrong("url", "does not begin with opc.tcp://, the one transport that is supported");
    }
    if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65_535) {
      throw wrong("url", "has no host, or no port in 1 to 65535; write opc.tcp://host:4840");
    }
    if (uri.getUserInfo() != null) {
      throw wrong("url", "has a user in it; write 'username' and 'password'");
    }
    return text;
  }

  private SecuritySettings security(Path directory) {
    Policy policy = Policy.named(options.choice("security-policy"));
    List<String> needSecurity =
        List.of("security-mode", "server.fingerprint", "server.certificates", "username");
    for (String key : needSecurity) {
      if (policy == Policy.NONE && has(key)) {
        throw wrong(key, "needs a 'security-policy' other than None, such as Basic256Sha256");
      }
    }
    List<String> fingerprints = new ArrayList<>();
    options
        .find("server.fingerprint")
        .ifPresent(
            list -> {
              for (String part : list.split(";", -1)) {
                String hex = part.replaceAll("[\\s:]", "").toLowerCase(Locale.ROOT);
                if (!hex.matches("[0-9a-f]{64}")) {
                  throw wrong(
                      "server.fingerprint",
                      "has '%s', which is no SHA-256 fingerprint of 64 hexadecimal digits"
                          .formatted(part.strip()));
                }
                fingerprints.add(hex);
              }
            });
    return new SecuritySettings(
        policy,
        options.choice("security-mode").equals("sign-and-encrypt"),
        fingerprints,
        options.find("server.certificates").map(directory::resolve));
  }

  Optional<String> shardBy() {
    return options.find(SHARD_BY);
  }

  /** Empty: as many as the server has. */
  List<String> shardValues() {
    if (!has(SHARD_VALUES)) {
      throw wrong(SHARD_BY, "needs '%s' too: its values, or *".formatted(SHARD_VALUES));
    }
    String list = options.string(SHARD_VALUES);
    if (list.equals("*")) {
      return List.of();
    }
    List<String> values = Stream.of(list.split(";", -1)).map(String::strip).toList();
    if (values.contains("") || values.stream().distinct().count() < values.size()) {
      throw wrong(SHARD_VALUES, "has an empty value, or one twice");
    }
    if (values.size() > MAX_SHARDS) {
      throw wrong(SHARD_VALUES, "has more than %d values".formatted(MAX_SHARDS));
    }
    return values;
  }

  boolean readBack() {
    return options.bool("sink.read-back");
  }

  Optional<Duration> maxAge() {
    return has(MAX_AGE) ? Optional.of(positive(MAX_AGE)) : Optional.empty();
  }

  private Duration positive(String key) {
    Duration value = options.duration(key);
    if (value.toMillis() < 1 || value.toMillis() > Integer.MAX_VALUE) {
      throw wrong(key, "is not in 1 ms to 24 d");
    }
    return value;
  }
}
