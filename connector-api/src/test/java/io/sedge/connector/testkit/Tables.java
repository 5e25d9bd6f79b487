package io.sedge.connector.testkit;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/** Makes table descriptors. */
public final class Tables {
  private Tables() {}

  /** The table {@code readings} with these columns and options. */
  public static TableDescriptor table(Schema schema, Map<String, String> options) {
    return table(schema, Map.of(), options);
  }

  /** The table {@code readings} with metadata columns, by position. */
  public static TableDescriptor table(
      Schema schema, Map<Integer, String> metadata, Map<String, String> options) {
    return new TableDescriptor(
        "readings", schema, metadata, List.of(), List.of(), options, "test.sql:1");
  }

  /** The table {@code readings}, PARTITIONED BY these columns. */
  public static TableDescriptor partitioned(
      Schema schema, List<String> partitionKeys, Map<String, String> options) {
    return new TableDescriptor(
        "readings", schema, Map.of(), List.of(), partitionKeys, options, "test.sql:1");
  }
}
