package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A stream is known.
 *
 * @param id what it is called from now on, also after the center has started anew
 * @param sequence up to which the center has its rows; 0 for none
 */
public record StreamOpened(long id, long sequence) {
  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeLong(id);
    output.writeLong(sequence);
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static StreamOpened read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, StreamOpened::read);
  }

  private static StreamOpened read(DataInputStream input) throws IOException {
    return new StreamOpened(input.readLong(), input.readLong());
  }
}
