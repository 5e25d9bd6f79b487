package io.sedge.center.internal.oidc;

import io.sedge.center.OidcOptions;
import io.sedge.center.internal.oidc.ProviderException.Reason;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.lang.JoseException;

/**
 * Says whether an ID token is believed, as OpenID Connect Core 1.0, 3.1.3.7, has it: signed by a
 * key of the provider that is public, for this client, in answer to this login, and not long ago.
 * What jose4j says of a token may have the token in it, and stays here.
 */
final class IdTokens {
  /** By how much the clocks of the provider and the center may differ. */
  private static final int SKEW_SECONDS = 60;

  /** How old a token may be when it comes. */
  private static final int OLDEST_SECONDS = 600;

  /** As OpenID Connect Core has it. */
  private static final int LONGEST_SUBJECT = 255;

  /**
   * Header, claims and signature: an encrypted token has more parts, one without a signature less.
   */
  private static final String SIGNED = "[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+";

  private static final String[] ALGORITHMS = {
    AlgorithmIdentifiers.RSA_USING_SHA256,
    AlgorithmIdentifiers.RSA_PSS_USING_SHA256,
    AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256
  };

  private static final Map<Integer, String> WORDS =
      Map.ofEntries(
          Map.entry(ErrorCodes.SIGNATURE_INVALID, "its signature is wrong"),
          Map.entry(ErrorCodes.ISSUER_INVALID, "it is of another issuer"),
          Map.entry(ErrorCodes.ISSUER_MISSING, "it names no issuer"),
          Map.entry(ErrorCodes.AUDIENCE_INVALID, "it is for another client"),
          Map.entry(ErrorCodes.AUDIENCE_MISSING, "it is for no client"),
          Map.entry(ErrorCodes.SUBJECT_MISSING, "it names nobody"),
          Map.entry(
              ErrorCodes.EXPIRED, "it has expired: do the clocks of provider and center agree?"),
          Map.entry(ErrorCodes.EXPIRATION_MISSING, "it does not say when it ends"),
          Map.entry(ErrorCodes.ISSUED_AT_MISSING, "it does not say when it was made"),
          Map.entry(
              ErrorCodes.ISSUED_AT_INVALID_FUTURE,
              "it is from the future: do the clocks of provider and center agree?"),
          Map.entry(
              ErrorCodes.ISSUED_AT_INVALID_PAST,
              "it is old: do the clocks of provider and center agree?"),
          Map.entry(
              ErrorCodes.NOT_YET_VALID,
              "it is not valid yet: do the clocks of provider and center agree?"));

  private final OidcOptions options;
  private final InstantSource clock;

  IdTokens(OidcOptions options, InstantSource clock) {
    this.options = options;
    this.clock = clock;
  }

  /**
   * What a token says.
   *
   * @param keys of the provider, as it answers them
   * @param nonce of the login
   * @throws ProviderException AWAY if the keys are none; REFUSED
   */
  Map<String, Object> claims(String token, String keys, String nonce) throws ProviderException {
    if (!token.matches(SIGNED)) {
      throw refused("it is not signed", Optional.empty());
    }
    JwksVerificationKeyResolver resolver = resolver(keys);
    try {
      JwtClaims claims =
          new JwtConsumerBuilder()
              .setVerificationKeyResolver(resolver)
              .setJwsAlgorithmConstraints(ConstraintType.PERMIT, ALGORITHMS)
              .setExpectedIssuer(options.issuer())
              .setExpectedAudience(options.clientId())
              .setRequireSubject()
              .setRequireExpirationTime()
              .setRequireIssuedAt()
              .setIssuedAtRestrictions(0, OLDEST_SECONDS)
              .setAllowedClockSkewInSeconds(SKEW_SECONDS)
              .setEvaluationTime(NumericDate.fromMilliseconds(clock.millis()))
              .build()
              .processToClaims(token);
      check(claims, nonce);
      return claims.getClaimsMap();
    } catch (InvalidJwtException e) {
      throw refused(
          e.getErrorDetails().stream()
              .map(error -> WORDS.getOrDefault(error.getErrorCode(), ""))
              .filter(words -> !words.isEmpty())
              .findFirst()
              .orElse("it is not signed by a key of the provider with RS256, PS256 or ES256"),
          Optional.of(e));
    } catch (MalformedClaimException e) {
      throw refused("a claim of it is of another type", Optional.of(e));
    }
  }

  private static JwksVerificationKeyResolver resolver(String keys) throws ProviderException {
    try {
      JwksVerificationKeyResolver resolver =
          new JwksVerificationKeyResolver(new JsonWebKeySet(keys).getJsonWebKeys());
      resolver.setDisambiguateWithVerifySignature(true);
      return resolver;
    } catch (JoseException | RuntimeException e) {
      // jose4j does not look at the types of what it reads.
      throw new ProviderException(Reason.AWAY, "the keys of the login provider cannot be read", e);
    }
  }

  private void check(JwtClaims claims, String nonce)
      throws ProviderException, MalformedClaimException {
    String subject = claims.getSubject();
    if (subject.isBlank()
        || subject.length() > LONGEST_SUBJECT
        || subject.chars().anyMatch(Character::isISOControl)) {
      throw refused(
          "what it calls the person is empty, too long or has control characters",
          Optional.empty());
    }
    List<String> audience = claims.getAudience();
    String party = claims.getStringClaimValue("azp");
    if (party == null ? audience.size() > 1 : !party.equals(options.clientId())) {
      throw refused("it was made for another client", Optional.empty());
    }
    String own = claims.getStringClaimValue("nonce");
    if (own == null || !Secrets.areEqual(own, nonce)) {
      throw refused("it is of another login", Optional.empty());
    }
  }

  private static ProviderException refused(String why, Optional<Exception> cause) {
    String message = "the login provider's ID token is not accepted: " + why;
    return cause
        .map(exception -> new ProviderException(Reason.REFUSED, message, exception))
        .orElseGet(() -> new ProviderException(Reason.REFUSED, message));
  }
}
