package io.sedge.center.internal.uplink;

import io.sedge.center.store.Site;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Authority;
import io.sedge.identity.Fingerprint;
import io.sedge.identity.SigningRequest;
import io.sedge.identity.TokenText;
import io.sedge.uplink.EnrolmentAnswer;
import io.sedge.uplink.EnrolmentRequest;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Gives sites certificates of the center's authority, and knows them by these. Any thread. */
final class SiteRegistrar {
  private static final int NAME_DIGITS = 8;

  private final Store store;
  private final Authority authority;
  private final Duration validity;
  private final InstantSource clock;

  SiteRegistrar(Store store, Authority authority, Duration validity, InstantSource clock) {
    this.store = store;
    this.authority = authority;
    this.validity = validity;
    this.clock = clock;
  }

  /** Lets a site in that shows a token. */
  EnrolmentAnswer enrol(EnrolmentRequest request) throws UplinkException {
    try {
      TokenText token = TokenText.parse(request.token());
      SigningRequest signing = SigningRequest.read(request.signingRequest());
      String key = fingerprint(signing.key());
      Optional<String> wanted = Optional.of(request.site()).filter(name -> !name.isEmpty());
      String name =
          store
              .enrolments()
              .use(token.text(), wanted, key)
              .orElseGet(() -> nameOf(request.ledger()));
      try {
        store.sites().enrol(name, request.ledger(), key);
      } catch (StoreException e) {
        // The token is good still, for another name.
        store.enrolments().release(token.text(), key);
        throw e;
      }
      store.audit().record(name, "enrol", name, "ledger " + request.ledger());
      return answer(name, signing.key());
    } catch (StoreException e) {
      throw e.toUplink();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  private static String nameOf(String ledger) {
    return "site-" + ledger.substring(0, Math.min(ledger.length(), NAME_DIGITS));
  }

  /**
   * Gives a site another certificate for its name and key, also where its own has ended: it may
   * have been off for long.
   */
  EnrolmentAnswer renew(X509Certificate shown, byte[] signingRequest) throws UplinkException {
    try {
      SigningRequest signing = SigningRequest.read(signingRequest);
      if (!signing.key().equals(shown.getPublicKey())) {
        throw new UplinkException(
            Reason.UNKNOWN_SITE, "a certificate is renewed for the same key only");
      }
      return answer(known(shown), signing.key());
    } catch (GeneralSecurityException e) {
      throw malformed(e);
    }
  }

  private EnrolmentAnswer answer(String name, PublicKey key) throws UplinkException {
    try {
      return new EnrolmentAnswer(
          name,
          authority.sign(name, key, List.of(), clock.instant(), validity),
          authority.certificate());
    } catch (GeneralSecurityException e) {
      throw new UplinkException(Reason.INTERNAL, "signing a certificate: " + e.getMessage(), e);
    }
  }

  /**
   * The site whose certificate was shown.
   *
   * @throws UplinkException UNKNOWN_SITE; REVOKED
   */
  String site(X509Certificate shown) throws UplinkException {
    if (clock.instant().isAfter(shown.getNotAfter().toInstant())) {
      throw new UplinkException(
          Reason.UNKNOWN_SITE,
          "the certificate of this site has ended: type `sedge site report` with a new token");
    }
    return known(shown);
  }

  /** The same, also if the certificate has ended. */
  private String known(X509Certificate shown) throws UplinkException {
    try {
      Site site =
          store
              .sites()
              .byFingerprint(fingerprint(shown.getPublicKey()))
              .orElseThrow(
                  () ->
                      new UplinkException(
                          Reason.UNKNOWN_SITE,
                          "this center does not know the site any more: type `sedge site report`"
                              + " with a new token"));
      if (site.state() == Site.State.REVOKED) {
        throw new UplinkException(
            Reason.REVOKED, "the center has shut site %s out".formatted(site.name()));
      }
      store.sites().seen(site.name());
      return site.name();
    } catch (StoreException e) {
      throw e.toUplink();
    }
  }

  private static UplinkException malformed(Exception e) {
    return new UplinkException(
        Reason.MALFORMED, "the request cannot be read: " + e.getMessage(), e);
  }

  private static String fingerprint(PublicKey key) {
    return Fingerprint.of(key.getEncoded());
  }
}
