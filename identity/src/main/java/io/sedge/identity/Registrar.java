package io.sedge.identity;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.replication.Invitation;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a device does that has the authority: it makes tokens, gives newcomers a certificate for
 * one, members another one for their own, and the authority to whom a person offers it. Any thread.
 */
public final class Registrar {
  /** Of clocks, between a newcomer and this device: half of what certificates are backdated. */
  static final Duration MOST_SKEW = Authority.BACKDATED.dividedBy(2);

  private static final Duration LONGEST_TOKEN = Duration.ofDays(7);

  private final DeviceIdentity identity;
  private final Authority authority;
  private final byte[] fingerprint;
  private final Membership membership;
  private final Duration validity;
  private final InstantSource clock;
  private final JobListener listener;
  private final String address;

  /** Whom a person has offered the authority: names, and keys' fingerprints. */
  private final Map<String, String> offers = new ConcurrentHashMap<>();

  /**
   * @param directory the authority's
   * @throws GeneralSecurityException also if it is the authority of another site
   */
  Registrar(
      DeviceOptions options,
      Path directory,
      DeviceIdentity identity,
      Membership membership,
      InstantSource clock,
      JobListener listener)
      throws IOException, GeneralSecurityException {
    this.identity = identity;
    this.authority = Authority.open(directory);
    if (!authority.certificate().equals(identity.authority())) {
      throw new GeneralSecurityException(directory + " is of another site's authority");
    }
    this.fingerprint = Fingerprint.sha256(authority.certificate().getEncoded());
    // Versions before kept tokens there; now they are in the ledger.
    Files.deleteIfExists(directory.resolve("tokens"));
    this.membership = membership;
    this.validity = options.certificateValidity();
    this.clock = clock;
    this.listener = listener;
    this.address = options.enrolmentAddress();
  }

  /** Makes a token, which is good at every device that has the authority. */
  public JoinToken token(Duration validFor) throws SiteException {
    if (validFor.isNegative() || validFor.isZero() || validFor.compareTo(LONGEST_TOKEN) > 0) {
      throw new SiteException(
          FailureCode.USAGE,
          "a token may be valid for %d days at most, not for %s"
              .formatted(LONGEST_TOKEN.toDays(), validFor));
    }
    Instant now = clock.instant();
    Instant end = now.plus(validFor);
    TokenText token = TokenText.create(fingerprint);
    membership.addToken(Fingerprint.of(token.secret()), end, now);
    return new JoinToken(token.text(), address, end.toEpochMilli());
  }

  /** Where others ask it. */
  public String address() {
    return address;
  }

  /**
   * Lets a device fetch the authority once.
   *
   * @param key the fingerprint of its key
   */
  public void offer(String name, String key) {
    offers.put(name, key);
  }

  /** Ends an offer; whether it was still there, so that nothing was given. */
  public boolean withdraw(String name) {
    return offers.remove(name) != null;
  }

  /** A new certificate for this device itself. */
  public void renewOwn(String host) throws IOException, GeneralSecurityException {
    SigningRequest request = SigningRequest.read(identity.signingRequest());
    identity.replace(
        authority.sign(request.name(), request.key(), List.of(host), clock.instant(), validity));
  }

  EnrolmentAnswer join(EnrolmentRequest.Join join) throws SiteException, GeneralSecurityException {
    Instant now = clock.instant();
    SigningRequest request = SigningRequest.read(join.signingRequest());
    String key = Fingerprint.of(request.key().getEncoded());
    String token = Fingerprint.of(join.token());
    membership.checkToken(token, key, now);
    Duration skew = Duration.between(now, Instant.ofEpochMilli(join.atMillis()));
    if (skew.abs().compareTo(MOST_SKEW) > 0) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED,
          "the newcomer's clock says %s, this device's %s: set the wrong one, and join again; the token is still good"
              .formatted(Instant.ofEpochMilli(join.atMillis()), now));
    }
    DeviceOptions.checkName(request.name());
    join.labels().keySet().forEach(DeviceOptions::checkLabel);
    String host = Addresses.host(join.address());
    Newcomer newcomer =
        new Newcomer(request.name(), key, join.address(), join.labels(), join.format());
    Invitation invitation = membership.enrol(token, newcomer, now);
    X509Certificate certificate =
        authority.sign(request.name(), request.key(), List.of(host), now, validity);
    return new EnrolmentAnswer.Welcome(
        certificate.getEncoded(),
        authority.certificate().getEncoded(),
        invitation.site(),
        invitation.voter());
  }

  /**
   * @param certificate what the asking device has shown; it may have ended
   */
  EnrolmentAnswer renew(EnrolmentRequest.Renew renew, X509Certificate certificate)
      throws SiteException, GeneralSecurityException {
    SigningRequest request = SigningRequest.read(renew.signingRequest());
    PublicKey key = certificate.getPublicKey();
    String name = SigningRequest.commonName(certificate.getSubjectX500Principal());
    if (!request.key().equals(key) || !request.name().equals(name)) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "a certificate is renewed for the same name and key only");
    }
    return new EnrolmentAnswer.Renewed(
        authority
            .sign(name, key, List.of(Addresses.checkHost(renew.host())), clock.instant(), validity)
            .getEncoded());
  }

  /**
   * The name in the certificate is the authority's word, whatever the ledger was told since.
   *
   * @param name in it
   * @param certificate what the asking device has shown; it has not ended
   */
  EnrolmentAnswer give(String name, X509Certificate certificate)
      throws SiteException, GeneralSecurityException {
    if (!offers.remove(name, Fingerprint.of(certificate.getPublicKey().getEncoded()))) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED,
          "nobody has offered device %s the certificate authority here".formatted(name));
    }
    listener.report(
        Severity.INFO, "the certificate authority is given to device %s".formatted(name));
    return new EnrolmentAnswer.AuthorityGiven(authority.key());
  }
}
