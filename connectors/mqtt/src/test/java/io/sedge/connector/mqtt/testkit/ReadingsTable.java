package io.sedge.connector.mqtt.testkit;

import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Tables;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/** The table of most tests: {@code plant/{zone}/{machine}} with a number as payload. */
public final class ReadingsTable {
  public static final Schema SCHEMA =
      Schema.builder()
          .add("zone", Type.STRING)
          .add("machine", Type.STRING)
          .add("number", Type.BIGINT)
          .build();

  private ReadingsTable() {}

  /** The table at a broker; more options, or others, are given as names and values in turn. */
  public static TableDescriptor at(String url, String... options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("url", url);
    all.put("topic", "plant/{zone}/{machine}");
    all.put("format", "csv");
    all.put("reconnect.min-delay", "20 ms");
    all.put("reconnect.max-delay", "200 ms");
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return Tables.table(SCHEMA, all);
  }
}
