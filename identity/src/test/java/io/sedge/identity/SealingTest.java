package io.sedge.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import javax.crypto.SecretKey;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealingTest {
  private static final String VALUE = "pässword\nof two lines";

  @TempDir Path directory;
  private SealingKey a;
  private SealingKey b;
  private final SecretKey key = Sealing.newKey();
  private byte[] sealed;

  @BeforeEach
  void seal() throws Exception {
    a = SealingKey.open(directory.resolve("a"), "a");
    b = SealingKey.open(directory.resolve("b"), "b");
    sealed = Sealing.seal(key, "mqtt", VALUE);
  }

  private static void refused(ThrowingCallable opening) {
    assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(opening);
  }

  private byte[] shareForA() throws GeneralSecurityException {
    return Sealing.share(key, "mqtt", "a", a.publicKey());
  }

  @Test
  void theDeviceThatHasAShareReadsTheValueAlsoAfterARestart() throws Exception {
    SealingKey again = SealingKey.open(directory.resolve("a"), "a");
    assertThat(again.publicKey()).isEqualTo(a.publicKey());
    assertThat(Sealing.unseal(again.open("mqtt", shareForA()), "mqtt", sealed)).isEqualTo(VALUE);
  }

  @Test
  void whatIsSealedHasNothingOfTheValueAndIsOtherEachTime() throws Exception {
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("ssword", "lines");
    assertThat(Sealing.seal(key, "mqtt", VALUE)).isNotEqualTo(sealed);
    assertThat(shareForA()).isNotEqualTo(shareForA());
  }

  @Test
  void anotherDeviceCannotOpenTheShare() throws Exception {
    refused(() -> b.open("mqtt", shareForA()));
    SealingKey renamed = SealingKey.open(directory.resolve("a"), "b");
    refused(() -> renamed.open("mqtt", shareForA()));
  }

  @Test
  void neitherShareNorValueOpenUnderAnotherName() throws Exception {
    refused(() -> a.open("database", shareForA()));
    refused(() -> Sealing.unseal(key, "database", sealed));
    refused(() -> Sealing.unseal(Sealing.newKey(), "mqtt", sealed));
  }

  @Test
  void whatWasChangedOrCutIsRefused() throws Exception {
    byte[] share = shareForA();
    for (int i = 0; i < share.length; i++) {
      byte[] changed = share.clone();
      changed[i] ^= 1;
      refused(() -> a.open("mqtt", changed));
    }
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      refused(() -> Sealing.unseal(key, "mqtt", changed));
      byte[] cut = java.util.Arrays.copyOf(sealed, i);
      refused(() -> Sealing.unseal(key, "mqtt", cut));
    }
  }

  @Test
  void theKeyIsReadableForItsOwnerAlone() throws Exception {
    Path file = directory.resolve("a/sealing.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
