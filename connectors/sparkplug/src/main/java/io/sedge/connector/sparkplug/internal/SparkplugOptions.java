package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.mqtt.BrokerOptions;
import io.sedge.mqtt.ConnectionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of a table, declared and read. */
public final class SparkplugOptions {
  /** So many shards a table has at most; each is a task of its own. */
  private static final int MAX_SHARDS = 1000;

  private static final int MAX_PAYLOAD = 128 << 20;

  static final String GROUP = "group";
  static final String NODE = "edge-node";
  static final String DEVICE = "device";
  static final String METRICS = "metrics";
  static final String ROWS = "rows";
  static final String SHARD_BY = "shard.by";
  static final String SHARD_VALUES = "shard.values";
  private static final String HOST = "host-id";
  private static final String REBIRTH = "rebirth.min-interval";

  private static final List<Option> OWN =
      List.of(
          Option.withDefault(
              GROUP, Kind.STRING, "+", "The groups to read, separated by ';'; + for all."),
          Option.withDefault(
              NODE, Kind.STRING, "+", "The edge nodes to read, separated by ';'; + for all."),
          Option.optional(
              DEVICE,
              Kind.STRING,
              "The devices to read, separated by ';'; else all, and the edge nodes' own metrics."),
          Option.optional(
              METRICS,
              Kind.STRING,
              "The metrics to read, separated by ';'; * is any text: Axis*/Speed. Else all."),
          Option.choice(
              ROWS,
              "metric",
              List.of("metric", "message"),
              "A row for each value of a metric, or for each message, with metrics as columns."),
          Option.optional(
              "fields.#.metric",
              Kind.STRING,
              "With a row for each message: the metric of that column, if it has another name."),
          Option.withDefault(
              "stale-rows",
              Kind.BOOLEAN,
              "false",
              "Whether an edge node or device that dies gives a row for each of its metrics, with"
                  + " NULL and quality 500."),
          Option.optional(
              HOST,
              Kind.STRING,
              "The host application's name, under which STATE says that it is online: edge nodes"
                  + " that have it for their primary host publish only then."),
          Option.withDefault(
                  "rebirth",
                  Kind.BOOLEAN,
                  "true",
                  "Whether edge nodes are asked for their births when they are needed; false where"
                      + " the user may not publish.")
              .asTuning(),
          Option.withDefault(
                  REBIRTH,
                  Kind.DURATION,
                  "10 s",
                  "Between two such requests to an edge node; twice as long after each without an"
                      + " answer, up to 10 min.")
              .asTuning(),
          Option.withDefault(
                  "queue-capacity",
                  Kind.INTEGER,
                  "10000",
                  "Messages that may wait for the job; when it is full no more is read from the"
                      + " link.")
              .asTuning(),
          Option.withDefault(
                  "queue-bytes",
                  Kind.BYTES,
                  "16 mb",
                  "Bytes of messages that may wait for the job; when full no more is read from the"
                      + " link.")
              .asTuning(),
          Option.withDefault("max-payload", Kind.BYTES, "1 mb", "A larger payload is malformed.")
              .asTuning(),
          Option.optional(
              SHARD_BY,
              Kind.STRING,
              "The column METADATA FROM 'edge_node_id': on a site each edge node is a shard of its"
                  + " own."),
          Option.optional(
                  SHARD_VALUES,
                  Kind.STRING,
                  "The edge nodes that are shards, separated by ';'. Others are not read.")
              .asTuning());

  public static final List<Option> DECLARED =
      Stream.concat(
              BrokerOptions.declared(
                  "The name of the client at the broker; made up without it. Each table that is"
                      + " open needs its own.")
                  .stream(),
              OWN.stream())
          .toList();

  private final TableDescriptor table;
  private final Options options;

  SparkplugOptions(TableDescriptor table) {
    this.table = table;
    this.options = Options.of(table, DECLARED);
  }

  /** An error of the script about an option. */
  ConnectorException wrong(String key, String why) {
    return options.wrong(key, why);
  }

  ConnectionSettings connection() {
    return BrokerOptions.read(table.name(), options);
  }

  boolean rowsAreMessages() {
    return options.choice(ROWS).equals("message");
  }

  boolean has(String key) {
    return options.has(key);
  }

  ReadSettings read() {
    return new ReadSettings(
        names(GROUP),
        names(NODE),
        has(DEVICE) ? Set.copyOf(names(DEVICE)) : Set.of(),
        hostId(),
        options.bool("stale-rows"),
        options.bool("rebirth") ? Optional.of(rebirthInterval()) : Optional.empty(),
        (int) options.integer("queue-capacity", 1, 10_000_000),
        bytes("queue-bytes", Long.MAX_VALUE),
        (int) bytes("max-payload", MAX_PAYLOAD));
  }

  private Optional<String> hostId() {
    Optional<String> id = options.find(HOST);
    if (id.isPresent() && !NodeTopic.isName(id.get())) {
      throw wrong(HOST, "is no name: it is a level of a topic, not empty and without + # or /");
    }
    return id;
  }

  private Duration rebirthInterval() {
    Duration interval = options.duration(REBIRTH);
    if (interval.toMillis() < 100 || interval.compareTo(Rebirths.LONGEST) > 0) {
      throw wrong(REBIRTH, "is not in 100 ms to %d min".formatted(Rebirths.LONGEST.toMinutes()));
    }
    return interval;
  }

  private long bytes(String key, long most) {
    long value = options.bytes(key);
    if (value < 1 || value > most) {
      throw wrong(key, "is not in 1 to %d bytes".formatted(most));
    }
    return value;
  }

  private List<String> names(String key) {
    List<String> names = split(key);
    if (names.equals(List.of(ReadSettings.ALL)) && !key.equals(DEVICE)) {
      return names;
    }
    for (String name : names) {
      if (!NodeTopic.isName(name)) {
        throw wrong(
            key,
            "has '%s'; a name is a level of a topic: not empty, without + # or /".formatted(name));
      }
    }
    return names;
  }

  private List<String> split(String key) {
    List<String> parts = new ArrayList<>();
    for (String part : options.string(key).split(";", -1)) {
      if (parts.contains(part.strip())) {
        throw wrong(key, "has '%s' twice".formatted(part.strip()));
      }
      parts.add(part.strip());
    }
    return parts;
  }

  /** Which metrics are wanted, by name. */
  Predicate<String> metrics() {
    if (!has(METRICS)) {
      return name -> true;
    }
    List<String> patterns = split(METRICS);
    if (patterns.contains("")) {
      throw wrong(METRICS, "has an empty name");
    }
    return Pattern.compile(
            patterns.stream().map(SparkplugOptions::expression).collect(Collectors.joining("|")),
            Pattern.DOTALL)
        .asMatchPredicate();
  }

  private static String expression(String pattern) {
    return Stream.of(pattern.split("\\*", -1))
        .map(Pattern::quote)
        .collect(Collectors.joining(".*"));
  }

  /** The metric of a column, in a table of messages. */
  String metric(String column) {
    return options.find("fields." + column + ".metric").orElse(column);
  }

  /** The columns that have an option {@code fields.….metric}. */
  List<String> fields() {
    return table.options().keySet().stream()
        .filter(key -> key.startsWith("fields."))
        .map(key -> key.substring("fields.".length(), key.length() - ".metric".length()))
        .sorted()
        .toList();
  }

  /** The edge nodes that are shards; empty if the table is not divided. */
  List<String> shards() {
    if (has(SHARD_BY) != has(SHARD_VALUES)) {
      String given = has(SHARD_BY) ? SHARD_BY : SHARD_VALUES;
      throw wrong(
          given, "needs '%s' too".formatted(given.equals(SHARD_BY) ? SHARD_VALUES : SHARD_BY));
    }
    if (!has(SHARD_BY)) {
      return List.of();
    }
    if (!options.string(NODE).equals(ReadSettings.ALL)) {
      throw wrong(NODE, "and 'shard.values' both say which edge nodes are read; leave this out");
    }
    List<String> values = names(SHARD_VALUES);
    if (values.contains(ReadSettings.ALL)) {
      throw wrong(SHARD_VALUES, "names no edge node; list them");
    }
    if (values.size() > MAX_SHARDS) {
      throw wrong(SHARD_VALUES, "has %d values, at most %d".formatted(values.size(), MAX_SHARDS));
    }
    return values;
  }

  /** The column by which the table is divided. */
  String shardBy() {
    return options.string(SHARD_BY);
  }
}
