package io.sedge.connector.format;

import io.sedge.engine.column.Batch;
import java.io.ByteArrayOutputStream;

/** Encodes rows as payloads. */
public interface RowEncoder {
  /** Appends the payload of a row, without a line end. */
  void encode(Batch batch, int row, ByteArrayOutputStream output);
}
