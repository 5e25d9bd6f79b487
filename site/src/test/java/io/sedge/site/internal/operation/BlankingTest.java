package io.sedge.site.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is secret, and what is not. */
class BlankingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'password' = 'it''s me', 'qos' = '1' | 'password' = '***', 'qos' = '1'",
        "SET 'sasl.jaas.config'='x y' | SET 'sasl.jaas.config'='***'",
        "'url' = 'mqtts://anna:secret@host:8883' | 'url' = 'mqtts://***@host:8883'",
        "'client-secret'\t=\t'' | 'client-secret'\t=\t'***'",
        "-Djavax.net.ssl.trustStorePassword=abc -Xmx1g | -Djavax.net.ssl.trustStorePassword=***"
            + " -Xmx1g",
        "token: \"a b\", more | token: ***, more",
        "join with sedge-AAAAAAAAAAAAAAAAAAAAAAAAAAA now | join with sedge-*** now",
        "Authorization: Bearer abcdefgh12345 | Authorization: *** ***",
        "-----BEGIN EC PRIVATE KEY-----abc-----END EC PRIVATE KEY----- x | *** x",
        "-----BEGIN PRIVATE KEY-----abc | ***",
        "'topic' = 'plant/+/token' | 'topic' = 'plant/+/token'",
        "identity/authority.pem: 100 | identity/authority.pem: 100",
        "-----BEGIN CERTIFICATE-----abc | -----BEGIN CERTIFICATE-----abc",
      })
  void secretsAreBlankedAndNothingElse(String text, String blanked) {
    assertThat(new Blanking(List.of()).blank(text)).isEqualTo(blanked);
  }

  @Test
  void aValueThatIsASecretInAScriptIsOneEverywhere() {
    Blanking blanking =
        new Blanking(List.of("'password' = 'pa$$''word', 'auth' = 'none', 'token' = 'abc'"));
    assertThat(blanking.blank("login with pa$$'word: none of abc"))
        .isEqualTo("login with ***: none of abc");
  }

  /**
   * Scripts come from whoever submits jobs: no text may take long, or more than a thread's stack.
   */
  @Test
  @Timeout(20)
  void longTextsAreNoTrouble() {
    Blanking blanking = new Blanking(List.of());
    for (String piece :
        List.of(
            "a",
            "'",
            "'password' = '",
            "''",
            "://",
            "-----BEGIN PRIVATE KEY-----",
            "token=",
            " ")) {
      assertThat(blanking.blank("'password' = '" + piece.repeat(300_000 / piece.length())))
          .isNotEmpty();
    }
    assertThat(blanking.blank("'password' = '" + "x".repeat(300_000) + "'"))
        .isEqualTo("'password' = '***'");
  }

  @Test
  void aBundleIsBounded(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("b.zip");
    Map<String, Long> sizes =
        BundleFile.write(file, Map.of("long.txt", "x".repeat(9 << 20)), List.of());
    assertThat(sizes.get("long.txt")).isLessThan(BundleFile.MAX_ENTRY_CHARACTERS + 100L);
    assertThat(Files.size(file)).isLessThan(1 << 20);
  }

  /** Whoever unpacks it must not find files elsewhere. */
  @Test
  void namesInABundleLeadNowhereElse(@TempDir Path directory) throws Exception {
    Map<String, Long> sizes =
        BundleFile.write(
            directory.resolve("b.zip"),
            Map.of("../../x.sql", "a", "/etc/x", "b", "jobs/ä b.sql", "c", "jobs/__b.sql", "d"),
            List.of());
    assertThat(sizes).hasSize(4);
    assertThat(sizes.keySet())
        .allMatch(name -> name.matches("[A-Za-z0-9_-][A-Za-z0-9._/-]*") && !name.contains(".."));
  }
}
