package io.sedge.connector.alarm;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;

/** A table of machines. */
final class TestTable {
  static final Schema SCHEMA =
      Schema.builder()
          .add("machine", Type.STRING)
          .add("v", Type.DOUBLE)
          .add("bad", Type.BOOLEAN)
          .add("text", Type.STRING)
          .add("ts", Type.timestamp(3))
          .build();

  private TestTable() {}

  static TableDescriptor with(Map<String, String> options) {
    return with(options, List.of(0));
  }

  static TableDescriptor with(Map<String, String> options, List<Integer> keys) {
    return new TableDescriptor("hot", SCHEMA, Map.of(), keys, List.of(), options, "plant.sql:3");
  }
}
