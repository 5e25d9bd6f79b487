package io.sedge.connector.kafka.internal;

import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The options of both connectors, under Flink's names. */
final class KafkaOptions {
  static final String TOPIC = "topic";
  static final String PROPERTIES = "properties.";
  static final String SERVERS = "properties.bootstrap.servers";
  static final String GROUP = "properties.group.id";
  static final String KEY_FORMAT = "key.format";
  static final String VALUE_FORMAT = "value.format";
  static final String KEY_FIELDS = "key.fields";
  static final String KEY_PREFIX = "key.fields-prefix";
  static final String VALUE_FIELDS = "value.fields-include";
  static final String STARTUP = "scan.startup.mode";
  static final String STARTUP_OFFSETS = "scan.startup.specific-offsets";
  static final String STARTUP_TIME = "scan.startup.timestamp-millis";
  static final String BOUNDED = "scan.bounded.mode";
  static final String BOUNDED_OFFSETS = "scan.bounded.specific-offsets";
  static final String BOUNDED_TIME = "scan.bounded.timestamp-millis";
  static final String DISCOVERY = "scan.topic-partition-discovery.interval";
  static final String SCAN_QUEUE = "scan.queue-bytes";
  static final String SHARD_BY = "shard.by";
  static final String SHARD_VALUES = "shard.values";
  static final String GUARANTEE = "sink.delivery-guarantee";
  static final String TRANSACTIONS = "sink.transactional-id-prefix";
  static final String PARTITIONER = "sink.partitioner";
  static final String SINK_QUEUE = "sink.queue-bytes";

  private static final List<Option> OF_BOTH =
      List.of(
          Option.required(
              TOPIC,
              Kind.STRING,
              "The topic. A source of 'kafka' takes several, separated by ';'."),
          Option.required(
              SERVERS, Kind.STRING, "Brokers to begin with: host:9092, separated by commas."),
          Option.optional(
                  PROPERTIES + "*",
                  Kind.STRING,
                  "Kafka's own options for its clients, such as properties.group.id or"
                      + " properties.security.protocol.")
              .asTuning(),
          Option.optional(
              VALUE_FORMAT,
              Kind.STRING,
              "The format of values, whose options begin with 'value.'; 'kafka' also takes"
                  + " 'format'."),
          Option.optional(
              KEY_FORMAT, Kind.STRING, "The format of keys, whose options begin with 'key.'."),
          Option.optional(
              KEY_PREFIX,
              Kind.STRING,
              "What the names of the key's columns begin with, and its fields do not. Needs"
                  + " 'value.fields-include' = 'EXCEPT_KEY'."),
          Option.choice(
              VALUE_FIELDS,
              "ALL",
              List.of("ALL", "EXCEPT_KEY"),
              "Whether values have the columns of the key too."),
          Option.choice(
              GUARANTEE,
              "at-least-once",
              List.of("none", "at-least-once", "exactly-once"),
              "Sink: whether rows are waited for (at-least-once) and written in transactions"
                  + " (exactly-once)."),
          Option.optional(
              TRANSACTIONS,
              Kind.STRING,
              "Sink: what the ids of transactions, and the group that keeps how far a writer has"
                  + " come, begin with; 'sedge' unless set."),
          Option.withDefault(
                  SINK_QUEUE,
                  Kind.BYTES,
                  "16 mb",
                  "Sink: what may wait for the broker; when it is full the job waits. Sedge's own.")
              .asTuning(),
          Option.optional(
                  "sink.parallelism",
                  Kind.INTEGER,
                  "Flink's number of writers; has no effect here.")
              .asTuning());

  private static final List<Option> OF_KAFKA =
      List.of(
          Option.optional(KEY_FIELDS, Kind.STRING, "The columns of the key, separated by ';'."),
          Option.choice(
              PARTITIONER,
              "default",
              List.of("default", "fixed", "round-robin"),
              "Sink: which partition a row goes to: Kafka's choice, by the key if there is one; one"
                  + " for all rows of a writer; or each in turn."),
          Option.choice(
              STARTUP,
              "group-offsets",
              List.of(
                  "earliest-offset",
                  "latest-offset",
                  "group-offsets",
                  "timestamp",
                  "specific-offsets"),
              "Where reading begins that has no position yet."),
          Option.optional(
              STARTUP_OFFSETS,
              Kind.STRING,
              "For specific-offsets: partition:0,offset:42;partition:1,offset:300."),
          Option.optional(
              STARTUP_TIME,
              Kind.INTEGER,
              "For timestamp: milliseconds since 1970; records before are left out."),
          Option.choice(
              BOUNDED,
              "unbounded",
              List.of(
                  "unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets"),
              "Where reading ends; latest-offset is what there is at the start."),
          Option.optional(
              BOUNDED_OFFSETS,
              Kind.STRING,
              "For specific-offsets: the offsets that are the first not to be read."),
          Option.optional(
              BOUNDED_TIME,
              Kind.INTEGER,
              "For timestamp: the first record that is later is not read."),
          Option.durationWithDefault(
                  DISCOVERY,
                  Duration.ofMinutes(5),
                  "How often new partitions are looked for; they are read from their start. 0 ms:"
                      + " never.")
              .asTuning(),
          Option.withDefault(
                  SCAN_QUEUE,
                  Kind.BYTES,
                  "16 mb",
                  "What may wait for the job; partitions that are ahead are not fetched on. Sedge's"
                      + " own.")
              .asTuning(),
          Option.optional(
              SHARD_BY,
              Kind.STRING,
              "A STRING column that is METADATA FROM 'partition': on a site each partition is a"
                  + " shard of its own. Sedge's own."),
          Option.optional(
                  SHARD_VALUES,
                  Kind.STRING,
                  "The partitions, separated by ';': 0;1;2. * is all: a site looks for them when"
                      + " the job is submitted. Sedge's own.")
              .asTuning(),
          Option.optional(
                  "scan.parallelism",
                  Kind.INTEGER,
                  "Flink's number of readers; has no effect here.")
              .asTuning());

  static final List<Option> UPSERT = OF_BOTH;
  static final List<Option> PLAIN = Stream.concat(OF_BOTH.stream(), OF_KAFKA.stream()).toList();

  private KafkaOptions() {}

  /** A size that is not zero. */
  static long bytes(Options options, String key) {
    long value = options.bytes(key);
    if (value < 1) {
      throw options.wrong(key, "is less than 1 byte");
    }
    return value;
  }
}
