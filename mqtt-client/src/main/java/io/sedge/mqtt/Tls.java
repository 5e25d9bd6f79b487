package io.sedge.mqtt;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads PEM files for TLS. The JDK checks certificates and host names as for HTTPS. */
final class Tls {
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  /** For key stores that never leave this process. */
  private static final char[] NO_PASSWORD = new char[0];

  private final String table;
  private final Path directory;

  /**
   * @param directory that relative paths are relative to
   */
  Tls(String table, Path directory) {
    this.table = table;
    this.directory = directory;
  }

  /**
   * What the client needs to connect.
   *
   * @throws ConnectorException of kind USER if a file cannot be used
   */
  MqttClientSslConfig configuration(TlsSettings settings, Duration timeout) {
    var builder =
        MqttClientSslConfig.builder().handshakeTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    Path authorities = settings.authorities();
    if (authorities != null) {
      builder = builder.trustManagerFactory(trust(authorities));
    }
    Path certificate = settings.certificate();
    Path key = settings.key();
    if (certificate != null && key != null) {
      builder = builder.keyManagerFactory(identity(certificate, key));
    }
    return builder.build();
  }

  private TrustManagerFactory trust(Path file) {
    try {
      KeyStore store = emptyStore();
      int count = 0;
      for (Certificate certificate : certificates("tls.ca", file)) {
        store.setCertificateEntry("authority" + count++, certificate);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw wrong("tls.ca", file, e.toString(), e);
    }
  }

  private KeyManagerFactory identity(Path certificate, Path key) {
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry(
          "client",
          privateKey(key),
          NO_PASSWORD,
          certificates("tls.certificate", certificate).toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw wrong("tls.certificate", certificate, e.toString(), e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private Collection<? extends Certificate> certificates(String option, Path file) {
    try (InputStream input = Files.newInputStream(directory.resolve(file))) {
      Collection<? extends Certificate> found =
          new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(input));
      if (found.isEmpty()) {
        throw wrong(option, file, "has no certificate in PEM form", null);
      }
      return found;
    } catch (IOException e) {
      throw wrong(option, file, "cannot be read: " + e, e);
    } catch (CertificateException e) {
      throw wrong(option, file, "is not a certificate in PEM form: " + e.getMessage(), e);
    }
  }

  private PrivateKey privateKey(Path file) {
    String pem;
    try {
      pem = Files.readString(directory.resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw wrong("tls.key", file, "cannot be read: " + e, e);
    }
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw wrong(
          "tls.key",
          file,
          "is not a private key in PKCS #8 without a password; make one of it with: openssl pkcs8"
              + " -topk8 -nocrypt -in OLD -out NEW",
          null);
    }
    try {
      byte[] encoded =
          Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end).strip());
      return decoded(new PKCS8EncodedKeySpec(encoded));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw wrong("tls.key", file, "is not a key of RSA, EC or EdDSA: " + e.getMessage(), e);
    }
  }

  private static PrivateKey decoded(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
    InvalidKeySpecException last = new InvalidKeySpecException("no algorithm");
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        last = e;
      }
    }
    throw last;
  }

  private ConnectorException wrong(
      String option, Path file, String why, @Nullable Throwable cause) {
    String message = "table %s: '%s' = '%s' %s".formatted(table, option, file, why);
    return cause == null
        ? new ConnectorException(ConnectorException.Kind.USER, message)
        : new ConnectorException(ConnectorException.Kind.USER, message, cause);
  }
}
