package io.sedge.connector;

import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/**
 * A table as a connector sees it.
 *
 * @param name of the table in the script
 * @param schema the columns that the connector reads or writes: physical ones, then metadata ones
 * @param metadata for each metadata column its position in {@code schema} and the connector's key
 *     for it ({@code timestamp METADATA FROM 'ts'})
 * @param primaryKey the columns of PRIMARY KEY (… NOT ENFORCED), or empty
 * @param partitionKeys the columns of PARTITIONED BY, or empty
 * @param options what stands in WITH (…), less {@code connector}
 * @param location where it is declared, for messages: {@code plant.sql:3}
 */
public record TableDescriptor(
    String name,
    Schema schema,
    Map<Integer, String> metadata,
    List<Integer> primaryKey,
    List<String> partitionKeys,
    Map<String, String> options,
    String location) {
  public TableDescriptor {
    metadata = Map.copyOf(metadata);
    primaryKey = List.copyOf(primaryKey);
    partitionKeys = List.copyOf(partitionKeys);
    options = Map.copyOf(options);
  }

  /** The same table with other options. */
  public TableDescriptor withOptions(Map<String, String> others) {
    return new TableDescriptor(name, schema, metadata, primaryKey, partitionKeys, others, location);
  }
}
