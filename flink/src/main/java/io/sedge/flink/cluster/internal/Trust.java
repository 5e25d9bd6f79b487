package io.sedge.flink.cluster.internal;

import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
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

/** Whose certificates are trusted. */
public final class Trust {
  private Trust() {}

  /**
   * What the certificates in a file, and no others, have signed.
   *
   * @param file PEM
   * @throws JobException FILE_NOT_READABLE
   */
  public static SSLContext in(Path file) throws JobException {
    try (InputStream input = Files.newInputStream(file)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(input)) {
        trusted.setCertificateEntry("authority-" + number++, certificate);
      }
      if (number == 0) {
        throw new GeneralSecurityException("it has no certificate");
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE,
          "--ca=%s cannot be read as certificates in PEM: %s".formatted(file, e),
          e);
    }
  }
}
