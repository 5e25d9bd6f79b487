package io.sedge.flink.cluster.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What of a script's settings and options is Sedge's own, and what becomes of each on Flink. A
 * value that means there what it means here, or nothing, is left out; another one is refused.
 */
public final class OwnOptions {
  /** Connectors that both have. */
  public static final Set<String> CONNECTORS =
      Set.of("kafka", "upsert-kafka", "jdbc", "filesystem", "datagen", "print", "blackhole");

  /** Formats that both have. */
  public static final Set<String> FORMATS =
      Set.of("json", "csv", "raw", "avro", "avro-confluent", "protobuf", "debezium-json");

  /** Of these, what Flink's distribution has no jar of. */
  public static final Set<String> NOT_IN_DISTRIBUTION =
      Set.of("kafka", "upsert-kafka", "jdbc", "avro", "avro-confluent", "protobuf");

  /**
   * Something of Sedge's own.
   *
   * @param of the connector or format it belongs to; empty for settings and options of all tables
   * @param key of it; of a format's option without what stands before the format's name
   * @param always whether it changes no row, and is left out whatever it says
   * @param harmless its values that are left out too
   * @param instead what to do where it is refused
   */
  public record Own(String of, String key, boolean always, Set<String> harmless, String instead) {
    /** Whether the value may be left out. */
    public boolean leavesOut(String value) {
      return always || harmless.contains(value.strip().toLowerCase(Locale.ROOT));
    }
  }

  /** Settings, {@code sedge.commit-interval} apart, which has a translation. */
  private static final List<Own> SETTINGS =
      List.of(
          own("sedge.labels", "the script without it: a cluster has no devices to choose from", ""),
          own(
              "sedge.late-table",
              "the script without it: Flink drops rows that come too late, and counts them",
              ""),
          own(
              "sedge.allowed-lateness",
              "a later watermark in the tables: WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE",
              "0",
              "0 s",
              "0 ms"),
          own(
              "sedge.on-row-failure",
              "'fail', which is what Flink does, and TRY_CAST where a row is to stay",
              "fail"),
          own(
              "sedge.merge",
              "the script without it: a cluster can read the topics of all sites itself"),
          dropped("", "sedge.merge.wait"));

  private static final List<Own> OF_TABLES =
      List.of(
          own(
              "malformed.table",
              "'json.ignore-parse-errors' = 'true': else the first payload that cannot be decoded"
                  + " ends the job"),
          own(
              "scan.watermark.max-ahead",
              "the script without it: on Flink a clock that is ahead makes the watermark",
              "0",
              "0 s",
              "0 ms"),
          own(
              "scan.watermark.per-key",
              "a watermark that waits for the slowest sensor: ts - INTERVAL '1' MINUTE"),
          dropped("", "scan.watermark.per-key.idle-after"),
          own("sedge.labels", "the script without it: a cluster has no devices to choose from", ""),
          own("keep", "a second INSERT that writes the readings where they are to be kept"),
          dropped("", "keep.bytes"),
          dropped("", "keep.time"),
          dropped("", "keep.when-full"),
          dropped("", "keep.sync"),
          dropped("", "keep.reserve"));

  private static final List<Own> OF_CONNECTORS =
      List.of(
          dropped("kafka", "scan.queue-bytes"),
          dropped("kafka", "sink.queue-bytes"),
          dropped("kafka", "shard.by"),
          of(
              "kafka",
              "shard.values",
              "'shard.values' = '*': Flink reads all partitions of the topic",
              "*"),
          dropped("upsert-kafka", "sink.queue-bytes"),
          of(
              "jdbc",
              "sink.delivery-guarantee",
              "a PRIMARY KEY: then a row that comes twice stands once",
              "at-least-once"),
          dropped("jdbc", "sink.queue-bytes"),
          of("filesystem", "sink.on-existing", "a 'path' without files", "append"),
          of("filesystem", "source.follow", "'source.monitor-interval' for new files", "false"),
          of("filesystem", "replay.speed", "the script without it: Flink reads as fast as it can"),
          dropped("filesystem", "replay.time-column"),
          of("filesystem", "shard.by", "a 'path' that all task managers reach"),
          of("datagen", "seed", "the script without it: rows differ from run to run"),
          of("csv", "csv.header", "files without a line of names", "false"),
          of("raw", "raw.encoding", "'format' = 'csv' for numbers as text", "binary"),
          of("avro", "avro.schema", "the script without it: Flink makes the schema of the columns"),
          of(
              "avro-confluent",
              "avro-confluent.timestamp_mapping.legacy",
              "the script without it",
              "true"),
          of(
              "protobuf",
              "protobuf.descriptor-set",
              "'protobuf.message-class-name' and --jar with the class that protoc made"));

  private OwnOptions() {}

  private static Own own(String key, String instead, String... harmless) {
    return of("", key, instead, harmless);
  }

  private static Own of(String owner, String key, String instead, String... harmless) {
    return new Own(owner, key, false, Set.of(harmless), instead);
  }

  private static Own dropped(String owner, String key) {
    return new Own(owner, key, true, Set.of(), "");
  }

  /** The setting, if it is Sedge's own. */
  public static Optional<Own> setting(String key) {
    return SETTINGS.stream().filter(own -> own.key().equals(key)).findFirst();
  }

  /**
   * The option of a table, if it is Sedge's own.
   *
   * @param connector of the table
   */
  public static Optional<Own> option(String connector, String key) {
    return Stream.concat(OF_TABLES.stream(), OF_CONNECTORS.stream())
        .filter(
            own ->
                FORMATS.contains(own.of())
                    ? key.equals(own.key()) || key.endsWith("." + own.key())
                    : own.key().equals(key) && (own.of().isEmpty() || own.of().equals(connector)))
        .findFirst();
  }

  /** All keys that there are, for messages. */
  public static Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    Stream.of(SETTINGS, OF_TABLES, OF_CONNECTORS)
        .flatMap(List::stream)
        .forEach(own -> keys.add(own.key()));
    return keys;
  }

  /** Those of a connector or format. */
  public static Map<String, Own> of(String owner) {
    Map<String, Own> found = new TreeMap<>();
    OF_CONNECTORS.stream()
        .filter(own -> own.of().equals(owner))
        .forEach(own -> found.put(own.key(), own));
    return found;
  }
}
