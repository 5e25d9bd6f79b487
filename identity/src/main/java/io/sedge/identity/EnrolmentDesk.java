package io.sedge.identity;

import io.sedge.replication.Member;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a device answers others, and whom: members hear from each device what it has said and left
 * out, and get a bundle of it, files of jobs, and sums for models that they train; all else is done
 * by those that have the authority. Who shows no certificate may only join. Any thread; may wait
 * some seconds for the ledger.
 */
final class EnrolmentDesk {
  private final String name;
  private final Membership membership;
  private final Supplier<Optional<Registrar>> registrar;
  private final Enrolment.Log log;
  private final Enrolment.Bundles bundles;
  private final Enrolment.Files files;
  private final Enrolment.Training training;
  private final InstantSource clock;

  /**
   * @param name of this device
   * @param registrar there while this device has the authority
   */
  EnrolmentDesk(
      String name,
      Membership membership,
      Supplier<Optional<Registrar>> registrar,
      Enrolment.Log log,
      Enrolment.Bundles bundles,
      Enrolment.Files files,
      Enrolment.Training training,
      InstantSource clock) {
    this.name = name;
    this.membership = membership;
    this.registrar = registrar;
    this.log = log;
    this.bundles = bundles;
    this.files = files;
    this.training = training;
    this.clock = clock;
  }

  /**
   * Does what is asked.
   *
   * @param peer what the asking side has shown: a certificate of the authority
   * @throws SiteException if it is refused
   */
  EnrolmentAnswer answer(EnrolmentRequest request, Optional<X509Certificate> peer)
      throws SiteException {
    try {
      return switch (request) {
        case EnrolmentRequest.Join join -> registrar().join(join);
        case EnrolmentRequest.Renew renew -> {
          X509Certificate certificate = registered(peer);
          yield registrar().renew(renew, certificate);
        }
        case EnrolmentRequest.Admit admit -> {
          String name = valid(registered(peer));
          var _ = registrar();
          membership.admit(name, new Member(admit.member(), admit.address(), admit.voter()));
          yield new EnrolmentAnswer.Admitted();
        }
        case EnrolmentRequest.MakeToken make -> {
          valid(registered(peer));
          JoinToken token = registrar().token(Duration.ofMillis(make.validMillis()));
          yield new EnrolmentAnswer.TokenMade(token.text(), token.address(), token.endsAtMillis());
        }
        case EnrolmentRequest.TakeAuthority _ -> {
          X509Certificate certificate = registered(peer);
          yield registrar().give(valid(certificate), certificate);
        }
        case EnrolmentRequest.ReadLog read -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.LogRead(log.page(read.query()));
        }
        case EnrolmentRequest.ReadLeftOut(String job) -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.LeftOutRead(log.leftOut(job));
        }
        case EnrolmentRequest.ReadDrifts(String job) -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.DriftsRead(log.drifts(job));
        }
        case EnrolmentRequest.ReadBundle _ -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.BundleRead(bundles.make());
        }
        case EnrolmentRequest.OfferFile(FileOffer file) -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.FileOffered(files.offer(file));
        }
        case EnrolmentRequest.Train(TrainingStep step) -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.Trained(training.answer(step));
        }
        case EnrolmentRequest.ReadFile(String sha256, long offset) -> {
          valid(registered(peer));
          yield new EnrolmentAnswer.FileRead(files.read(sha256, offset));
        }
      };
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the request is malformed: " + e.getMessage(), e);
    }
  }

  private Registrar registrar() throws SiteException {
    return registrar
        .get()
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.NO_AUTHORITY,
                    "device %s does not have the certificate authority; `sedge device authority`, asked of any device of the site, says which one has"
                        .formatted(name)));
  }

  /** Who shows a certificate of a device that is registered with that key; it may have ended. */
  private X509Certificate registered(Optional<X509Certificate> peer)
      throws SiteException, GeneralSecurityException {
    if (peer.isEmpty()) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "without a certificate one may join, and nothing else");
    }
    X509Certificate certificate = peer.get();
    String name = SigningRequest.commonName(certificate.getSubjectX500Principal());
    if (!membership.isRegistered(name, Fingerprint.of(certificate.getPublicKey().getEncoded()))) {
      throw new SiteException(
          FailureCode.SHUT_OUT,
          "%s is no device of this site any more; it must join anew".formatted(name));
    }
    return certificate;
  }

  private String valid(X509Certificate certificate) throws SiteException, GeneralSecurityException {
    if (clock.instant().isAfter(certificate.getNotAfter().toInstant())) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the certificate has ended; it must be renewed first");
    }
    return SigningRequest.commonName(certificate.getSubjectX500Principal());
  }
}
