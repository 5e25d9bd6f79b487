package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What lasts is told from what passes by itself, however Kafka has wrapped it. */
final class FailuresTest {
  private static KafkaException constructing(Throwable cause) {
    return new KafkaException("Failed to construct kafka consumer", cause);
  }

  private static boolean lasts(Throwable thrown) {
    return Failures.isLasting(Failures.cause(thrown));
  }

  @Test
  void aStoreOrAnOptionThatIsWrongLasts() {
    KafkaException store =
        constructing(
            new KafkaException(
                "Failed to load SSL keystore", new IOException("keystore password was incorrect")));
    assertThat(lasts(store)).isTrue();
    assertThat(Failures.explain(Failures.cause(store)))
        .isEqualTo(
            "the client cannot read its keys or certificates (keystore password was incorrect);"
                + " see 'properties.ssl.*'");
    assertThat(lasts(constructing(new ConfigException("Invalid value")))).isTrue();
  }

  /** A device may come up before its network does. */
  @Test
  void aNameThatIsNotKnownYetAndASilentBrokerPass() {
    ConfigException unknown =
        new ConfigException("No resolvable bootstrap urls given in bootstrap.servers");
    assertThat(lasts(constructing(unknown))).isFalse();
    assertThat(lasts(new ExecutionException(new TimeoutException()))).isFalse();
  }
}
