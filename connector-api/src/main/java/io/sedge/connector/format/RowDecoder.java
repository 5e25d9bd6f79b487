package io.sedge.connector.format;

import io.sedge.connector.ConnectorContext;
import io.sedge.engine.column.BatchBuilder;

/** Decodes payloads into the columns of a builder. */
public interface RowDecoder {
  /**
   * Called once, where a table is opened, before anything is decoded: a format that asks a server
   * is connected here. Until then nothing is.
   *
   * @param table its name, for messages
   * @throws io.sedge.connector.ConnectorException if what it needs cannot be used
   */
  default void open(String table, ConnectorContext context) {}

  /**
   * Whether the payload can be decoded now. If not, what it needs is fetched meanwhile, and the
   * context is woken up when it is there. Who does not ask waits in {@link #decode}.
   */
  default boolean isReady(byte[] payload, int offset, int length) {
    return true;
  }

  /**
   * Decodes one row into the builder, without ending the row. After an exception the builder's row
   * is unfinished: the caller discards it.
   *
   * @throws MalformedPayloadException if the bytes are not what the format and schema say
   * @throws io.sedge.connector.ConnectorException of kind EXTERNAL if a server that the format asks
   *     has not answered for half a minute
   */
  void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException;

  /** Whether a file of this format begins with a record that is for {@link #header}. */
  default boolean expectsHeader() {
    return false;
  }

  /**
   * Takes the first record of a file, which says what the records after it hold. What it says holds
   * until the next header.
   *
   * @throws MalformedPayloadException if the file cannot be read with this header
   */
  default void header(byte[] payload, int offset, int length) throws MalformedPayloadException {}
}
