package io.sedge.center.internal.oidc;

import io.sedge.identity.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** What nobody guesses: 256 random bits. Any thread. */
final class Secrets {
  private static final int BYTES = 32;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  static String fresh() {
    byte[] secret = new byte[BYTES];
    RANDOM.nextBytes(secret);
    return base64(secret);
  }

  /** Whether a text may be a secret of this class. */
  static boolean isWellFormed(String text) {
    return FORM.matcher(text).matches();
  }

  /** What PKCE has of a verifier in the address to which a browser is sent (RFC 7636, S256). */
  static String challenge(String verifier) {
    return base64(Fingerprint.sha256(verifier.getBytes(StandardCharsets.US_ASCII)));
  }

  static boolean areEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
