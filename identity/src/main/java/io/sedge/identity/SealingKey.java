package io.sedge.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import javax.crypto.SecretKey;

/**
 * The key for which secrets are sealed so that this device alone can open them: X25519, another one
 * than that of its certificate, which only signs. In {@code sealing.pem} beside that, readable for
 * its owner alone; it never leaves the device. Any thread.
 */
public final class SealingKey {
  private static final String FILE = "sealing.pem";

  private final String device;
  private final KeyPair keys;

  private SealingKey(String device, KeyPair keys) {
    this.device = device;
    this.keys = keys;
  }

  /**
   * The key in the directory of a device's identity; made if there is none.
   *
   * @param device its name
   */
  public static SealingKey open(Path directory, String device)
      throws IOException, GeneralSecurityException {
    SecretFiles.makeDirectory(directory);
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      Pem.write(file, KeyPairGenerator.getInstance(Sealing.KEY_ALGORITHM).generateKeyPair());
    }
    SecretFiles.protect(file);
    return new SealingKey(device, Pem.readKeys(file, Sealing.KEY_ALGORITHM));
  }

  /** What others seal with for this device: X.509, DER. */
  public byte[] publicKey() {
    return keys.getPublic().getEncoded();
  }

  /**
   * The key of a value, of a share that was made for this device.
   *
   * @throws GeneralSecurityException if it was made for another device, key or name, or was changed
   */
  public SecretKey open(String name, byte[] share) throws GeneralSecurityException {
    return Sealing.open(share, name, device, keys.getPrivate());
  }
}
