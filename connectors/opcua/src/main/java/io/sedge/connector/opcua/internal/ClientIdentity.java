package io.sedge.connector.opcua.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Period;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.milo.opcua.stack.core.util.CertificateUtil;
import org.eclipse.milo.opcua.stack.core.util.DigestUtil;
import org.eclipse.milo.opcua.stack.core.util.SelfSignedCertificateBuilder;

/**
 * The key and the certificate by which servers know this device. They are made once and kept in the
 * device's directory, since an operator of each server has to accept them.
 *
 * @param applicationUri as the certificate has it
 * @param isNew whether they were made just now
 * @param file where they are kept
 */
record ClientIdentity(
    KeyPair keys, X509Certificate certificate, String applicationUri, boolean isNew, Path file) {
  private static final String NAME = "opc-ua/client.pem";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  /** Nobody renews them but by removing the file. */
  private static final Period VALIDITY = Period.ofYears(20);

  /**
   * Those of a device.
   *
   * @param data the device's directory
   * @throws ConnectorRefusal if they cannot be read or made
   */
  static ClientIdentity of(Path data) throws ConnectorRefusal {
    Path file = data.resolve(NAME);
    try {
      boolean isNew = Files.notExists(file);
      if (isNew) {
        make(file);
      }
      return read(file, isNew);
    } catch (IOException | GeneralSecurityException e) {
      throw new ConnectorRefusal(
          "the client's key and certificate in %s cannot be read or made: %s".formatted(file, e),
          e);
    }
  }

  private static void make(Path file) throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    String host = host();
    X509Certificate certificate;
    try {
      certificate =
          new SelfSignedCertificateBuilder(keys)
              .setCommonName("Sedge on " + host)
              .setOrganization("Sedge")
              .setApplicationUri("urn:sedge:%s:%s".formatted(host, UUID.randomUUID()))
              .addDnsName(host)
              .setValidityPeriod(VALIDITY)
              .build();
    } catch (Exception e) { // That is what the builder declares.
      throw new GeneralSecurityException(e);
    }
    String text =
        pem("PRIVATE KEY", keys.getPrivate().getEncoded())
            + pem("CERTIFICATE", certificate.getEncoded());
    Files.createDirectories(file.getParent());
    Path part =
        Files.createTempFile(
            file.getParent(),
            ".client",
            ".part",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(part, text);
      Files.move(part, file);
    } catch (FileAlreadyExistsException e) {
      // Another table was faster, and its certificate is the device's.
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static String pem(String kind, byte[] bytes) {
    Base64.Encoder encoder = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, encoder.encodeToString(bytes), kind);
  }

  private static ClientIdentity read(Path file, boolean isNew)
      throws IOException, GeneralSecurityException {
    byte[] key = {};
    byte[] encoded = {};
    Matcher blocks = BLOCK.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    while (blocks.find()) {
      byte[] bytes = Base64.getMimeDecoder().decode(blocks.group(2));
      if (blocks.group(1).equals("PRIVATE KEY")) {
        key = bytes;
      } else {
        encoded = bytes;
      }
    }
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(encoded));
    KeyPair keys =
        new KeyPair(
            certificate.getPublicKey(),
            KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key)));
    String uri =
        CertificateUtil.getSanUri(certificate)
            .orElseThrow(() -> new GeneralSecurityException("it has no application URI"));
    return new ClientIdentity(keys, certificate, uri, isNew, file);
  }

  /** The SHA-1 thumbprint, which servers show. */
  String thumbprint() {
    try {
      return HexFormat.of().formatHex(DigestUtil.sha1(certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }
}
