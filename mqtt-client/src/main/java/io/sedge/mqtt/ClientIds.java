package io.sedge.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Client identifiers of sessions. A broker must take 23 letters and digits (MQTT 5, 3.1.3.1), and
 * all that are common take far more; some refuse wildcards in them.
 */
public final class ClientIds {
  private static final int LONGEST = 64;
  private static final int KEPT = 40;
  private static final int HASH_BYTES = 8;

  private ClientIds() {}

  /** The same for the same name, different for different ones; readable where that is possible. */
  public static String of(String name) {
    String plain = name.replaceAll("[^0-9A-Za-z._/-]", "_");
    if (plain.equals(name) && name.length() <= LONGEST) {
      return name;
    }
    String kept = plain.substring(0, Math.min(KEPT, plain.length()));
    return kept + "-" + HexFormat.of().formatHex(hash(name), 0, HASH_BYTES);
  }

  private static byte[] hash(String name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
