package io.sedge.uplink;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * A site may report.
 *
 * @param site the name that the center knows it by
 * @param certificate for the key of the request
 * @param authority the certificate that the center's own is signed with
 */
public record EnrolmentAnswer(String site, X509Certificate certificate, X509Certificate authority) {
  /** As it travels: certificates in DER. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeUTF(site);
    try {
      Wire.writeBytes(output, certificate.getEncoded());
      Wire.writeBytes(output, authority.getEncoded());
    } catch (CertificateException e) {
      throw new IOException("a certificate that has no encoding", e);
    }
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
    return new EnrolmentAnswer(
        input.readUTF(), certificate(Wire.readBytes(input)), certificate(Wire.readBytes(input)));
  }

  private static X509Certificate certificate(byte[] encoded) throws IOException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      throw new IOException("a certificate that cannot be read", e);
    }
  }
}
