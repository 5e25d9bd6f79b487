package io.sedge.connector.http.internal;

import io.sedge.connector.PemFiles;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The PEM files of one end of a connection.
 *
 * @param authorities that may vouch for the other end; empty: those of the JDK
 * @param own the certificate chain of this end, if it has one
 */
record TlsFiles(PemFiles files, Optional<Path> authorities, Optional<Own> own) {
  /**
   * A certificate and its key.
   *
   * @param chain the file of the certificates
   */
  record Own(Path chain, Path key) {}

  /**
   * Returns if the files may be read; they need not be there yet.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if one may not
   */
  void check() {
    authorities.ifPresent(file -> files.check(HttpOptions.CA, file));
    own.ifPresent(
        its -> {
          files.check(HttpOptions.CERTIFICATE, its.chain());
          files.check(HttpOptions.KEY, its.key());
        });
  }

  /**
   * Reads them.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if one cannot be used
   */
  SSLContext context() {
    TrustManager[] trust =
        authorities.map(file -> files.trust(HttpOptions.CA, file).getTrustManagers()).orElse(null);
    KeyManager[] keys =
        own.map(
                its ->
                    files
                        .identity(HttpOptions.CERTIFICATE, its.chain(), HttpOptions.KEY, its.key())
                        .getKeyManagers())
            .orElse(null);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw Failures.external("TLS cannot be used: " + e, e);
    }
  }
}
