package io.sedge.connector;

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
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the PEM files that the options of a table name for TLS. What cannot be used is thrown as a
 * {@link ConnectorException} of kind USER that names table, option and file. Any thread; blocks.
 */
public final class PemFiles {
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  /** For key stores that never leave this process. */
  private static final char[] NO_PASSWORD = new char[0];

  private final String table;
  private final ConnectorContext context;

  public PemFiles(String table, ConnectorContext context) {
    this.table = table;
    this.context = context;
  }

  /**
   * Trusts the authorities of a file, and no others.
   *
   * @param option that names the file
   */
  public TrustManagerFactory trust(String option, Path file) {
    try {
      KeyStore store = emptyStore();
      int count = 0;
      for (Certificate certificate : certificates(option, file)) {
        store.setCertificateEntry("authority" + count++, certificate);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw wrong(option, file, e.toString(), e);
    }
  }

  /**
   * Has a certificate chain and its key.
   *
   * @param option that names the certificates
   * @param keyOption that names the key, in PKCS #8 without a password
   */
  public KeyManagerFactory identity(String option, Path certificate, String keyOption, Path key) {
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry(
          "own",
          privateKey(keyOption, key),
          NO_PASSWORD,
          certificates(option, certificate).toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw wrong(option, certificate, e.toString(), e);
    }
  }

  /**
   * Returns if a file may be read; it need not be there yet.
   *
   * @param option that names it
   */
  public void check(String option, Path file) {
    var _ = allowed(option, file);
  }

  private Path allowed(String option, Path file) {
    Path path = context.directory().resolve(file);
    context.files().check("table %s: '%s'".formatted(table, option), path, FileAccess.Use.READ);
    return path;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private Collection<? extends Certificate> certificates(String option, Path file) {
    try (InputStream input = Files.newInputStream(allowed(option, file))) {
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

  private PrivateKey privateKey(String option, Path file) {
    String pem;
    try {
      pem = Files.readString(allowed(option, file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw wrong(option, file, "cannot be read: " + e, e);
    }
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw wrong(
          option,
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
      throw wrong(option, file, "is not a key of RSA, EC or EdDSA: " + e.getMessage(), e);
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
