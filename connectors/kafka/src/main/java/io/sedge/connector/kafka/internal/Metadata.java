package io.sedge.connector.kafka.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a record says besides its key and its value. */
enum Metadata {
  TOPIC("topic"),
  PARTITION("partition"),
  OFFSET("offset"),
  LEADER_EPOCH("leader-epoch"),
  TIMESTAMP("timestamp"),
  TIMESTAMP_TYPE("timestamp-type");

  private final String key;

  Metadata(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  Type type() {
    return switch (this) {
      case TOPIC, TIMESTAMP_TYPE -> Type.STRING.notNull();
      case PARTITION -> Type.INT.notNull();
      case OFFSET -> Type.BIGINT.notNull();
      case LEADER_EPOCH -> Type.INT;
      case TIMESTAMP -> Type.timestampLtz(3).notNull();
    };
  }

  /**
   * The one that a column is of.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if the column cannot hold it
   */
  static Metadata of(TableDescriptor table, Map.Entry<Integer, String> column) {
    for (Metadata metadata : values()) {
      if (metadata.key.equals(column.getValue())) {
        metadata.check(table, column.getKey());
        return metadata;
      }
    }
    throw new IllegalArgumentException("unknown metadata key '%s'".formatted(column.getValue()));
  }

  private void check(TableDescriptor table, int column) {
    Type its = table.schema().type(column);
    boolean fits =
        switch (this) {
          case TOPIC, TIMESTAMP_TYPE -> isText(its);
          case PARTITION, LEADER_EPOCH ->
              isText(its) || its.kind() == Kind.INT || its.kind() == Kind.BIGINT;
          case OFFSET -> isText(its) || its.kind() == Kind.BIGINT;
          case TIMESTAMP -> its.kind() == Kind.TIMESTAMP_LTZ && its.precision() >= 3;
        };
    if (!fits || (this == LEADER_EPOCH && !its.nullable())) {
      throw Failures.user(
          "table %s: column `%s` is %s, but METADATA FROM '%s' is %s"
              .formatted(table.name(), table.schema().name(column), its, key, type()));
    }
  }

  private static boolean isText(Type type) {
    return type.kind() == Kind.VARCHAR && type.precision() == Type.MAX_LENGTH;
  }

  /** Adds its value in a record to a column. */
  void add(ConsumerRecord<byte[], byte[]> record, ColumnBuilder column, Kind kind) {
    switch (this) {
      case TOPIC -> column.addString(record.topic());
      case PARTITION -> addNumber(record.partition(), column, kind);
      case OFFSET -> addNumber(record.offset(), column, kind);
      case LEADER_EPOCH -> {
        if (record.leaderEpoch().isPresent()) {
          addNumber(record.leaderEpoch().get(), column, kind);
        } else {
          column.addNull();
        }
      }
      case TIMESTAMP -> column.addLong(Math.multiplyExact(record.timestamp(), 1_000L));
      case TIMESTAMP_TYPE -> column.addString(record.timestampType().toString());
    }
  }

  private static void addNumber(long number, ColumnBuilder column, Kind kind) {
    switch (kind) {
      case INT -> column.addInt((int) number);
      case BIGINT -> column.addLong(number);
      default -> column.addString(Long.toString(number));
    }
  }
}
