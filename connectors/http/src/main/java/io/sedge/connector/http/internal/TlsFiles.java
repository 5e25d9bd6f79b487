package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.PemFiles;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of one end of a connection. They are read for each connection that is opened, so
 * that renewed ones count. A file may be amid its renewal then: so what could be used once goes on
 * to be used until others can. Any thread; blocks.
 */
final class TlsFiles {
  /**
   * A certificate and its key.
   *
   * @param chain the file of the certificates
   */
  record Own(Path chain, Path key) {}

  private final ConnectorContext context;
  private final PemFiles files;
  private final Optional<Path> authorities;
  private final Optional<Own> own;
  private @Nullable SSLContext last;
  private boolean said;

  /**
   * @param authorities that may vouch for the other end; empty: those of the JDK
   * @param own the certificate chain of this end, if it has one
   */
  TlsFiles(String table, ConnectorContext context, Optional<Path> authorities, Optional<Own> own) {
    this.context = context;
    this.files = new PemFiles(table, context);
    this.authorities = authorities;
    this.own = own;
  }

  Optional<Path> authorities() {
    return authorities;
  }

  /**
   * Returns if the files may be read; they need not be there yet.
   *
   * @throws ConnectorException of kind USER if one may not
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
   * What they hold now, or else what they held when they could be used.
   *
   * @throws ConnectorException of kind USER if one could never be used
   */
  synchronized SSLContext context() {
    SSLContext known = last;
    try {
      known = read();
      said = false;
    } catch (ConnectorException e) {
      if (known == null) {
        throw e;
      }
      if (!said) {
        said = true;
        context.report(
            Severity.WARNING,
            "%s; what it held before is used on".formatted(String.valueOf(e.getMessage())));
      }
    }
    last = known;
    return known;
  }

  private SSLContext read() {
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
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(keys, trust, null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw Failures.external("TLS cannot be used: " + e, e);
    }
  }
}
