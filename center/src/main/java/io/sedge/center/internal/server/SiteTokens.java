package io.sedge.center.internal.server;

import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Fingerprint;
import io.sedge.identity.TokenText;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Makes tokens with which sites enrol. Any thread. */
public final class SiteTokens {
  private final Store store;
  private final X509Certificate authority;
  private final InstantSource clock;

  /**
   * @param authority by whose certificate sites know the center
   */
  public SiteTokens(Store store, X509Certificate authority, InstantSource clock) {
    this.store = store;
    this.authority = authority;
    this.clock = clock;
  }

  /** A token, which is shown once. */
  public record SiteToken(String text, Instant endsAt) {}

  /**
   * Makes one.
   *
   * @param site the name that it is for; empty for any
   * @throws StoreException as {@link io.sedge.center.store.Sites#checkName} if no new site may have
   *     that name
   */
  public SiteToken make(Optional<String> site, Duration validFor) throws StoreException {
    if (site.isPresent()) {
      store.sites().checkName(site.get());
    }
    Instant end = clock.instant().plus(validFor);
    String text = TokenText.create(fingerprint()).text();
    store.enrolments().add(text, site, end);
    return new SiteToken(text, end);
  }

  private byte[] fingerprint() {
    try {
      return Fingerprint.sha256(authority.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate has a fingerprint", e);
    }
  }
}
