package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Who may send. What is secret is compared in a time that does not tell how much of it was right.
 *
 * @param token that each request must have
 * @param signatureKey by which each body must be signed with HMAC-SHA256
 */
record Guard(Optional<String> token, Optional<String> signatureKey) {
  private static final String BEARER = "Bearer ";
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PREFIX = "sha256=";

  /** Whether there is anything that only those know who may send. */
  boolean knowsSenders() {
    return token.isPresent() || signatureKey.isPresent();
  }

  /** Whether a request has the token, if it must. */
  boolean admits(Optional<String> authorization) {
    if (token.isEmpty()) {
      return true;
    }
    String given = authorization.filter(value -> value.startsWith(BEARER)).orElse(BEARER);
    return MessageDigest.isEqual(
        token.get().getBytes(UTF_8), given.substring(BEARER.length()).getBytes(UTF_8));
  }

  /** Whether a body may turn out to be signed, if it must be: before it is read. */
  boolean mayAdmit(Optional<String> signature) {
    return signatureKey.isEmpty() || signature.isPresent();
  }

  /** Whether a body is signed, if it must be. */
  boolean admits(byte[] body, Optional<String> signature) {
    if (signatureKey.isEmpty()) {
      return true;
    }
    String given = signature.orElse("");
    String digits = given.startsWith(PREFIX) ? given.substring(PREFIX.length()) : given;
    try {
      return MessageDigest.isEqual(
          sign(signatureKey.get(), body), HexFormat.of().parseHex(digits.strip()));
    } catch (IllegalArgumentException e) {
      return false; // No hexadecimal digits.
    }
  }

  private static byte[] sign(String key, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.getBytes(UTF_8), ALGORITHM));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each JDK has " + ALGORITHM, e);
    }
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "Guard[token=%s, signature=%s]".formatted(token.isPresent(), signatureKey.isPresent());
  }
}
