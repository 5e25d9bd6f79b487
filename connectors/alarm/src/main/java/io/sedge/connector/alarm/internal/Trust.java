package io.sedge.connector.alarm.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Options;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whose certificates are believed: those of the JDK, or of the authorities in a file.
 *
 * @param file null for the JDK's
 */
record Trust(String table, @Nullable Path file, ConnectorContext context) {
  static final String OPTION = "tls.ca";

  static Trust of(String table, Options options, ConnectorContext context) {
    return new Trust(
        table,
        options.find(OPTION).map(path -> context.directory().resolve(path)).orElse(null),
        context);
  }

  /**
   * Reads the file.
   *
   * @throws ConnectorException of kind USER if it may not be read or has no certificates
   */
  SSLContext tls() {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, file == null ? null : authorities(file).getTrustManagers(), null);
      return tls;
    } catch (GeneralSecurityException | IOException e) {
      throw new ConnectorException(
          Kind.USER,
          "table %s: '%s' = '%s' has no certificates in PEM form that can be read: %s"
              .formatted(table, OPTION, file, e),
          e);
    }
  }

  private TrustManagerFactory authorities(Path path) throws GeneralSecurityException, IOException {
    context.files().check("table %s: '%s'".formatted(table, OPTION), path, FileAccess.Use.READ);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream input = Files.newInputStream(path)) {
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
        store.setCertificateEntry("authority" + store.size(), one);
      }
    }
    if (store.size() == 0) {
      throw new IOException("there is none");
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }
}
