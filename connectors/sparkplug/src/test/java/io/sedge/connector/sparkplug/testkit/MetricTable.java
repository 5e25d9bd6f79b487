package io.sedge.connector.sparkplug.testkit;

import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.HashMap;
import java.util.Map;

/** The table of the tests: a row for each value. */
public final class MetricTable {
  private MetricTable() {}

  /** Columns edge node, device, metric, value; with more options, as key and value in turn. */
  public static TableDescriptor at(String url, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("url", url));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return Tables.table(
        Schema.builder()
            .add("node", Type.STRING)
            .add("device", Type.STRING)
            .add("metric", Type.STRING)
            .add("value", Type.DOUBLE)
            .build(),
        Map.of(0, "edge_node_id", 1, "device_id", 2, "name"),
        all);
  }
}
