package io.sedge.connector.mqtt.testkit;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tables of the connector under test. */
public final class Tables {
  private Tables() {}

  public static final Schema READINGS =
      Schema.builder()
          .add("zone", Type.STRING)
          .add("machine", Type.STRING)
          .add("number", Type.BIGINT)
          .build();

  /** A table of readings, {@code plant/{zone}/{machine}} with a number as payload. */
  public static TableDescriptor readings(String url, String... options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("url", url);
    all.put("topic", "plant/{zone}/{machine}");
    all.put("format", "plain");
    all.put("reconnect.min-delay", "20 ms");
    all.put("reconnect.max-delay", "200 ms");
    return table(READINGS, Map.of(), all, options);
  }

  public static TableDescriptor table(
      Schema schema, Map<Integer, String> metadata, Map<String, String> base, String... options) {
    Map<String, String> all = new LinkedHashMap<>(base);
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new TableDescriptor(
        "readings", schema, metadata, List.of(), List.of(), all, "plant.sql:3");
  }
}
