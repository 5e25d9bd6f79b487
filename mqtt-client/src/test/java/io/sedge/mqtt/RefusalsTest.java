package io.sedge.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  /** Who ends a job while the broker is gone has nothing to do about it, and is told nothing. */
  @Test
  void aConnectionThatIsNotThereIsOver() {
    Throwable thrown =
        MqttClient.builder()
            .useMqttVersion5()
            .buildAsync()
            .disconnect()
            .handle((_, failure) -> failure)
            .join();
    assertThat(Refusals.isOver(thrown instanceof CompletionException e ? e.getCause() : thrown))
        .isTrue();
    assertThat(Refusals.isOver(new IllegalStateException("something else"))).isFalse();
  }
}
