package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which columns of a table are in a record's key and which in its value. A column may be in both.
 *
 * @param key those of the key; none if it has no format
 * @param value those of the value
 * @param keySchema the table's, where the columns of the key are named as in the key
 * @param valuePrefix what the options of the value's format begin with: {@code value.} or nothing
 */
record Columns(
    TableDescriptor table,
    List<Integer> key,
    List<Integer> value,
    Schema keySchema,
    String valuePrefix) {
  private static final String KEY_PREFIX = "key.";
  private static final String VALUE_PREFIX = "value.";

  Columns {
    key = List.copyOf(key);
    value = List.copyOf(value);
  }

  /**
   * Those of a table.
   *
   * @param key of a table whose key is its primary key; empty: as the options say
   * @throws io.sedge.connector.ConnectorException of kind USER if the options do not fit
   */
  static Columns of(TableDescriptor table, Options options, Optional<List<Integer>> key) {
    List<Integer> its = key.orElseGet(() -> keyColumns(table, options));
    String prefix = options.find(KafkaOptions.KEY_PREFIX).orElse("");
    boolean exceptKey = options.choice(KafkaOptions.VALUE_FIELDS).equals("EXCEPT_KEY");
    if (!prefix.isEmpty()) {
      checkPrefix(table, options, its, prefix, exceptKey);
    }
    List<Integer> value = new ArrayList<>(Formats.payloadColumns(table));
    if (exceptKey) {
      value.removeAll(its);
    }
    return new Columns(
        table,
        its,
        value,
        keySchema(table.schema(), its, prefix),
        options.has(KafkaOptions.VALUE_FORMAT) ? VALUE_PREFIX : "");
  }

  private static List<Integer> keyColumns(TableDescriptor table, Options options) {
    boolean named = options.has(KafkaOptions.KEY_FIELDS);
    if (named != options.has(KafkaOptions.KEY_FORMAT)) {
      throw options.wrong(
          named ? KafkaOptions.KEY_FIELDS : KafkaOptions.KEY_FORMAT,
          "needs '%s' too".formatted(named ? KafkaOptions.KEY_FORMAT : KafkaOptions.KEY_FIELDS));
    }
    List<Integer> columns = new ArrayList<>();
    if (!named) {
      return columns;
    }
    for (String name : options.string(KafkaOptions.KEY_FIELDS).split(";", -1)) {
      int column = table.schema().indexOf(name.strip());
      if (column < 0 || table.metadata().containsKey(column)) {
        throw options.wrong(
            KafkaOptions.KEY_FIELDS,
            "names '%s', but the columns are %s"
                .formatted(name.strip(), String.join(", ", table.schema().names())));
      }
      if (columns.contains(column)) {
        throw options.wrong(KafkaOptions.KEY_FIELDS, "names '%s' twice".formatted(name.strip()));
      }
      columns.add(column);
    }
    return columns;
  }

  private static void checkPrefix(
      TableDescriptor table, Options options, List<Integer> key, String prefix, boolean exceptKey) {
    if (!exceptKey) {
      throw options.wrong(
          KafkaOptions.KEY_PREFIX,
          "needs '%s' = 'EXCEPT_KEY': the value would have the longer names"
              .formatted(KafkaOptions.VALUE_FIELDS));
    }
    for (int column : key) {
      String name = table.schema().name(column);
      if (!name.startsWith(prefix) || name.equals(prefix)) {
        throw options.wrong(
            KafkaOptions.KEY_PREFIX, "does not begin the name of column `%s`".formatted(name));
      }
    }
  }

  /** Columns that are not in the key get names that no key has, so that none stands twice. */
  private static Schema keySchema(Schema schema, List<Integer> key, String prefix) {
    if (prefix.isEmpty()) {
      return schema;
    }
    Schema.Builder builder = Schema.builder();
    for (int column = 0; column < schema.size(); column++) {
      String name = schema.name(column);
      builder.add(
          key.contains(column) ? name.substring(prefix.length()) : "of the value: " + name,
          schema.type(column));
    }
    return builder.build();
  }

  /** The decoder of keys; empty if the key says nothing that the value does not. */
  Optional<RowDecoder> keyDecoder(ConnectorContext context) {
    return value.containsAll(key)
        ? Optional.empty()
        : Optional.of(context.formats().decoder(table, KEY_PREFIX, keySchema, key));
  }

  RowDecoder valueDecoder(ConnectorContext context) {
    return context.formats().decoder(table, valuePrefix, table.schema(), value);
  }

  /** The encoder of keys; empty if records have none. */
  Optional<RowEncoder> keyEncoder(ConnectorContext context) {
    return key.isEmpty()
        ? Optional.empty()
        : Optional.of(context.formats().encoder(table, KEY_PREFIX, keySchema, key));
  }

  RowEncoder valueEncoder(ConnectorContext context) {
    return context.formats().encoder(table, valuePrefix, table.schema(), value);
  }

  /** Whether values tell what a row does to the result. */
  boolean writesChanges(ConnectorContext context) {
    return context.formats().of(table, valuePrefix).writesChanges();
  }

  /** The position of the column that is METADATA FROM a key; -1 if there is none. */
  int metadata(String name) {
    return table.metadata().entrySet().stream()
        .filter(entry -> entry.getValue().equals(name))
        .mapToInt(java.util.Map.Entry::getKey)
        .findFirst()
        .orElse(-1);
  }
}
