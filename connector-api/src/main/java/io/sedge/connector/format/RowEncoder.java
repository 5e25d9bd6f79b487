package io.sedge.connector.format;

import io.sedge.connector.ConnectorContext;
import io.sedge.engine.column.Batch;
import java.io.ByteArrayOutputStream;

/** Encodes rows as payloads. */
public interface RowEncoder {
  /**
   * Called once, where a table is opened, before anything is encoded: a format that asks a server
   * does so here, and may wait for half a minute.
   *
   * @param table its name, for messages
   * @throws io.sedge.connector.ConnectorException if what it needs cannot be used
   */
  default void open(String table, ConnectorContext context) {}

  /**
   * Appends the payload of a row, without a line end.
   *
   * @throws MalformedRowException if the format cannot hold the row; what was appended by then is
   *     of no use
   */
  void encode(Batch batch, int row, ByteArrayOutputStream output) throws MalformedRowException;
}
