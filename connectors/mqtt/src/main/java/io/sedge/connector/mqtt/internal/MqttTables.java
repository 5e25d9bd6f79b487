package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.connector.mqtt.internal.MqttOptions.Sharding;
import io.sedge.connector.mqtt.internal.TopicPattern.Level;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.mqtt.ConnectionSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Checks the declaration of a table and makes its source or sink. */
public final class MqttTables {
  public static final Map<String, Type> METADATA =
      Map.of(
          "topic", Type.STRING.notNull(),
          "qos", Type.INT.notNull(),
          "retained", Type.BOOLEAN.notNull(),
          "timestamp", Type.timestampLtz(3).notNull(),
          "content-type", Type.STRING);

  private MqttTables() {}

  /**
   * The source of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    MqttOptions options = new MqttOptions(table);
    List<TopicPattern> patterns = patterns(options);
    checkOverlaps(options, patterns);
    checkColumns(table, options, patterns, false);
    Optional<Sharding> sharding = options.sharding(patterns);
    SourceSettings settings = options.source(context.session().isPresent());
    ConnectionSettings connection = options.connection();
    connection.checkFiles(context);
    List<Integer> payload = payloadColumns(table, options, patterns);
    checkOrigins(table, options, patterns, payload);
    var _ = context.formats().decoder(table, payload);
    return new MqttSource(table, context, connection, settings, patterns, sharding, payload);
  }

  /**
   * The sink of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static SinkFactory sink(TableDescriptor table, ConnectorContext context) {
    MqttOptions options = new MqttOptions(table);
    List<TopicPattern> patterns = patterns(options);
    if (patterns.size() != 1) {
      throw options.wrong("topic", "has several patterns; a sink writes to one");
    }
    if (patterns.getFirst().hasWildcards()) {
      throw options.wrong("topic", "has a wildcard; a sink needs text or {column} in its place");
    }
    if (!table.metadata().isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: connector 'mqtt' cannot write metadata columns; leave out `%s` or declare it"
                  .formatted(
                      table.name(),
                      table.schema().name(table.metadata().keySet().iterator().next()))
              + " VIRTUAL");
    }
    checkColumns(table, options, patterns, true);
    ConnectionSettings connection = options.connection();
    connection.checkFiles(context);
    List<Integer> payload = payloadColumns(table, options, patterns);
    var _ = context.formats().encoder(table, payload);
    boolean upsert = !table.primaryKey().isEmpty();
    if (upsert) {
      checkKey(table, options, patterns.getFirst(), context);
    }
    return new MqttSinkFactory(
        table,
        context,
        connection,
        patterns.getFirst(),
        payload,
        new MqttSinkFactory.Settings(
            options.qos(), options.retain(upsert), upsert, options.maxInFlight()));
  }

  /** One topic for each key. */
  private static void checkKey(
      TableDescriptor table, MqttOptions options, TopicPattern pattern, ConnectorContext context) {
    Set<String> key = new TreeSet<>();
    table.primaryKey().forEach(column -> key.add(table.schema().name(column)));
    if (!key.equals(Set.copyOf(pattern.columns()))) {
      String columns = key.stream().map("{%s}"::formatted).collect(Collectors.joining(", "));
      throw options.wrong(
          "topic",
          "must have the columns of the PRIMARY KEY and no others, %s: each key has a topic, which"
                  .formatted(columns)
              + " keeps its last row; without a PRIMARY KEY each row is a message");
    }
    if (context.formats().of(table).writesChanges()) {
      throw options.wrong(
          "format",
          "writes each change, but a table with a PRIMARY KEY keeps the last row of each key; leave"
              + " out the PRIMARY KEY, or use 'json'");
    }
  }

  private static List<TopicPattern> patterns(MqttOptions options) {
    List<TopicPattern> patterns = new ArrayList<>();
    for (String text : options.topic().split(";", -1)) {
      try {
        patterns.add(TopicPattern.parse(text.strip()));
      } catch (IllegalArgumentException e) {
        throw options.wrong("topic", String.valueOf(e.getMessage()));
      }
    }
    return patterns;
  }

  private static void checkOverlaps(MqttOptions options, List<TopicPattern> patterns) {
    for (int i = 0; i < patterns.size(); i++) {
      for (int j = i + 1; j < patterns.size(); j++) {
        if (patterns.get(i).overlaps(patterns.get(j))) {
          throw options.wrong(
              "topic",
              "has patterns that a topic can fit both, '%s' and '%s': a broker may send its"
                      .formatted(patterns.get(i), patterns.get(j))
                  + " messages twice");
        }
      }
    }
  }

  private static void checkColumns(
      TableDescriptor table, MqttOptions options, List<TopicPattern> patterns, boolean sink) {
    Schema schema = table.schema();
    for (TopicPattern pattern : patterns) {
      for (Level level : pattern.levels()) {
        if (level instanceof Level.Column column) {
          int position = schema.indexOf(column.name());
          if (position < 0 || table.metadata().containsKey(position)) {
            throw options.wrong(
                "topic",
                "has {%s}, but the columns are %s"
                    .formatted(column.name(), String.join(", ", schema.names())));
          }
          Type type = schema.type(position);
          if (!type.kind().isString() && !type.kind().isInteger()) {
            throw options.wrong(
                "topic",
                "has {%s}, which is %s; a part of a topic can be a STRING or an integer"
                    .formatted(column.name(), type));
          }
          if (!sink && !type.nullable() && patterns.stream().anyMatch(lacks(column.name()))) {
            throw options.wrong(
                "topic",
                "has {%s} not in all patterns, but column `%s` is NOT NULL"
                    .formatted(column.name(), column.name()));
          }
        }
      }
    }
  }

  /** A column of a source has one origin; a sink may repeat in the payload what the topic says. */
  private static void checkOrigins(
      TableDescriptor table,
      MqttOptions options,
      List<TopicPattern> patterns,
      List<Integer> payload) {
    for (int position : payload) {
      String name = table.schema().name(position);
      if (!patterns.stream().allMatch(lacks(name))) {
        throw options.wrong(
            "payload.columns", "names '%s', which comes from 'topic' already".formatted(name));
      }
    }
  }

  private static Predicate<TopicPattern> lacks(String column) {
    return pattern -> !pattern.columns().contains(column);
  }

  private static List<Integer> payloadColumns(
      TableDescriptor table, MqttOptions options, List<TopicPattern> patterns) {
    Schema schema = table.schema();
    if (options.payloadColumns().isPresent()) {
      List<Integer> columns = new ArrayList<>();
      for (String name : options.payloadColumns().get().split(";", -1)) {
        int position = schema.indexOf(name.strip());
        if (position < 0 || table.metadata().containsKey(position)) {
          throw options.wrong(
              "payload.columns",
              "names '%s', but the columns are %s"
                  .formatted(name.strip(), String.join(", ", schema.names())));
        }
        if (columns.contains(position)) {
          throw options.wrong("payload.columns", "names '%s' twice".formatted(name.strip()));
        }
        columns.add(position);
      }
      return List.copyOf(columns);
    }
    Set<String> inTopic = new HashSet<>();
    patterns.forEach(pattern -> inTopic.addAll(pattern.columns()));
    return Formats.payloadColumns(table).stream()
        .filter(column -> !inTopic.contains(schema.name(column)))
        .toList();
  }
}
