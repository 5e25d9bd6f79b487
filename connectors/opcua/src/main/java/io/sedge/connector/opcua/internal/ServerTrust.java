package io.sedge.connector.opcua.internal;

import io.sedge.connector.Reports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.util.validation.CertificateValidationUtil;

/**
 * Tells whether a server may be talked to. One whose fingerprint the table names is: that is the
 * very server that somebody has looked at, so its dates and names are only warned of. One that a
 * directory of certificates vouches for must also be within its dates and have the host's name.
 */
final class ServerTrust {
  private final SecuritySettings settings;
  private final Reports reports;
  private String lastWarning = "";

  ServerTrust(SecuritySettings settings, Reports reports) {
    this.settings = settings;
    this.reports = reports;
  }

  /**
   * Returns if the server may be talked to.
   *
   * @param chain its certificate, then who has signed it
   * @param host as the table names it
   * @param now by the wall clock
   */
  void check(List<X509Certificate> chain, String host, Instant now) throws ConnectorRefusal {
    X509Certificate certificate = chain.getFirst();
    String fingerprint = fingerprint(certificate);
    String wrong = wrong(certificate, host, now);
    if (settings.fingerprints().contains(fingerprint)) {
      if (!wrong.isEmpty() && !wrong.equals(lastWarning)) {
        lastWarning = wrong;
        reports.warn(wrong + "; it is trusted all the same, by 'server.fingerprint'");
      }
      return;
    }
    String shown =
        "%s, SHA-256 fingerprint %s".formatted(certificate.getSubjectX500Principal(), fingerprint);
    if (!settings.fingerprints().isEmpty() && settings.directory().isEmpty()) {
      throw new ConnectorRefusal(
          ("the server has another certificate than 'server.fingerprint' says: %s. If it was made"
                  + " anew, compare that with what the server shows and write it instead; else"
                  + " somebody may be in between")
              .formatted(shown));
    }
    if (settings.directory().isEmpty() || !isVouchedFor(chain, settings.directory().get())) {
      throw new ConnectorRefusal(
          ("the server's certificate is not trusted: %s. Compare that with what the server shows;"
                  + " if it is the same, write 'server.fingerprint' = '%s'%s")
              .formatted(
                  shown,
                  fingerprint,
                  settings
                      .directory()
                      .map(", or put the certificate into %s"::formatted)
                      .orElse("")));
    }
    if (!wrong.isEmpty()) {
      throw new ConnectorRefusal(
          wrong
              + ". Have it made anew on the server, or trust just this one: 'server.fingerprint' = '%s'"
                  .formatted(fingerprint));
    }
  }

  /** What is wrong with a certificate whoever has signed it; empty if nothing is. */
  private static String wrong(X509Certificate certificate, String host, Instant now) {
    try {
      certificate.checkValidity(Date.from(now));
    } catch (CertificateExpiredException e) {
      return "the server's certificate ended at %s, and here it is %s"
          .formatted(certificate.getNotAfter().toInstant(), now);
    } catch (CertificateNotYetValidException e) {
      return "the server's certificate begins at %s, and here it is %s: look at this device's clock"
          .formatted(certificate.getNotBefore().toInstant(), now);
    }
    try {
      CertificateValidationUtil.checkHostnameOrIpAddress(certificate, host);
    } catch (UaException e) {
      return "the server's certificate is not for the host '%s' of 'url'%s"
          .formatted(host, names(certificate));
    }
    return "";
  }

  private static String names(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      List<String> hosts = new ArrayList<>();
      for (List<?> name : names == null ? List.<List<?>>of() : names) {
        if (name.getFirst().equals(2) || name.getFirst().equals(7)) {
          hosts.add(String.valueOf(name.get(1)));
        }
      }
      return hosts.isEmpty() ? ", but for none" : ", but for " + String.join(", ", hosts);
    } catch (GeneralSecurityException e) {
      return "";
    }
  }

  private static boolean isVouchedFor(List<X509Certificate> chain, Path directory)
      throws ConnectorRefusal {
    List<X509Certificate> trusted = certificates(directory);
    if (trusted.contains(chain.getFirst())) {
      return true;
    }
    try {
      var _ = CertificateValidationUtil.buildTrustedCertPath(chain, trusted, List.of());
      return true;
    } catch (UaException e) {
      return false;
    }
  }

  private static List<X509Certificate> certificates(Path directory) throws ConnectorRefusal {
    List<X509Certificate> certificates = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "*.{pem,crt,cer,der,PEM,CRT,CER,DER}")) {
      for (Path file : files) {
        try (InputStream input = Files.newInputStream(file)) {
          CertificateFactory.getInstance("X.509")
              .generateCertificates(input)
              .forEach(certificate -> certificates.add((X509Certificate) certificate));
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new ConnectorRefusal(
          "'server.certificates' = '%s' cannot be read: %s".formatted(directory, e), e);
    }
    return certificates;
  }

  static String fingerprint(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }
}
