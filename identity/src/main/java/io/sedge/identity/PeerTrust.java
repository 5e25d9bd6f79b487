package io.sedge.identity;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in: whoever shows a certificate of the site's authority, is not shut out, and, where
 * this end began the connection, is who it meant to reach. Any thread.
 *
 * <p>A clock that is before the begin of one's own certificate is wrong: certificates are checked
 * as of that begin then, so that a site whose devices have lost their clocks comes back.
 *
 * <p>Connections of TLS 1.3 may be resumed without a look at certificates. That must be off on the
 * side that listens: {@link #FORBID_RESUMPTION}.
 */
public final class PeerTrust extends X509ExtendedTrustManager {
  /** A system property of the JDK that must be "0" before the first use of TLS. */
  public static final String FORBID_RESUMPTION = "jdk.tls.server.newSessionTicketCount";

  /** Who has a certificate and is not wanted any more. */
  @FunctionalInterface
  public interface ShutOut {
    /**
     * @param name in the certificate
     * @param key the fingerprint of its key
     */
    boolean isShutOut(String name, String key);
  }

  private final X509Certificate authority;
  private final InstantSource clock;
  private final Supplier<Instant> earliest;
  private final boolean takesExpired;

  /** Connections that are open, as far as they are engines; guarded by itself. */
  private final Map<SSLEngine, X509Certificate> open;

  private volatile ShutOut shutOut = (_, _) -> false;

  /**
   * @param earliest what the clock certainly is after
   */
  PeerTrust(X509Certificate authority, InstantSource clock, Supplier<Instant> earliest) {
    this(authority, clock, earliest, false);
  }

  private PeerTrust(
      X509Certificate authority,
      InstantSource clock,
      Supplier<Instant> earliest,
      boolean takesExpired) {
    this.authority = authority;
    this.clock = clock;
    this.earliest = earliest;
    this.takesExpired = takesExpired;
    this.open = new WeakHashMap<>();
  }

  /**
   * For who answers each request by itself: takes all certificates of the authority, also those
   * that have ended, whose devices may ask for another, and those of devices that were expelled or
   * removed, which must be told so: the end of a handshake tells them nothing.
   */
  public PeerTrust forEnrolment() {
    return new PeerTrust(authority, clock, earliest, true);
  }

  /** Sets who is refused from now on. */
  public void shutOut(ShutOut rule) {
    shutOut = rule;
  }

  /** Ends connections of those who have been shut out since they came in. */
  public void endConnections() {
    List<SSLEngine> ending = new ArrayList<>();
    synchronized (open) {
      open.entrySet()
          .removeIf(
              entry -> {
                boolean ends = isShutOut(entry.getValue());
                if (ends) {
                  ending.add(entry.getKey());
                }
                return ends;
              });
    }
    ending.forEach(PeerTrust::end);
  }

  private static void end(SSLEngine engine) {
    engine.closeOutbound();
    try {
      engine.closeInbound();
    } catch (SSLException _) {
      // That the other side has not said goodbye: it is not asked.
    }
  }

  private boolean isShutOut(X509Certificate certificate) {
    try {
      return shutOut.isShutOut(
          SigningRequest.commonName(certificate.getSubjectX500Principal()),
          Fingerprint.of(certificate.getPublicKey().getEncoded()));
    } catch (GeneralSecurityException e) {
      return true;
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (isShutOut(chain[0])) {
      throw new CertificateException(
          "%s was expelled from this site, or removed"
              .formatted(chain[0].getSubjectX500Principal().getName()));
    }
  }

  private void remember(X509Certificate certificate, @Nullable SSLEngine engine) {
    if (engine != null) {
      synchronized (open) {
        open.put(engine, certificate);
      }
    }
  }

  /** The JDK's own checks, as of a time. */
  private X509ExtendedTrustManager checks(X509Certificate certificate) throws CertificateException {
    Instant now = clock.instant();
    Instant least = earliest.get();
    Instant at = now.isBefore(least) ? least : now;
    Instant last = certificate.getNotAfter().toInstant();
    if (takesExpired && at.isAfter(last)) {
      at = last;
    }
    try {
      PKIXBuilderParameters parameters =
          new PKIXBuilderParameters(
              Set.of(new TrustAnchor(authority, null)), new X509CertSelector());
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(at));
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(new CertPathTrustManagerParameters(parameters));
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
      throw new CertificateException("the platform has no trust manager for X.509");
    } catch (GeneralSecurityException e) {
      throw new CertificateException(e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checks(chain[0]).checkClientTrusted(chain, type, engine);
    check(chain);
    remember(chain[0], engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checks(chain[0]).checkServerTrusted(chain, type, engine);
    check(chain);
    remember(chain[0], engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checks(chain[0]).checkClientTrusted(chain, type, socket);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checks(chain[0]).checkServerTrusted(chain, type, socket);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    checks(chain[0]).checkClientTrusted(chain, type);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    checks(chain[0]).checkServerTrusted(chain, type);
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[] {authority};
  }
}
