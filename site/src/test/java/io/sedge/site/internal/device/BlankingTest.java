package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        "'password' = '${secret:mqtt}', 'x' = 'y' | 'password' = '${secret:mqtt}', 'x' = 'y'",
        "needs ${secret:mqtt} now | needs ${secret:mqtt} now",
        "SET 'sasl.jaas.config'='x y' | SET 'sasl.jaas.config'='***'",
        "'url' = 'mqtts://anna:secret@host:8883' | 'url' = 'mqtts://***@host:8883'",
        "'url' = 'mqtts://anna:s@cret@host:8883' | 'url' = 'mqtts://***@host:8883'",
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
}
