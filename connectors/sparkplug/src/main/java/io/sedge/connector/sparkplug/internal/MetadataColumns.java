package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.sparkplug.internal.RowWriter.Origin;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills the metadata columns of rows. One thread. */
final class MetadataColumns {
  private final Schema schema;
  private final int[] columns;
  private final String[] keys;

  /**
   * What one row says beside its values.
   *
   * @param datatype null if the row is of a message
   */
  record Facts(
      String name,
      @Nullable String datatype,
      int quality,
      boolean isNull,
      boolean isHistorical,
      long micros) {}

  MetadataColumns(Schema schema, Map<Integer, String> metadata) {
    this.schema = schema;
    this.columns = metadata.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    this.keys = new String[columns.length];
    for (int i = 0; i < columns.length; i++) {
      keys[i] = metadata.get(columns[i]);
    }
  }

  void add(BatchBuilder rows, Origin origin, Facts facts) {
    for (int i = 0; i < columns.length; i++) {
      ColumnBuilder column = rows.column(columns[i]);
      Type type = schema.type(columns[i]);
      NodeTopic topic = origin.topic();
      switch (keys[i]) {
        case SparkplugTables.GROUP -> column.addString(topic.group());
        case SparkplugTables.NODE -> column.addString(topic.node());
        case SparkplugTables.DEVICE -> {
          if (topic.device().isEmpty()) {
            column.addNull();
          } else {
            column.addString(topic.device());
          }
        }
        case SparkplugTables.NAME -> column.addString(facts.name());
        case SparkplugTables.DATATYPE -> column.add(facts.datatype());
        case SparkplugTables.QUALITY -> column.addInt(facts.quality());
        case SparkplugTables.IS_NULL -> column.addBoolean(facts.isNull());
        case SparkplugTables.IS_HISTORICAL -> column.addBoolean(facts.isHistorical());
        case SparkplugTables.MESSAGE_TYPE -> column.addString(topic.type().name());
        case SparkplugTables.SEQ -> {
          if (origin.seq() == Payloads.NO_SEQ) {
            column.addNull();
          } else {
            column.addInt(origin.seq());
          }
        }
        case SparkplugTables.TIMESTAMP -> column.addLong(Values.cut(facts.micros(), type));
        default -> column.addLong(Values.cut(origin.arrivalMicros(), type));
      }
    }
  }

  /** The time of a value: its own, else that of its message, else that of its arrival. */
  static long micros(Origin origin, long own) {
    if (own != Payloads.NO_TIME) {
      return own;
    }
    return origin.micros() == Payloads.NO_TIME ? origin.arrivalMicros() : origin.micros();
  }
}
