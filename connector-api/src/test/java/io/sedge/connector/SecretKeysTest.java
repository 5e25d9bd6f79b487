package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretKeysTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "ssl.keystore.password",
        "api-key",
        "auth.token",
        "Client.Secret",
        "properties.sasl.jaas.config"
      })
  void keysSayThatTheyHoldASecret(String key) {
    assertThat(SecretKeys.isSecret(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "username",
        "topic",
        "authority",
        "format",
        "tls.private-key.path",
        "password.file",
        "oauth.token-url",
        "auth.type"
      })
  void othersHoldNoneOrSayWhereItIs(String key) {
    assertThat(SecretKeys.isSecret(key)).isFalse();
  }
}
