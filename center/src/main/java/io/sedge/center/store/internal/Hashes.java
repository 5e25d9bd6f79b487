package io.sedge.center.store.internal;

import io.sedge.identity.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** SHA-256 of tokens and blocks. */
public final class Hashes {
  /** How many digits of a token's hash name it. */
  public static final int ID_LENGTH = 12;

  private static final int DIGEST_BYTES = 16;

  private Hashes() {}

  /** The hash of a token. */
  public static String text(String token) {
    return Fingerprint.of(token.getBytes(StandardCharsets.UTF_8));
  }

  /** What names a token that has a hash. */
  public static String id(String hash) {
    return hash.substring(0, ID_LENGTH);
  }

  /** The first 128 bits: enough to know a block by. */
  static byte[] digest(byte[] bytes) {
    return Arrays.copyOf(Fingerprint.sha256(bytes), DIGEST_BYTES);
  }
}
