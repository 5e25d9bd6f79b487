package io.sedge.connector.http.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Where polling stands.
 *
 * @param micros when the server was last asked with success; 0 if never
 * @param validators of the version whose rows are counted
 */
record PollPosition(long micros, Validators validators) {
  static final PollPosition START = new PollPosition(0, Validators.NONE);

  private static final int VERSION = 1;

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeByte(VERSION);
      output.writeLong(micros);
      output.writeUTF(validators.etag());
      output.writeUTF(validators.lastModified());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads one back.
   *
   * @throws IllegalArgumentException if it is none
   */
  static PollPosition parse(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (input.readByte() == VERSION) {
        return new PollPosition(input.readLong(), new Validators(input.readUTF(), input.readUTF()));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not a position of the http connector", e);
    }
    throw new IllegalArgumentException("not a position of the http connector");
  }
}
