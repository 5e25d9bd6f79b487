package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Entrance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A verdict is given only where Kafka's client would fail, too. */
@Timeout(60)
final class BrokerProbeTest {
  private static final String NOBODY = "127.0.0.1:1";

  private static BrokerProbe probe(String servers, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("topic", "t");
    options.put("properties.bootstrap.servers", servers);
    TableDescriptor table =
        new TableDescriptor(
            "readings",
            Schema.builder().add("number", Type.INT).build(),
            Map.of(),
            List.of(),
            List.of(),
            options,
            "test.sql:1");
    return new BrokerProbe(
        ClientProperties.of(
            table, Options.of(table, KafkaOptions.PLAIN), new TestContext(Path.of("."))));
  }

  private static String servers(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj("127.0.0.1:%d"::formatted)
        .collect(Collectors.joining(","));
  }

  /** The sixth, which is not asked, may be there. */
  @Test
  void ofMoreServersThanAreAskedThereIsNoVerdict() {
    assertThat(probe(servers(5), Map.of()).trouble()).isPresent();
    assertThat(probe(servers(6), Map.of()).trouble()).isEmpty();
  }

  @Test
  void ofABrokerThatIsSlowThereIsNoVerdict() {
    try (Entrance silent = Entrance.answering()) {
      assertThat(probe(silent.place(), Map.of()).trouble()).isEmpty();
    }
  }

  @Test
  void oneOfSomeServersWithTlsIsEnoughAndOnlyForAClientWithout() {
    try (Entrance alert = Entrance.answering(0x15, 3, 3, 0, 2, 2, 0x28)) {
      String servers = NOBODY + "," + alert.place();
      assertThatThrownBy(() -> probe(servers, Map.of()).refuseTls())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith(alert.place() + " talks TLS alone");
      probe(servers, Map.of("properties.security.protocol", "ssl")).refuseTls();
    }
  }

  /** A port that cannot be is the client's to refuse. */
  @Test
  void ofWhatTheClientRefusesThereIsNoVerdict() {
    BrokerProbe probe = probe("localhost:70000", Map.of());
    probe.refuseTls();
    assertThat(probe.trouble()).isEmpty();
  }
}
