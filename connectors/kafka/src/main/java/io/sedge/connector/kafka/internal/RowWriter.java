package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.format.PayloadWriter;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes records of rows. One thread. */
final class RowWriter {
  private final Optional<PayloadWriter> keys;
  private final PayloadWriter values;
  private final int timeColumn;
  private final boolean upsert;

  /**
   * @param upsert whether the last row of each key is enough
   */
  RowWriter(Columns columns, ConnectorContext context, boolean upsert) {
    this.keys =
        columns
            .keyEncoder(context)
            .map(encoder -> new PayloadWriter(columns.table(), encoder, context));
    this.values = new PayloadWriter(columns.table(), columns.valueEncoder(context), context);
    this.timeColumn = columns.metadata(Metadata.TIMESTAMP.key());
    this.upsert = upsert;
    if (upsert && keys.isEmpty()) {
      throw new IllegalArgumentException("an upsert without a key");
    }
  }

  /** Connects what encodes. */
  void open() {
    keys.ifPresent(PayloadWriter::open);
    values.open();
  }

  /** The records of a batch, in order. */
  List<Parcel> parcels(NumberedBatch numbered) {
    if (upsert) {
      return lastOfEachKey(numbered);
    }
    List<Parcel> parcels = new ArrayList<>(numbered.batch().rows());
    for (int row = 0; row < numbered.batch().rows(); row++) {
      Optional<byte[]> key = key(numbered, row);
      if (keys.isEmpty() || key.isPresent()) {
        add(parcels, numbered, row, key.orElse(null));
      }
    }
    return parcels;
  }

  private Optional<byte[]> key(NumberedBatch numbered, int row) {
    return keys.flatMap(writer -> writer.payload(numbered, row));
  }

  private void add(List<Parcel> parcels, NumberedBatch numbered, int row, byte @Nullable [] key) {
    values
        .payload(numbered, row)
        .ifPresent(value -> parcels.add(new Parcel(key, value, timestamp(numbered.batch(), row))));
  }

  /** Of each key the last row that can be written, in the order of the rows. */
  private List<Parcel> lastOfEachKey(NumberedBatch numbered) {
    Batch batch = numbered.batch();
    List<Parcel> parcels = new ArrayList<>();
    Set<ByteBuffer> done = new HashSet<>();
    for (int row = batch.rows() - 1; row >= 0; row--) {
      Optional<byte[]> key = key(numbered, row);
      if (key.isEmpty() || done.contains(ByteBuffer.wrap(key.get()))) {
        continue;
      }
      int before = parcels.size();
      switch (batch.change(row)) {
        case INSERT, UPDATE_AFTER -> add(parcels, numbered, row, key.get());
        case UPDATE_BEFORE, DELETE ->
            parcels.add(new Parcel(key.get(), null, timestamp(batch, row)));
      }
      if (parcels.size() > before) {
        done.add(ByteBuffer.wrap(key.get()));
      }
    }
    return parcels.reversed();
  }

  private @Nullable Long timestamp(Batch batch, int row) {
    Long micros = timeColumn < 0 ? null : ((LongColumn) batch.column(timeColumn)).value(row);
    return micros == null ? null : (Long) Math.max(0, Math.floorDiv(micros, 1_000L));
  }
}
