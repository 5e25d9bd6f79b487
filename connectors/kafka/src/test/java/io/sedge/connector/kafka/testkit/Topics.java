package io.sedge.connector.kafka.testkit;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tables over the topics of a broker, and rows read of them. */
public final class Topics {
  private Topics() {}

  /** The options that every table needs, and others. */
  public static Map<String, String> options(
      Broker broker, String topic, Map<String, String> others) {
    Map<String, String> options = new HashMap<>();
    options.put("topic", topic);
    options.put("properties.bootstrap.servers", broker.bootstrap());
    options.put("format", "json");
    options.putAll(others);
    options.values().removeIf(String::isEmpty);
    return options;
  }

  /** The table {@code readings} with a key. */
  public static TableDescriptor table(
      Schema schema,
      Map<Integer, String> metadata,
      List<Integer> key,
      Map<String, String> options) {
    return new TableDescriptor("readings", schema, metadata, key, List.of(), options, "test.sql:1");
  }

  /** Opens a reader of a table. */
  public static SourceReader open(
      ConnectorFactory connector, TableDescriptor table, TestContext context) {
    return connector.source(table, context).map(Source::open).orElseThrow();
  }

  /** Reads so many rows at least, or up to the end. */
  public static List<List<@Nullable Object>> read(SourceReader reader, int atLeast) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    Await.until(
        atLeast + " rows",
        () -> {
          Batch batch = reader.poll(System.nanoTime());
          for (int row = 0; batch != null && row < batch.rows(); row++) {
            rows.add(batch.row(row));
          }
          return rows.size() >= atLeast || reader.finished();
        });
    return rows;
  }
}
