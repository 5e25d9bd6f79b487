package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A site may report.
 *
 * @param site the name that the center knows it by
 * @param certificate X.509, DER, for the key of the request
 * @param authority the certificate that the center's own is signed with, X.509, DER
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record EnrolmentAnswer(String site, byte[] certificate, byte[] authority) {
  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeUTF(site);
    Wire.writeBytes(output, certificate);
    Wire.writeBytes(output, authority);
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static EnrolmentAnswer read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, EnrolmentAnswer::read);
  }

  private static EnrolmentAnswer read(DataInputStream input) throws IOException {
    return new EnrolmentAnswer(input.readUTF(), Wire.readBytes(input), Wire.readBytes(input));
  }
}
