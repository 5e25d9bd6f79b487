package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes records of rows. One thread. */
final class RowWriter {
  private static final byte[] NO_KEY = {};

  private final Optional<RowEncoder> keys;
  private final RowEncoder values;
  private final int timeColumn;
  private final boolean upsert;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

  /**
   * @param upsert whether the last row of each key is enough
   */
  RowWriter(Columns columns, ConnectorContext context, boolean upsert) {
    this.keys = columns.keyEncoder(context);
    this.values = columns.valueEncoder(context);
    this.timeColumn = columns.metadata(Metadata.TIMESTAMP.key());
    this.upsert = upsert;
  }

  /** Connects what encodes. */
  void open(String table, ConnectorContext context) {
    keys.ifPresent(encoder -> encoder.open(table, context));
    values.open(table, context);
  }

  /** The records of a batch, in order. */
  List<Parcel> parcels(Batch batch) {
    if (upsert) {
      return lastOfEachKey(batch);
    }
    List<Parcel> parcels = new ArrayList<>(batch.rows());
    for (int row = 0; row < batch.rows(); row++) {
      parcels.add(new Parcel(key(batch, row), value(batch, row), timestamp(batch, row)));
    }
    return parcels;
  }

  private List<Parcel> lastOfEachKey(Batch batch) {
    Map<ByteBuffer, Integer> last = new LinkedHashMap<>();
    for (int row = 0; row < batch.rows(); row++) {
      byte[] key = key(batch, row);
      ByteBuffer its = ByteBuffer.wrap(key == null ? NO_KEY : key);
      last.remove(its); // So that the rows stay in their order.
      last.put(its, row);
    }
    List<Parcel> parcels = new ArrayList<>(last.size());
    for (int row : last.values()) {
      byte[] value =
          switch (batch.change(row)) {
            case INSERT, UPDATE_AFTER -> value(batch, row);
            case UPDATE_BEFORE, DELETE -> null;
          };
      parcels.add(new Parcel(key(batch, row), value, timestamp(batch, row)));
    }
    return parcels;
  }

  private byte @Nullable [] key(Batch batch, int row) {
    return keys.isEmpty() ? null : encoded(keys.get(), batch, row);
  }

  private byte[] value(Batch batch, int row) {
    return encoded(values, batch, row);
  }

  private byte[] encoded(RowEncoder encoder, Batch batch, int row) {
    buffer.reset();
    encoder.encode(batch, row, buffer);
    return buffer.toByteArray();
  }

  private @Nullable Long timestamp(Batch batch, int row) {
    Long micros = timeColumn < 0 ? null : ((LongColumn) batch.column(timeColumn)).value(row);
    return micros == null ? null : (Long) Math.max(0, Math.floorDiv(micros, 1_000L));
  }
}
