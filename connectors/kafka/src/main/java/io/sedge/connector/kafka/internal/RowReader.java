package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Makes rows of records. One thread. */
final class RowReader {
  /** A column that is neither in the key nor in the value. */
  private record MetadataColumn(int column, Metadata metadata, Kind kind) {}

  private final Columns columns;
  private final Optional<RowDecoder> keys;
  private final RowDecoder values;
  private final BatchBuilder builder;
  private final List<MetadataColumn> metadata = new ArrayList<>();
  private final boolean needsKey;

  RowReader(Columns columns, ConnectorContext context) {
    TableDescriptor table = columns.table();
    this.columns = columns;
    this.keys = columns.keyDecoder(context);
    this.values = columns.valueDecoder(context);
    this.builder = new BatchBuilder(table.schema());
    this.needsKey =
        columns.key().stream().anyMatch(column -> !table.schema().type(column).nullable());
    table
        .metadata()
        .entrySet()
        .forEach(
            entry ->
                metadata.add(
                    new MetadataColumn(
                        entry.getKey(),
                        Metadata.of(table, entry),
                        table.schema().type(entry.getKey()).kind())));
  }

  /** Connects what decodes. */
  void open(String table, ConnectorContext context) {
    keys.ifPresent(decoder -> decoder.open(table, context));
    values.open(table, context);
  }

  /** Whether a record can be decoded now; if not, the context is woken up when it can. */
  boolean isReady(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    byte[] value = record.value();
    boolean keyReady = keys.isEmpty() || key == null || keys.get().isReady(key, 0, key.length);
    return keyReady && (value == null || values.isReady(value, 0, value.length));
  }

  /**
   * Adds the row of a record.
   *
   * @throws MalformedPayloadException if it has none; then nothing is added
   */
  void add(ConsumerRecord<byte[], byte[]> record) throws MalformedPayloadException {
    byte[] value = record.value();
    if (value == null) {
      throw new MalformedPayloadException(
          "the record has no value (a tombstone), which is a deletion: no source gives updates");
    }
    try {
      addKey(record.key());
      values.decode(value, 0, value.length, builder);
      for (MetadataColumn column : metadata) {
        column.metadata().add(record, builder.column(column.column()), column.kind());
      }
    } catch (MalformedPayloadException e) {
      builder.discardRow();
      throw e;
    }
    builder.endRow();
  }

  private void addKey(byte[] key) throws MalformedPayloadException {
    if (keys.isEmpty()) {
      return;
    }
    if (key != null) {
      keys.get().decode(key, 0, key.length, builder);
    } else if (needsKey) {
      throw new MalformedPayloadException(
          "the record has no key, but a column of the key is NOT NULL: "
              + columns.key().stream().map(columns.table().schema()::name).toList());
    }
  }

  int rows() {
    return builder.rows();
  }

  Batch build() {
    return builder.build();
  }
}
