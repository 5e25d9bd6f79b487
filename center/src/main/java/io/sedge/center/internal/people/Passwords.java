package io.sedge.center.internal.people;

import io.sedge.center.internal.server.PlatformWork;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Hashes of passwords: argon2id (RFC 9106) with {@value #MEMORY_KIB} KiB, {@value #PASSES} passes
 * and one lane, as OWASP's cheat sheet on the storage of passwords has it. Two are made at once at
 * most, for the memory that each takes; others wait, in the order in which they came. Any thread.
 *
 * <pre>
 *   $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH     salt 16 bytes, hash 32 bytes, Base64
 * </pre>
 */
public final class Passwords implements AutoCloseable {
  static final int MEMORY_KIB = 19 << 10;
  static final int PASSES = 2;
  private static final int LANES = 1;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int AT_ONCE = 2;

  /** More than the connections that there may be. */
  private static final int WAITING = 1_024;

  private static final Pattern FORM =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,2}),p=(\\d{1,2})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

  private final SecureRandom random = new SecureRandom();
  private final PlatformWork threads = new PlatformWork("sedge-passwords", AT_ONCE, WAITING);

  /** What the password of somebody who is not known is held against: nobody knows it. */
  private final Hash nobodys =
      new Hash(MEMORY_KIB, PASSES, LANES, bytes(SALT_BYTES), bytes(HASH_BYTES));

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Hash(int memoryKib, int passes, int lanes, byte[] salt, byte[] hash) {
    static Hash parse(String text) {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new IllegalStateException("a password's hash that Sedge has not made");
      }
      Base64.Decoder decoder = Base64.getDecoder();
      return new Hash(
          Integer.parseInt(parts.group(1)),
          Integer.parseInt(parts.group(2)),
          Integer.parseInt(parts.group(3)),
          decoder.decode(parts.group(4)),
          decoder.decode(parts.group(5)));
    }

    String text() {
      Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
      return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
          .formatted(
              memoryKib, passes, lanes, encoder.encodeToString(salt), encoder.encodeToString(hash));
    }
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Hashes a password, with a salt of its own. */
  public String hash(String password) throws InterruptedException {
    byte[] salt = bytes(SALT_BYTES);
    return new Hash(
            MEMORY_KIB, PASSES, LANES, salt, hashed(password, MEMORY_KIB, PASSES, LANES, salt))
        .text();
  }

  /**
   * Whether a password is the one that was hashed. One that is longer than {@link PasswordRules}
   * allows is wrong at once.
   *
   * @param text what {@link #hash} gave; empty if there is none, which takes as long
   */
  public boolean isRight(String password, Optional<String> text) throws InterruptedException {
    if (PasswordRules.isTooLong(password)) {
      return false;
    }
    Hash known = text.map(Hash::parse).orElse(nobodys);
    byte[] hash = hashed(password, known.memoryKib(), known.passes(), known.lanes(), known.salt());
    return MessageDigest.isEqual(hash, known.hash()) && text.isPresent();
  }

  private byte[] hashed(String password, int memoryKib, int passes, int lanes, byte[] salt)
      throws InterruptedException {
    return threads.<byte[], RuntimeException, RuntimeException>call(
        () -> {
          // The same characters may be typed in several ways (NIST SP 800-63B, 5.1.1.2).
          byte[] typed =
              Normalizer.normalize(password, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8);
          Argon2BytesGenerator generator = new Argon2BytesGenerator();
          generator.init(
              new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                  .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                  .withMemoryAsKB(memoryKib)
                  .withIterations(passes)
                  .withParallelism(lanes)
                  .withSalt(salt)
                  .build());
          byte[] hash = new byte[HASH_BYTES];
          generator.generateBytes(typed, hash);
          return hash;
        });
  }

  @Override
  public void close() {
    threads.close();
  }
}
