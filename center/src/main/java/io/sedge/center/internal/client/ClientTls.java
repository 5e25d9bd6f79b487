package io.sedge.center.internal.client;

import io.sedge.center.CenterException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS that trusts what one authority has signed. */
public final class ClientTls {
  private ClientTls() {}

  /**
   * Trusts the certificates in a file alone.
   *
   * @throws CenterException FILE_NOT_READABLE
   */
  public static SSLContext trusting(Path authority) throws CenterException {
    try (InputStream file = Files.newInputStream(authority)) {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int count = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        trusted.setCertificateEntry("ca-" + count++, certificate);
      }
      if (count == 0) {
        throw new GeneralSecurityException("there is no certificate in it");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (NoSuchFileException e) {
      throw new CenterException(
          FailureCode.FILE_NOT_READABLE, "there is no file %s".formatted(authority), e);
    } catch (IOException | GeneralSecurityException e) {
      throw new CenterException(
          FailureCode.FILE_NOT_READABLE,
          "%s cannot be read as a certificate: %s".formatted(authority, e.getMessage()),
          e);
    }
  }
}
