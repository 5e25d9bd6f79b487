package io.sedge.connector.opcua.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks the declaration of a table and makes its source or sink. */
public final class OpcUaTables {
  static final String NODE = "node";
  static final String BROWSE_NAME = "browse-name";
  static final String STATUS = "status";
  static final String STATUS_CODE = "status-code";
  static final String SOURCE_TIMESTAMP = "source-timestamp";
  static final String SERVER_TIMESTAMP = "server-timestamp";
  static final String TIMESTAMP = "timestamp";

  public static final Map<String, Type> METADATA =
      Map.of(
          NODE, Type.STRING.notNull(),
          BROWSE_NAME, Type.STRING.notNull(),
          STATUS, Type.STRING.notNull(),
          STATUS_CODE, Type.BIGINT.notNull(),
          SOURCE_TIMESTAMP, Type.timestampLtz(3),
          SERVER_TIMESTAMP, Type.timestampLtz(3),
          TIMESTAMP, Type.timestampLtz(3).notNull());

  private OpcUaTables() {}

  /**
   * The source of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    OpcUaOptions options = new OpcUaOptions(table);
    if (options.has(OpcUaOptions.MAX_AGE)) {
      throw options.wrong(
          OpcUaOptions.MAX_AGE, "is for a table that is written, and this one is read");
    }
    List<NodePattern> patterns = options.nodes();
    TableShape shape = shape(table, options, patterns);
    checkNulls(options, shape, patterns);
    ReadSettings settings =
        new ReadSettings(
            link(table, options, context),
            patterns,
            options.browseRoot(),
            options.maxNodes(),
            shape.of(BROWSE_NAME) >= 0,
            options.monitoring(),
            Optional.empty());
    Optional<String> shardBy = options.shardBy();
    if (shardBy.isEmpty()) {
      if (options.has(OpcUaOptions.SHARD_VALUES)) {
        throw options.wrong(
            OpcUaOptions.SHARD_VALUES, "needs 'shard.by' too: a {column} of 'nodes'");
      }
      return new OpcUaSource(table.name(), context, shape, settings, Division.WHOLE, "");
    }
    return new OpcUaSource(
        table.name(),
        context,
        shape,
        settings,
        division(options, shape, patterns, shardBy.get()),
        shardBy.get());
  }

  private static LinkSettings link(
      TableDescriptor table, OpcUaOptions options, ConnectorContext context) {
    LinkSettings link = options.link(context.directory());
    link.security()
        .directory()
        .ifPresent(
            directory ->
                context
                    .files()
                    .check(
                        "table %s: 'server.certificates'".formatted(table.name()),
                        directory,
                        FileAccess.Use.READ));
    return link;
  }

  private static Division division(
      OpcUaOptions options, TableShape shape, List<NodePattern> patterns, String column) {
    if (!patterns.stream().allMatch(pattern -> pattern.columns().contains(column))) {
      throw options.wrong(
          OpcUaOptions.SHARD_BY,
          "is no {column} of each entry of 'nodes', as in ns=2;s={machine}.*");
    }
    int position = java.util.Objects.requireNonNull(shape.placeholders().get(column));
    List<String> values = options.shardValues();
    return values.isEmpty()
        ? new Division.Undiscovered(position, OpcUaOptions.SHARD_VALUES)
        : new Division.ByKey(position, values);
  }

  private static void checkNulls(
      OpcUaOptions options, TableShape shape, List<NodePattern> patterns) {
    shape
        .placeholders()
        .forEach(
            (name, position) -> {
              if (!shape.schema().type(position).nullable()
                  && !patterns.stream().allMatch(pattern -> pattern.columns().contains(name))) {
                throw options.wrong(
                    OpcUaOptions.NODES,
                    "has {%s} not in all entries, but column `%s` is NOT NULL"
                        .formatted(name, name));
              }
            });
    shape
        .metadata()
        .forEach(
            (position, key) -> {
              if (key.endsWith("-timestamp") && !shape.schema().type(position).nullable()) {
                throw new ConnectorException(
                    ConnectorException.Kind.USER,
                    ("column `%s` is NOT NULL, but a server may send values without '%s'; leave NOT"
                            + " NULL out, or use METADATA FROM 'timestamp'")
                        .formatted(shape.schema().name(position), key));
              }
            });
  }

  /**
   * The sink of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static SinkFactory sink(TableDescriptor table, ConnectorContext context) {
    OpcUaOptions options = new OpcUaOptions(table);
    List<NodePattern> patterns = options.nodes();
    TableShape shape = shape(table, options, patterns);
    if (!table.primaryKey().isEmpty()) {
      throw wrong(table, "each row is a command, which has no key; leave out the PRIMARY KEY");
    }
    if (options.has(OpcUaOptions.SHARD_BY)) {
      throw options.wrong(
          OpcUaOptions.SHARD_BY, "is for a table that is read, and this one is written");
    }
    shape
        .metadata()
        .forEach(
            (position, key) -> {
              if (!key.equals(NODE) && !key.equals(SOURCE_TIMESTAMP)) {
                throw wrong(
                    table,
                    "column `%s` is METADATA FROM '%s', which cannot be written; leave it out or declare it VIRTUAL"
                        .formatted(table.schema().name(position), key));
              }
            });
    if (shape.of(NODE) < 0) {
      if (patterns.size() != 1) {
        throw options.wrong(
            OpcUaOptions.NODES,
            "has several entries; add a column `node` STRING METADATA that says which one a row is"
                + " for");
      }
      if (patterns.getFirst().text().contains("*")) {
        throw options.wrong(
            OpcUaOptions.NODES,
            "has a *; a sink needs text or {column} in its place, or a column `node` STRING"
                + " METADATA");
      }
    } else if (!shape.placeholders().isEmpty()) {
      throw options.wrong(
          OpcUaOptions.NODES,
          "has a {column}, but METADATA FROM 'node' says the whole id; leave one out");
    }
    for (NodePattern pattern : patterns) {
      if (pattern.isPath()) {
        throw options.wrong(
            OpcUaOptions.NODES,
            "has a browse path, '%s'; a sink needs node ids".formatted(pattern));
      }
    }
    if (options.maxAge().isPresent() && shape.of(SOURCE_TIMESTAMP) < 0) {
      throw options.wrong(
          OpcUaOptions.MAX_AGE,
          "needs a column TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp' that says when a"
              + " command was given");
    }
    return new OpcUaSinkFactory(
        table.name(),
        context,
        new NodeCommands(shape, patterns, options.maxAge().isPresent()),
        new WriteSettings(link(table, options, context), options.readBack(), options.maxAge()));
  }

  private static TableShape shape(
      TableDescriptor table, OpcUaOptions options, List<NodePattern> patterns) {
    Schema schema = table.schema();
    Map<String, Integer> placeholders = new HashMap<>();
    for (NodePattern pattern : patterns) {
      for (String name : pattern.columns()) {
        int position = schema.indexOf(name);
        if (position < 0 || table.metadata().containsKey(position)) {
          throw options.wrong(
              OpcUaOptions.NODES,
              "has {%s}, but the columns are %s"
                  .formatted(name, String.join(", ", schema.names())));
        }
        if (schema.type(position).kind() != Kind.VARCHAR) {
          throw options.wrong(
              OpcUaOptions.NODES,
              "has {%s}, which is %s; a part of a node id is a STRING"
                  .formatted(name, schema.type(position)));
        }
        placeholders.put(name, position);
      }
    }
    List<Integer> values = new ArrayList<>();
    for (int column = 0; column < schema.size(); column++) {
      String key = table.metadata().get(column);
      if (key != null) {
        checkMetadata(table, column, key);
      } else if (!placeholders.containsValue(column)) {
        values.add(column);
      }
    }
    if (values.size() != 1) {
      throw wrong(
          table,
          ("one column has the value, and the others are a {column} of 'nodes' or METADATA FROM %s;"
                  + " here %s")
              .formatted(
                  METADATA.keySet().stream()
                      .sorted()
                      .map("'%s'"::formatted)
                      .collect(Collectors.joining(", ")),
                  values.isEmpty()
                      ? "is none"
                      : "are "
                          + values.stream()
                              .map(schema::name)
                              .map("`%s`"::formatted)
                              .collect(Collectors.joining(", "))));
    }
    int value = values.getFirst();
    Values.problem(schema.type(value))
        .ifPresent(
            problem -> {
              throw wrong(
                  table,
                  "column `%s` is %s, but %s"
                      .formatted(schema.name(value), schema.type(value), problem));
            });
    return new TableShape(schema, value, placeholders, table.metadata());
  }

  private static void checkMetadata(TableDescriptor table, int column, String key) {
    Type declared = java.util.Objects.requireNonNull(METADATA.get(key));
    Kind kind = table.schema().type(column).kind();
    if (kind != declared.kind()) {
      throw wrong(
          table,
          "column `%s` is %s, but METADATA FROM '%s' is %s"
              .formatted(table.schema().name(column), table.schema().type(column), key, declared));
    }
  }

  private static ConnectorException wrong(TableDescriptor table, String why) {
    return new ConnectorException(
        ConnectorException.Kind.USER, "table %s: %s".formatted(table.name(), why));
  }
}
