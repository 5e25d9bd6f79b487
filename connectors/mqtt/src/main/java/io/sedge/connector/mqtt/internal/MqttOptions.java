package io.sedge.connector.mqtt.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Type;
import io.sedge.mqtt.BrokerOptions;
import io.sedge.mqtt.ConnectionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of a table, declared and read. */
public final class MqttOptions {
  private static final long MAX_16_BITS = 65_535;

  /** So many shards a table has at most; each is a task of its own. */
  static final int MAX_SHARDS = 1000;

  private static final int MAX_SHARD_BYTES = 100;

  /** The option that has the values by which topics are divided. */
  static final String SHARD_VALUES = "shard.values";

  /** What it is where they are to be discovered. */
  private static final String ALL = "*";

  private static final long MAX_SESSION_SECONDS = 4_294_967_295L;

  private static final List<Option> OWN =
      List.of(
          Option.required(
              "topic",
              Kind.STRING,
              "Topic pattern, {column} for a part that is a column: plant/{zone}/{machine}. A"
                  + " source takes several, separated by ';', and the wildcards + and #."),
          Option.choice(
              "qos",
              "1",
              List.of("0", "1", "2"),
              "At most once (0), at least once (1), exactly once (2)."),
          Option.withDefault(
                  "session-expiry",
                  Kind.DURATION,
                  "1 h",
                  "How long the broker keeps the session of a client that is away (MQTT 5).")
              .asTuning(),
          Option.withDefault(
              "clean-start",
              Kind.BOOLEAN,
              "false",
              "Forget what the broker kept for this client when the table is opened."),
          Option.withDefault(
                  "receive-maximum",
                  Kind.INTEGER,
                  "10000",
                  "Messages that the broker may send before earlier ones are committed, 1 to 65535;"
                      + " MQTT 3.1.1 has no such limit, there it is the broker's.")
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
                  "Bytes of messages that may wait for the job's commit; when full no more is read"
                      + " from the link.")
              .asTuning(),
          Option.withDefault(
                  "max-payload",
                  Kind.BYTES,
                  "1 mb",
                  "A larger payload is malformed; MQTT 5 brokers do not send what is 8 times"
                      + " larger.")
              .asTuning(),
          Option.choice(
              "overflow",
              "block",
              List.of("block", "drop-newest"),
              "When the queue is full: stop reading, or (QoS 0 only) drop and count."),
          Option.optional(
              "share-group",
              Kind.STRING,
              "Name of a shared subscription: its members get each message once (MQTT 5)."),
          Option.optional(
              "shard.by",
              Kind.STRING,
              "A {column} of the topic: on a site the topics of each of its values are a shard of"
                  + " their own, on whichever device has time for it."),
          Option.optional(
                  SHARD_VALUES,
                  Kind.STRING,
                  "The values of that column, separated by ';': pump-1;pump-2. Others are not"
                      + " read, and that is said. * is all: a site looks for them when the job is"
                      + " submitted.")
              .asTuning(),
          Option.optional(
              "retain",
              Kind.BOOLEAN,
              "Sink: whether the broker keeps the message; by default it does if the table has a"
                  + " PRIMARY KEY."),
          Option.withDefault(
                  "max-in-flight",
                  Kind.INTEGER,
                  "1000",
                  "Sink: messages sent but not acknowledged, 1 to 65535.")
              .asTuning(),
          Option.optional(
              "payload.columns",
              Kind.STRING,
              "The columns of the payload, separated by ';'; else those not in the topic."));

  public static final List<Option> DECLARED =
      Stream.concat(
              BrokerOptions.declared(
                  "The name under which the broker keeps this table's session; with it, messages"
                      + " are kept while the job is down. Each table that is open needs its own.")
                  .stream(),
              OWN.stream())
          .toList();

  private final TableDescriptor table;
  private final Options options;

  MqttOptions(TableDescriptor table) {
    this.table = table;
    this.options = Options.of(table, DECLARED);
  }

  /** An error of the script about an option. */
  RuntimeException wrong(String key, String why) {
    return options.wrong(key, why);
  }

  String topic() {
    return options.string("topic");
  }

  int qos() {
    return Integer.parseInt(options.choice("qos"));
  }

  boolean retain(boolean byDefault) {
    return options.has("retain") ? options.bool("retain") : byDefault;
  }

  int maxInFlight() {
    return bounded("max-in-flight", MAX_16_BITS);
  }

  Optional<String> payloadColumns() {
    return options.find("payload.columns");
  }

  /** What connections of both directions need. */
  ConnectionSettings connection() {
    return BrokerOptions.read(table.name(), options);
  }

  /**
   * How topics are divided.
   *
   * @param column its name, a STRING that is in every pattern
   * @param values plain ones, each once; none if they are to be discovered
   */
  record Sharding(String column, List<String> values) {
    boolean isListed() {
      return !values.isEmpty();
    }
  }

  /** How topics are divided, if they are. */
  Optional<Sharding> sharding(List<TopicPattern> patterns) {
    Optional<String> column = options.find("shard.by");
    if (column.isEmpty() || !options.has(SHARD_VALUES)) {
      if (column.isPresent() || options.has(SHARD_VALUES)) {
        throw wrong(
            column.isPresent() ? "shard.by" : SHARD_VALUES,
            "needs '%s' too".formatted(column.isPresent() ? SHARD_VALUES : "shard.by"));
      }
      return Optional.empty();
    }
    if (options.has("share-group")) {
      throw wrong("shard.by", "and 'share-group' both divide the messages; leave one out");
    }
    String name = column.get();
    for (TopicPattern pattern : patterns) {
      if (!pattern.columns().contains(name)) {
        throw wrong(
            "shard.by",
            "must be a {column} of every 'topic', and '%s' has no {%s}".formatted(pattern, name));
      }
    }
    Type type = table.schema().type(table.schema().indexOf(name));
    if (!type.kind().isString()) {
      throw wrong("shard.by", "is %s; it must be a STRING".formatted(type));
    }
    return Optional.of(new Sharding(name, shardValues()));
  }

  /** Whether a value can stand in the list: as a level of a topic, and as the name of a task. */
  static boolean mayBeShard(String value) {
    return !value.isEmpty()
        && value.equals(value.strip())
        && TopicPattern.isPlain(value)
        && value.indexOf(';') < 0
        && !value.contains("${")
        && value.chars().noneMatch(Character::isISOControl)
        && value.getBytes(UTF_8).length <= MAX_SHARD_BYTES;
  }

  private List<String> shardValues() {
    if (options.string(SHARD_VALUES).strip().equals(ALL)) {
      return List.of();
    }
    List<String> values = new ArrayList<>();
    for (String part : options.string(SHARD_VALUES).split(";", -1)) {
      String value = part.strip();
      if (!mayBeShard(value)) {
        throw wrong(
            SHARD_VALUES,
            "has '%s'; a value is a level of a topic: not empty, without + # or /, of at most %d bytes"
                .formatted(value, MAX_SHARD_BYTES));
      }
      if (values.contains(value)) {
        throw wrong(SHARD_VALUES, "has '%s' twice".formatted(value));
      }
      values.add(value);
    }
    if (values.size() > MAX_SHARDS) {
      throw wrong(SHARD_VALUES, "has %d values, at most %d".formatted(values.size(), MAX_SHARDS));
    }
    return List.copyOf(values);
  }

  /**
   * What a source needs.
   *
   * @param lasting whether it has a session that outlasts this process, with a name of its own
   */
  SourceSettings source(boolean lasting) {
    int qos = qos();
    boolean version5 = options.choice("version").equals("5");
    boolean drop = options.choice("overflow").equals("drop-newest");
    if (drop && qos != 0) {
      throw wrong(
          "overflow",
          "needs 'qos' = '0': at QoS %d nothing is dropped; use 'block'".formatted(qos));
    }
    boolean cleanStart = options.bool("clean-start");
    if (!version5 && qos > 0 && !cleanStart && !lasting && !options.has("client-id")) {
      throw wrong(
          "version",
          "with 'qos' = '%d' needs a 'client-id': an MQTT 3.1.1 broker keeps a session for ever, under"
                  .formatted(qos)
              + " that name; or use version 5, or 'clean-start' = 'true', which loses what is"
              + " published while the connection is down");
    }
    String group = options.find("share-group").orElse(null);
    if (group != null && (!version5 || group.isEmpty() || !TopicPattern.isPlain(group))) {
      throw wrong(
          "share-group", version5 ? "must not be empty or have + # or /" : "needs 'version' = '5'");
    }
    int receiveMaximum = bounded("receive-maximum", MAX_16_BITS);
    int capacity = bounded("queue-capacity", Integer.MAX_VALUE);
    if (version5 && qos > 0 && capacity < receiveMaximum) {
      if (options.has("queue-capacity") && options.has("receive-maximum")) {
        throw wrong(
            "queue-capacity",
            "is less than 'receive-maximum' = '%d': what the broker may send must have room"
                .formatted(receiveMaximum));
      }
      receiveMaximum = options.has("queue-capacity") ? capacity : receiveMaximum;
      capacity = Math.max(capacity, receiveMaximum);
    }
    return new SourceSettings(
        qos,
        cleanStart,
        BrokerOptions.seconds(options, "session-expiry", MAX_SESSION_SECONDS),
        group,
        receiveMaximum,
        capacity,
        atLeastOne("queue-bytes"),
        (int) Math.min(atLeastOne("max-payload"), 128L << 20),
        drop);
  }

  private int bounded(String key, long max) {
    long value = options.integer(key);
    if (value < 1 || value > max) {
      throw wrong(key, "is not in 1 to " + max);
    }
    return (int) value;
  }

  private long atLeastOne(String key) {
    long value = options.bytes(key);
    if (value < 1) {
      throw wrong(key, "is less than 1 byte");
    }
    return value;
  }
}
