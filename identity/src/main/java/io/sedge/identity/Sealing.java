package io.sedge.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Cipher;
import javax.crypto.KEM;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals values for devices. A value is encrypted once, with a key of its own; that key is encrypted
 * again for each device, with what RFC 9180 (section 4.1, DHKEM with X25519 and HKDF-SHA256) makes
 * of the device's public key. Both with AES-256-GCM, bound to the name of the value, and the second
 * to the device's too: what is sealed under one name opens under no other.
 *
 * <p>Bytes of both: version (1), the encapsulation (32, of shares alone), nonce (12), what is
 * encrypted, tag (16).
 */
public final class Sealing {
  /** Bytes of a value, at most. */
  public static final int MAX_VALUE_BYTES = 16 << 10;

  static final String KEY_ALGORITHM = "X25519";
  private static final String KEM_ALGORITHM = "DHKEM";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final String AES = "AES";
  private static final byte VERSION = 1;
  private static final int KEY_BYTES = 32;
  private static final int ENCAPSULATION_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private Sealing() {}

  /** A key for one value. */
  public static SecretKey newKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new SecretKeySpec(key, AES);
  }

  /** Encrypts a value. */
  public static byte[] seal(SecretKey key, String name, String value)
      throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    byte[] encrypted =
        cipher(Cipher.ENCRYPT_MODE, key, nonce, "value", name, "")
            .doFinal(value.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.allocate(1 + nonce.length + encrypted.length)
        .put(VERSION)
        .put(nonce)
        .put(encrypted)
        .array();
  }

  /**
   * Decrypts what {@link #seal} made.
   *
   * @throws GeneralSecurityException if it was sealed with another key, under another name, or was
   *     changed
   */
  public static String unseal(SecretKey key, String name, byte[] sealed)
      throws GeneralSecurityException {
    ByteBuffer bytes = versioned(sealed, NONCE_BYTES);
    byte[] nonce = take(bytes, NONCE_BYTES);
    byte[] value =
        cipher(Cipher.DECRYPT_MODE, key, nonce, "value", name, "")
            .doFinal(take(bytes, bytes.remaining()));
    return new String(value, StandardCharsets.UTF_8);
  }

  /**
   * Encrypts a value's key for a device.
   *
   * @param recipient the device's public key, as {@link SealingKey#publicKey} gives it
   */
  public static byte[] share(SecretKey key, String name, String device, byte[] recipient)
      throws GeneralSecurityException {
    PublicKey shown =
        KeyFactory.getInstance(KEY_ALGORITHM).generatePublic(new X509EncodedKeySpec(recipient));
    KEM.Encapsulated encapsulated =
        KEM.getInstance(KEM_ALGORITHM).newEncapsulator(shown).encapsulate(0, KEY_BYTES, AES);
    byte[] nonce = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    byte[] encrypted =
        cipher(Cipher.ENCRYPT_MODE, encapsulated.key(), nonce, "share", name, device)
            .doFinal(key.getEncoded());
    return ByteBuffer.allocate(1 + ENCAPSULATION_BYTES + nonce.length + encrypted.length)
        .put(VERSION)
        .put(encapsulated.encapsulation())
        .put(nonce)
        .put(encrypted)
        .array();
  }

  /** Decrypts what {@link #share} made for a device. */
  static SecretKey open(byte[] share, String name, String device, java.security.PrivateKey own)
      throws GeneralSecurityException {
    ByteBuffer bytes = versioned(share, ENCAPSULATION_BYTES + NONCE_BYTES);
    SecretKey shared =
        KEM.getInstance(KEM_ALGORITHM)
            .newDecapsulator(own)
            .decapsulate(take(bytes, ENCAPSULATION_BYTES), 0, KEY_BYTES, AES);
    byte[] nonce = take(bytes, NONCE_BYTES);
    byte[] key =
        cipher(Cipher.DECRYPT_MODE, shared, nonce, "share", name, device)
            .doFinal(take(bytes, bytes.remaining()));
    return new SecretKeySpec(key, AES);
  }

  private static Cipher cipher(
      int mode, SecretKey key, byte[] nonce, String what, String name, String device)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    // No name has a line's end, so that no two triples have the same text.
    cipher.updateAAD(
        "sedge secret\n%s\n%s\n%s".formatted(what, name, device).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static ByteBuffer versioned(byte[] bytes, int least) throws GeneralSecurityException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length <= 1 + least || buffer.get() != VERSION) {
      throw new GeneralSecurityException("sealed in a form that this version does not know");
    }
    return buffer;
  }

  private static byte[] take(ByteBuffer buffer, int count) {
    byte[] taken = new byte[count];
    buffer.get(taken);
    return taken;
  }
}
