package io.sedge.format.binaryjson.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.sedge.connector.format.MalformedPayloadException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Optional;

/** A way to write JSON's values in binary. One thread. */
public interface Dialect {
  /**
   * Reads a payload. Takes no more memory than some times its size, whatever lengths it claims.
   *
   * @throws MalformedPayloadException if it claims more than is there
   */
  JsonParser parser(byte[] payload, int offset, int length)
      throws IOException, MalformedPayloadException;

  /** Whether nothing follows the value that a parser has read. */
  boolean isAtEnd(JsonParser parser) throws IOException;

  /** Writes a payload. */
  JsonGenerator generator(OutputStream output) throws IOException;

  /** The time that the value is which a parser is at, if it is marked as one. */
  Optional<Instant> time(JsonParser parser) throws IOException;
}
