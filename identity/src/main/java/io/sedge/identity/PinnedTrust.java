package io.sedge.identity;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts whoever shows a certificate of the authority with one fingerprint, and of the host that
 * was meant, whatever the clock says: the newcomer's may be wrong, which it is then told.
 */
public final class PinnedTrust extends X509ExtendedTrustManager {
  private final byte[] fingerprint;
  private final InstantSource clock;

  /**
   * @param fingerprint the SHA-256 of the authority's certificate, as a {@link TokenText} has it
   */
  public PinnedTrust(byte[] fingerprint, InstantSource clock) {
    this.fingerprint = fingerprint;
    this.clock = clock;
  }

  private PeerTrust trust(X509Certificate[] chain) throws CertificateException {
    X509Certificate authority = chain[chain.length - 1];
    if (!Arrays.equals(Fingerprint.sha256(authority.getEncoded()), fingerprint)) {
      throw new CertificateException(
          "the token is of another site or center (its authority has another fingerprint)");
    }
    return new PeerTrust(authority, clock, () -> chain[0].getNotBefore().toInstant())
        .forEnrolment();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust(chain).checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust(chain).checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("not without the host that was meant");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("nobody connects to a newcomer");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("nobody connects to a newcomer");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("nobody connects to a newcomer");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
