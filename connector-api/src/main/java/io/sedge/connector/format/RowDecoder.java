package io.sedge.connector.format;

import io.sedge.engine.column.BatchBuilder;

/** Decodes payloads into the columns of a builder. */
public interface RowDecoder {
  /**
   * Decodes one row into the builder, without ending the row. After an exception the builder's row
   * is unfinished: the caller discards it.
   *
   * @throws MalformedPayloadException if the bytes are not what the format and schema say
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
