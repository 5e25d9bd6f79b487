package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.mqtt.ConnectionSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Checks the declaration of a table and makes its source. */
public final class SparkplugTables {
  static final String GROUP = "group_id";
  static final String NODE = "edge_node_id";
  static final String DEVICE = "device_id";
  static final String NAME = "name";
  static final String DATATYPE = "datatype";
  static final String QUALITY = "quality";
  static final String IS_NULL = "is_null";
  static final String IS_HISTORICAL = "is_historical";
  static final String MESSAGE_TYPE = "message_type";
  static final String SEQ = "seq";
  static final String TIMESTAMP = "timestamp";
  static final String ARRIVAL = "arrival";

  /** Those that belong to one metric. */
  private static final List<String> OF_METRICS = List.of(NAME, DATATYPE, QUALITY, IS_NULL);

  public static final Map<String, Type> METADATA =
      Map.ofEntries(
          Map.entry(GROUP, Type.STRING.notNull()),
          Map.entry(NODE, Type.STRING.notNull()),
          Map.entry(DEVICE, Type.STRING),
          Map.entry(NAME, Type.STRING.notNull()),
          Map.entry(DATATYPE, Type.STRING.notNull()),
          Map.entry(QUALITY, Type.INT.notNull()),
          Map.entry(IS_NULL, Type.BOOLEAN.notNull()),
          Map.entry(IS_HISTORICAL, Type.BOOLEAN.notNull()),
          Map.entry(MESSAGE_TYPE, Type.STRING.notNull()),
          Map.entry(SEQ, Type.INT),
          Map.entry(TIMESTAMP, Type.timestampLtz(3).notNull()),
          Map.entry(ARRIVAL, Type.timestampLtz(3).notNull()));

  private SparkplugTables() {}

  /**
   * The source of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    SparkplugOptions options = new SparkplugOptions(table);
    ConnectionSettings connection = options.connection();
    connection.checkFiles(context);
    ReadSettings settings = options.read();
    checkMetadata(table);
    Supplier<RowWriter> rows =
        options.rowsAreMessages() ? messages(table, options) : metrics(table, options);
    return new SparkplugSource(
        table.name(), context, connection, settings, rows, division(table, options));
  }

  private static Division division(TableDescriptor table, SparkplugOptions options) {
    List<String> shards = options.shards();
    if (shards.isEmpty()) {
      return Division.WHOLE;
    }
    int column = table.schema().indexOf(options.shardBy());
    if (column < 0 || !NODE.equals(table.metadata().get(column))) {
      throw options.wrong(
          SparkplugOptions.SHARD_BY,
          "is no column METADATA FROM 'edge_node_id': messages are in order for each edge node"
              + " alone");
    }
    return new Division.ByKey(column, shards);
  }

  private static Supplier<RowWriter> metrics(TableDescriptor table, SparkplugOptions options) {
    Schema schema = table.schema();
    List<Integer> values = values(table);
    for (String field : options.fields()) {
      throw options.wrong("fields." + field + ".metric", "needs 'rows' = 'message'");
    }
    if (values.isEmpty()) {
      throw wrong(
          table,
          "no column has the value: declare one that is not metadata, such as `value` DOUBLE, or"
              + " several of different types");
    }
    for (int column : values) {
      if (values.size() > 1 && !schema.type(column).nullable()) {
        throw wrong(
            table,
            "column `%s` is NOT NULL, but a value goes to one of %d columns; leave NOT NULL out"
                .formatted(schema.name(column), values.size()));
      }
    }
    var wanted = options.metrics();
    return () -> new MetricRows(schema, values, table.metadata(), wanted);
  }

  private static Supplier<RowWriter> messages(TableDescriptor table, SparkplugOptions options) {
    Schema schema = table.schema();
    List<Integer> values = values(table);
    if (options.has(SparkplugOptions.METRICS)) {
      throw options.wrong(
          SparkplugOptions.METRICS, "is for a row for each metric; here columns are metrics");
    }
    table
        .metadata()
        .forEach(
            (column, key) -> {
              if (OF_METRICS.contains(key)) {
                throw wrong(
                    table,
                    "column `%s` is METADATA FROM '%s', which is of one metric, but 'rows' = 'message'"
                        .formatted(schema.name(column), key));
              }
            });
    Map<String, Integer> columns = new HashMap<>();
    for (int column : values) {
      String name = schema.name(column);
      if (!schema.type(column).nullable()) {
        throw wrong(
            table,
            "column `%s` is NOT NULL, but a message has only what changed; leave NOT NULL out"
                .formatted(name));
      }
      Integer other = columns.put(options.metric(name), column);
      if (other != null) {
        throw wrong(
            table,
            "columns `%s` and `%s` are both metric '%s'"
                .formatted(schema.name(other), name, options.metric(name)));
      }
    }
    for (String field : options.fields()) {
      if (!values.contains(schema.indexOf(field))) {
        throw options.wrong(
            "fields." + field + ".metric",
            "names no column that is a metric; the columns are "
                + String.join(", ", schema.names()));
      }
    }
    if (columns.isEmpty()) {
      throw wrong(table, "no column is a metric: declare those that are wanted, by name");
    }
    return () -> new MessageRows(schema, columns, table.metadata());
  }

  /** The columns that are not metadata. */
  private static List<Integer> values(TableDescriptor table) {
    Schema schema = table.schema();
    List<Integer> values = new ArrayList<>();
    for (int column = 0; column < schema.size(); column++) {
      if (!table.metadata().containsKey(column)) {
        String name = schema.name(column);
        Type type = schema.type(column);
        Values.problem(type)
            .ifPresent(
                problem -> {
                  throw wrong(table, "column `%s` is %s, but %s".formatted(name, type, problem));
                });
        values.add(column);
      }
    }
    return values;
  }

  private static void checkMetadata(TableDescriptor table) {
    table
        .metadata()
        .forEach(
            (column, key) -> {
              Type declared = java.util.Objects.requireNonNull(METADATA.get(key));
              Type type = table.schema().type(column);
              String name = table.schema().name(column);
              if (type.kind() != declared.kind()) {
                throw wrong(
                    table,
                    "column `%s` is %s, but METADATA FROM '%s' is %s"
                        .formatted(name, type, key, declared));
              }
              if (declared.nullable() && !type.nullable()) {
                throw wrong(
                    table,
                    "column `%s` is NOT NULL, but not every row has a '%s'; leave NOT NULL out"
                        .formatted(name, key));
              }
            });
  }

  private static ConnectorException wrong(TableDescriptor table, String why) {
    return new ConnectorException(
        ConnectorException.Kind.USER, "table %s: %s".formatted(table.name(), why));
  }
}
