package io.sedge.identity;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** What tells a key, a certificate or a secret from all others: its SHA-256. */
public final class Fingerprint {
  private Fingerprint() {}

  /** In hexadecimal. */
  public static String of(byte[] encoded) {
    return HexFormat.of().formatHex(sha256(encoded));
  }

  /** As bytes, 32 of them. */
  public static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
