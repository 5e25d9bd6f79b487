package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A site asks to report to a center.
 *
 * @param token as the center made it
 * @param site the name that the site wants; empty for the one that the token is for, or any
 * @param ledger which site it is, whatever its name: the same for all its devices, for ever
 * @param signingRequest PKCS #10, for a key that stays in the site
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record EnrolmentRequest(String token, String site, String ledger, byte[] signingRequest) {
  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeUTF(token);
    output.writeUTF(site);
    output.writeUTF(ledger);
    Wire.writeBytes(output, signingRequest);
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static EnrolmentRequest read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, EnrolmentRequest::read);
  }

  private static EnrolmentRequest read(DataInputStream input) throws IOException {
    return new EnrolmentRequest(
        input.readUTF(), input.readUTF(), input.readUTF(), Wire.readBytes(input));
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "EnrolmentRequest[site=%s, ledger=%s]".formatted(site, ledger);
  }
}
