package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.connector.kafka.internal.SinkSettings.Partitioner;
import io.sedge.connector.kafka.internal.SinkSettings.Promise;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Checks the declaration of a table and makes its source or sink. */
public final class KafkaTables {
  /** Tables of the connector {@code kafka}. */
  public static final KafkaTables PLAIN = new KafkaTables(false);

  /** Tables of the connector {@code upsert-kafka}. */
  public static final KafkaTables UPSERT = new KafkaTables(true);

  public static final Map<String, Type> METADATA = metadata();

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,8}");
  private static final String ALL = "*";
  private static final String TWO_PHASE = "transaction.two.phase.commit.enable";

  private final boolean upsert;

  private KafkaTables(boolean upsert) {
    this.upsert = upsert;
  }

  private static Map<String, Type> metadata() {
    Map<String, Type> types = new TreeMap<>();
    for (Metadata metadata : Metadata.values()) {
      types.put(metadata.key(), metadata.type());
    }
    return Map.copyOf(types);
  }

  public List<Option> options() {
    return upsert ? KafkaOptions.UPSERT : KafkaOptions.PLAIN;
  }

  /** Those of the formats of keys and values. */
  public List<Option> formatOptions(Map<String, String> given, Formats formats) {
    List<Option> options = new ArrayList<>();
    if (!upsert && (!given.containsKey(KafkaOptions.VALUE_FORMAT) || given.containsKey("format"))) {
      options.addAll(formats.options(given));
    }
    options.addAll(formats.options(given, "value."));
    options.addAll(formats.options(given, "key."));
    return options;
  }

  /**
   * The source of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if its options or columns do not fit
   */
  public Source source(TableDescriptor table, ConnectorContext context) {
    if (upsert) {
      throw Failures.user(
          "table %s: connector 'upsert-kafka' is written, not read: no source gives updates; read the topic with 'connector' = 'kafka', which gives a row for each record"
              .formatted(table.name()));
    }
    Options options = Options.of(table, options());
    checkFormat(options, table);
    Columns columns = Columns.of(table, options, Optional.empty());
    ClientProperties client = ClientProperties.of(table, options, context);
    List<String> topics = topics(options);
    OffsetOptions offsets =
        new OffsetOptions(options, client.find("group.id").isPresent(), topics.size() > 1);
    int shardColumn = shardColumn(table, options);
    List<Integer> listed = listed(options, shardColumn);
    SourceSettings settings =
        new SourceSettings(
            topics,
            client,
            offsets.startup(),
            offsets.bounded(),
            options.duration(KafkaOptions.DISCOVERY),
            KafkaOptions.bytes(options, KafkaOptions.SCAN_QUEUE),
            listed.isEmpty() ? Optional.empty() : Optional.of(listed),
            listed,
            !listed.isEmpty());
    var _ = new RowReader(columns, context);
    return new KafkaSource(columns, context, settings, shardColumn);
  }

  /**
   * The sink of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if its options or columns do not fit
   */
  public SinkFactory sink(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, options());
    checkFormat(options, table);
    checkKey(table, options);
    checkMetadata(table);
    List<String> topics = topics(options);
    if (topics.size() != 1) {
      throw options.wrong(KafkaOptions.TOPIC, "has several topics; a sink writes to one");
    }
    Columns columns =
        Columns.of(
            withSubjects(table, topics.getFirst(), context.formats()),
            options,
            upsert ? Optional.of(table.primaryKey()) : Optional.empty());
    if (upsert && columns.writesChanges(context)) {
      throw options.wrong(
          KafkaOptions.VALUE_FORMAT,
          "writes each change, but 'upsert-kafka' keeps the last row of each key; use 'json'");
    }
    ClientProperties client = ClientProperties.of(table, options, context);
    Promise promise = Promise.of(options.choice(KafkaOptions.GUARANTEE));
    checkProducer(options, client, promise);
    var _ = columns.keyEncoder(context);
    var _ = columns.valueEncoder(context);
    return new KafkaSinkFactory(
        columns,
        context,
        new SinkSettings(
            topics.getFirst(),
            client,
            promise,
            options.find(KafkaOptions.TRANSACTIONS).orElse("sedge"),
            upsert ? Partitioner.DEFAULT : Partitioner.of(options.choice(KafkaOptions.PARTITIONER)),
            KafkaOptions.bytes(options, KafkaOptions.SINK_QUEUE),
            upsert));
  }

  /** As in Flink, a registry has the schemas of keys and values under the name of the topic. */
  static TableDescriptor withSubjects(TableDescriptor table, String topic, Formats formats) {
    Map<String, String> options = new TreeMap<>(table.options());
    for (String prefix : List.of("key.", "value.", "")) {
      String key = "%s%s.subject".formatted(prefix, options.get(prefix + Formats.FORMAT));
      if (formats.options(options, prefix).stream().anyMatch(option -> option.key().equals(key))) {
        options.putIfAbsent(key, topic + (prefix.equals("key.") ? "-key" : "-value"));
      }
    }
    return table.withOptions(options);
  }

  private void checkFormat(Options options, TableDescriptor table) {
    boolean value = options.has(KafkaOptions.VALUE_FORMAT);
    if (value && options.has(Formats.FORMAT)) {
      throw options.wrong(
          KafkaOptions.VALUE_FORMAT, "and 'format' both say how values are written; leave one out");
    }
    if (upsert && !value) {
      throw Failures.user(
          "table %s: option '%s' is missing: the format of values"
              .formatted(table.name(), KafkaOptions.VALUE_FORMAT));
    }
  }

  private void checkKey(TableDescriptor table, Options options) {
    if (!upsert) {
      if (!table.primaryKey().isEmpty()) {
        throw Failures.user(
            "table %s: connector 'kafka' adds a record for each row and keeps no key; leave out the PRIMARY KEY, or use 'connector' = 'upsert-kafka'"
                .formatted(table.name()));
      }
      return;
    }
    if (table.primaryKey().isEmpty()) {
      throw Failures.user(
          "table %s: connector 'upsert-kafka' needs a PRIMARY KEY (…) NOT ENFORCED, which is the key of its records"
              .formatted(table.name()));
    }
    if (!options.has(KafkaOptions.KEY_FORMAT)) {
      throw Failures.user(
          "table %s: option '%s' is missing: the format of keys"
              .formatted(table.name(), KafkaOptions.KEY_FORMAT));
    }
  }

  private static void checkMetadata(TableDescriptor table) {
    for (Map.Entry<Integer, String> column : table.metadata().entrySet()) {
      if (Metadata.of(table, column) != Metadata.TIMESTAMP) {
        throw Failures.user(
            "table %s: column `%s` is METADATA FROM '%s', which Kafka gives and cannot be written; declare it VIRTUAL"
                .formatted(table.name(), table.schema().name(column.getKey()), column.getValue()));
      }
    }
  }

  private static void checkProducer(Options options, ClientProperties client, Promise promise) {
    if (client.find(TWO_PHASE).filter(Boolean::parseBoolean).isPresent()) {
      throw options.wrong(
          KafkaOptions.PROPERTIES + TWO_PHASE,
          "is not allowed: a transaction that nobody ends would hold the topic's readers back");
    }
    if (promise != Promise.NONE) {
      checkSafe(options, client, "acks", acks -> List.of("all", "-1").contains(acks), "be lost");
      checkSafe(options, client, "retries", retries -> Integer.parseInt(retries) > 0, "be lost");
      checkSafe(
          options,
          client,
          "max.in.flight.requests.per.connection",
          requests -> Integer.parseInt(requests) <= 5,
          "be there twice or out of order");
    }
  }

  /** What is not safe would switch off, in silence, that a producer is idempotent. */
  private static void checkSafe(
      Options options,
      ClientProperties client,
      String key,
      Predicate<String> safe,
      String whatMayHappen) {
    if (client.find(key).map(String::strip).filter(safe.negate()).isPresent()) {
      throw options.wrong(
          KafkaOptions.PROPERTIES + key,
          "needs '%s' = 'none': when a broker fails a row could %s"
              .formatted(KafkaOptions.GUARANTEE, whatMayHappen));
    }
  }

  private static List<String> topics(Options options) {
    List<String> topics =
        Arrays.stream(options.string(KafkaOptions.TOPIC).split(";", -1))
            .map(String::strip)
            .toList();
    for (String topic : topics) {
      if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
        throw options.wrong(
            KafkaOptions.TOPIC,
            "has '%s'; a topic has 1 to 249 letters, digits, dots, _ and -".formatted(topic));
      }
    }
    if (topics.stream().distinct().count() < topics.size()) {
      throw options.wrong(KafkaOptions.TOPIC, "has a topic twice");
    }
    return topics;
  }

  private static int shardColumn(TableDescriptor table, Options options) {
    Optional<String> named = options.find(KafkaOptions.SHARD_BY);
    if (named.isEmpty() != !options.has(KafkaOptions.SHARD_VALUES)) {
      throw options.wrong(
          named.isPresent() ? KafkaOptions.SHARD_BY : KafkaOptions.SHARD_VALUES,
          "needs '%s' too"
              .formatted(named.isPresent() ? KafkaOptions.SHARD_VALUES : KafkaOptions.SHARD_BY));
    }
    if (named.isEmpty()) {
      return -1;
    }
    int column = table.schema().indexOf(named.get());
    if (column < 0 || !Metadata.PARTITION.key().equals(table.metadata().get(column))) {
      throw options.wrong(
          KafkaOptions.SHARD_BY,
          "is no column that is METADATA FROM 'partition'; declare `%s` STRING METADATA FROM 'partition'"
              .formatted(named.get()));
    }
    if (!table.schema().type(column).kind().isString()) {
      throw options.wrong(
          KafkaOptions.SHARD_BY,
          "is %s; declare it as `%s` STRING METADATA FROM 'partition'"
              .formatted(table.schema().type(column), named.get()));
    }
    return column;
  }

  /** The partitions that are shards; none if there are no shards, or they are to be found. */
  private static List<Integer> listed(Options options, int shardColumn) {
    if (shardColumn < 0 || options.string(KafkaOptions.SHARD_VALUES).strip().equals(ALL)) {
      return List.of();
    }
    List<Integer> listed = new ArrayList<>();
    for (String value : options.string(KafkaOptions.SHARD_VALUES).split(";", -1)) {
      if (!NUMBER.matcher(value.strip()).matches()) {
        throw options.wrong(
            KafkaOptions.SHARD_VALUES,
            "has '%s'; a partition is a number from 0".formatted(value.strip()));
      }
      int number = Integer.parseInt(value.strip());
      if (listed.contains(number)) {
        throw options.wrong(KafkaOptions.SHARD_VALUES, "has %d twice".formatted(number));
      }
      listed.add(number);
    }
    return List.copyOf(listed);
  }
}
