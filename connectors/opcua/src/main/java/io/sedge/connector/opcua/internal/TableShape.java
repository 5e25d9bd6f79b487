package io.sedge.connector.opcua.internal;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.Map;

/**
 * The columns of a table.
 *
 * @param value the one that has the value
 * @param placeholders those that {@code 'nodes'} names, by name
 * @param metadata the key of each column that is metadata
 */
record TableShape(
    Schema schema, int value, Map<String, Integer> placeholders, Map<Integer, String> metadata) {
  TableShape {
    placeholders = Map.copyOf(placeholders);
    metadata = Map.copyOf(metadata);
  }

  Type valueType() {
    return schema.type(value);
  }

  /** The column of a metadata key; -1 if there is none. */
  int of(String key) {
    return metadata.entrySet().stream()
        .filter(entry -> entry.getValue().equals(key))
        .mapToInt(Map.Entry::getKey)
        .findFirst()
        .orElse(-1);
  }

  /** A time cut to what a column holds. */
  static long cut(long micros, Type type) {
    long step = Math.round(Math.pow(10, 6 - type.precision()));
    return micros - Math.floorMod(micros, step);
  }
}
