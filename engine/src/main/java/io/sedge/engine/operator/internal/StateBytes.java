package io.sedge.engine.operator.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Bytes of state from what writes to a {@link DataOutput}, without its impossible exceptions. */
final class StateBytes {
  private StateBytes() {}

  /** Writes something. */
  @FunctionalInterface
  interface Writing {
    void to(DataOutput output) throws IOException;
  }

  /** Reads something. */
  @FunctionalInterface
  interface Reading<T> {
    T from(DataInput input) throws IOException;
  }

  static byte[] of(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    try {
      writing.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads bytes of state.
   *
   * @throws UncheckedIOException if they are not what they should be
   */
  static <T> T read(byte[] bytes, Reading<T> reading) {
    try {
      return reading.from(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "an entry of state of %d bytes does not fit its operator".formatted(bytes.length), e);
    }
  }
}
