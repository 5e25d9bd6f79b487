package io.sedge.console.internal.site;

import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One-time codes to log in with. The device that shows a console leaves its address and a key in a
 * file of its data directory, anew at each start; whoever may read that makes codes.
 *
 * <pre>
 *   code = base64url(nonce (16 bytes) | end (8 bytes, milliseconds since 1970) | HMAC-SHA256)
 * </pre>
 *
 * The device knows a code by its MAC. It remembers nonces until their codes have ended, and only of
 * codes that were good, so strangers get no memory. Any thread.
 */
public final class LoginCodes {
  /** How long a code may be used. */
  public static final Duration LIFE = Duration.ofMinutes(10);

  private static final String DIRECTORY = "console";
  private static final String FILE = "login";
  private static final String MAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 16;
  private static final int SIGNED_BYTES = NONCE_BYTES + Long.BYTES;
  private static final int CODE_BYTES = SIGNED_BYTES + 32;
  private static final int CODE_CHARACTERS = (CODE_BYTES * 4 + 2) / 3;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final Path directory;
  private final byte[] key = random(KEY_BYTES);
  private final InstantSource clock;

  /** When the codes end that were used, by their nonces. */
  private final Map<ByteBuffer, Long> used = new HashMap<>();

  /**
   * @param data the device's directory
   */
  LoginCodes(Path data, InstantSource clock) {
    this.directory = data.resolve(DIRECTORY);
    this.clock = clock;
  }

  /** Where codes can be used. */
  @SuppressWarnings("ArrayRecordComponent") // Places are not compared.
  public record Place(String address, byte[] key) {
    /** A link with a code, to be opened once. */
    public String link(InstantSource clock) {
      return "%s#/login?code=%s".formatted(address, code(key, clock));
    }
  }

  /** Something that nobody guesses. */
  static String secret() {
    return ENCODER.encodeToString(random(KEY_BYTES));
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** Leaves the address of the console and the key for who may read the directory. */
  void open(String address) throws IOException {
    SecretFiles.makeDirectory(directory);
    SecretFiles.write(
        directory.resolve(FILE), "%s%n%s%n".formatted(address, ENCODER.encodeToString(key)));
  }

  /** What a device has left in its directory; empty if it shows no console. */
  public static Optional<Place> find(Path data) throws IOException {
    try {
      List<String> lines = Files.readAllLines(data.resolve(DIRECTORY).resolve(FILE));
      return Optional.of(new Place(lines.getFirst(), Base64.getUrlDecoder().decode(lines.get(1))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static String code(byte[] key, InstantSource clock) {
    byte[] signed =
        ByteBuffer.allocate(SIGNED_BYTES)
            .put(random(NONCE_BYTES))
            .putLong(clock.millis() + LIFE.toMillis())
            .array();
    return ENCODER.encodeToString(
        ByteBuffer.allocate(CODE_BYTES).put(signed).put(mac(key, signed)).array());
  }

  private static byte[] mac(byte[] key, byte[] signed) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      return mac.doFinal(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether a code is good; it is not any more afterwards. */
  boolean use(String code) {
    if (code.length() != CODE_CHARACTERS) {
      return false;
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(code);
    } catch (IllegalArgumentException e) {
      return false;
    }
    byte[] signed = Arrays.copyOf(bytes, SIGNED_BYTES);
    byte[] given = Arrays.copyOfRange(bytes, SIGNED_BYTES, bytes.length);
    if (!MessageDigest.isEqual(given, mac(key, signed))) {
      return false;
    }
    long now = clock.millis();
    long end = ByteBuffer.wrap(signed).getLong(NONCE_BYTES);
    ByteBuffer nonce = ByteBuffer.wrap(Arrays.copyOf(signed, NONCE_BYTES));
    synchronized (used) {
      used.values().removeIf(ended -> ended < now);
      return end >= now && used.putIfAbsent(nonce, end) == null;
    }
  }

  /** No more codes are made. */
  void close() throws IOException {
    Files.deleteIfExists(directory.resolve(FILE));
  }
}
