package io.sedge.site.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing listens without mutual TLS, loopback aside. */
class LoopbackAddressTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:9464", "127.9.8.7:1", "[::1]:65535", "localhost:9464"})
  void anAddressOfThisMachineAloneIsTakenAsItIsWritten(String text) {
    LoopbackAddress address = LoopbackAddress.parse(text);
    assertThat(address).hasToString(text);
    assertThat(address.socketAddress().getAddress().isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0:9464, 0.0.0.0 is not loopback: this is plain HTTP",
    "[::]:9464, :: is not loopback: this is plain HTTP",
    "10.0.0.7:9464, 10.0.0.7 is not loopback: this is plain HTTP",
    "example.org:9464, example.org is not loopback: this is plain HTTP",
    "127.0.0.1.example.org:9464, 127.0.0.1.example.org is not loopback: this is plain HTTP",
    "[::ffff:10.0.0.7]:9464, ::ffff:10.0.0.7 is not loopback: this is plain HTTP",
    "127.0.0.1:0, port 0 is not from 1 to 65535",
    "127.0.0.1:70000, port 70000 is not from 1 to 65535",
    "127.0.0.1, write HOST:PORT",
    ":9464, write HOST:PORT",
    "9464, write HOST:PORT",
    "::1:9464, write HOST:PORT"
  })
  void anyOtherIsRefusedWithWhatToDo(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoopbackAddress.parse(text))
        .withMessageContaining(message);
  }
}
