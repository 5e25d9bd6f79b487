package io.sedge.ledger;

import java.util.Map;

/**
 * A secret as the ledger knows it: sealed. Nothing in here tells its value to who has no device's
 * own key.
 *
 * @param version higher with each value that it is given, also after it was removed
 * @param setAtMillis the wall clock of who set it, for people to read
 * @param sealed its value, sealed with a key of its own
 * @param shares that key, sealed for each device that may read it, by the device's name
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Secret(
    String name, long version, long setAtMillis, byte[] sealed, Map<String, byte[]> shares) {
  /** How many the state keeps. */
  public static final int MAX_SECRETS = 256;

  /** Of what is sealed, at most. */
  public static final int MAX_SEALED_BYTES = 20 << 10;

  /** Of a device's key, and of a share, at most. */
  public static final int MAX_KEY_BYTES = 512;

  /** How many shares there may be in a command. */
  public static final int MAX_SHARES = 256;

  public Secret {
    shares = Map.copyOf(shares);
  }

  /**
   * What lets a device read a secret.
   *
   * @param recipient the device's public key that it was sealed for; if that is not the device's
   *     key any more, the share is passed over
   * @param bytes the secret's own key, sealed
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  public record Share(byte[] recipient, byte[] bytes) {
    public Share {
      checkBytes(recipient, MAX_KEY_BYTES, "key of a device");
      checkBytes(bytes, MAX_KEY_BYTES, "share");
    }
  }

  static void checkBytes(byte[] bytes, int most, String what) {
    if (bytes.length == 0 || bytes.length > most) {
      throw new IllegalArgumentException(
          "a %s has %d bytes, 1 to %d are allowed".formatted(what, bytes.length, most));
    }
  }
}
