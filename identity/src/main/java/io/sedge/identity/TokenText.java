package io.sedge.identity;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32;

/**
 * A token that lets a device join a site, or a site report to a center, as it is typed: {@code
 * sedge-} and 52 bytes in URL-safe Base64.
 *
 * <pre>
 *   secret 16 | SHA-256 of the authority's certificate 32 | CRC-32 of both 4
 * </pre>
 *
 * The fingerprint lets the newcomer know the other side before it says anything; the checksum tells
 * a token that was cut when it was copied from one that is refused.
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record TokenText(byte[] secret, byte[] authority) {
  private static final String PREFIX = "sedge-";
  private static final int SECRET_BYTES = 16;
  private static final int AUTHORITY_BYTES = 32;
  private static final int BYTES = SECRET_BYTES + AUTHORITY_BYTES + Integer.BYTES;

  /**
   * Makes one.
   *
   * @param authority the SHA-256 of its certificate
   */
  public static TokenText create(byte[] authority) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new TokenText(secret, authority);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is no token, or not all of one
   */
  public static TokenText parse(String text) {
    String stripped = text.strip();
    if (!stripped.startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "that is no token: one begins with %s; `sedge device token` makes one for a device, `sedge center token` one for a site"
              .formatted(PREFIX));
    }
    byte[] bytes = decode(stripped.substring(PREFIX.length()));
    if (bytes.length != BYTES
        || ByteBuffer.wrap(bytes).getInt(BYTES - Integer.BYTES) != checksum(bytes)) {
      throw new IllegalArgumentException(
          "the token is not complete, or was changed when it was copied; copy all of it");
    }
    return new TokenText(
        Arrays.copyOf(bytes, SECRET_BYTES),
        Arrays.copyOfRange(bytes, SECRET_BYTES, SECRET_BYTES + AUTHORITY_BYTES));
  }

  /** Empty if it is no Base64. */
  private static byte[] decode(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, BYTES - Integer.BYTES);
    return (int) crc.getValue();
  }

  /** As it is typed. */
  public String text() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).put(secret).put(authority);
    bytes.putInt(checksum(bytes.array()));
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  @Override
  public String toString() {
    return "TokenText[...]";
  }
}
