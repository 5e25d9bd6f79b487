package io.sedge.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * Keys (EC, P-256, where nothing else is said) and certificates as text, as OpenSSL writes them.
 */
final class Pem {
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final int LINE = 64;

  private Pem() {}

  static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** Writes both keys into one file. */
  static void write(Path file, KeyPair keys) throws IOException {
    SecretFiles.write(
        file,
        block(PRIVATE, keys.getPrivate().getEncoded())
            + block(PUBLIC, keys.getPublic().getEncoded()));
  }

  static void write(Path file, X509Certificate certificate)
      throws IOException, GeneralSecurityException {
    SecretFiles.write(file, block(CERTIFICATE, certificate.getEncoded()));
  }

  static KeyPair readKeys(Path file) throws IOException, GeneralSecurityException {
    return readKeys(file, "EC");
  }

  static KeyPair readKeys(Path file, String algorithm)
      throws IOException, GeneralSecurityException {
    String text = Files.readString(file);
    KeyFactory factory = KeyFactory.getInstance(algorithm);
    PrivateKey own = factory.generatePrivate(new PKCS8EncodedKeySpec(bytes(text, PRIVATE, file)));
    PublicKey shown = factory.generatePublic(new X509EncodedKeySpec(bytes(text, PUBLIC, file)));
    return new KeyPair(shown, own);
  }

  static PrivateKey privateKey(byte[] encoded) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }

  static X509Certificate readCertificate(Path file) throws IOException, GeneralSecurityException {
    return certificate(bytes(Files.readString(file), CERTIFICATE, file));
  }

  static X509Certificate certificate(byte[] encoded) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static String block(String type, byte[] bytes) {
    String body =
        Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, body, type);
  }

  private static byte[] bytes(String text, String type, Path file) throws GeneralSecurityException {
    String begin = "-----BEGIN %s-----".formatted(type);
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END %s-----".formatted(type));
    if (from < 0 || to < from) {
      throw new GeneralSecurityException(
          "%s has no %s".formatted(file, type.toLowerCase(java.util.Locale.ROOT)));
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("%s is damaged".formatted(file), e);
    }
  }
}
