package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BrokerCommandTest {
  private final CommandRunner runner = new CommandRunner(Path.of("."));

  @Test
  void aCtrlCWhileTheBrokerStartsEndsItAsSoonAsItListens() throws Exception {
    Thread ctrlC = Thread.ofPlatform().daemon().start(runner::interrupt);
    assertThat(runner.run("broker", "--port", "0")).isZero();
    ctrlC.join();
    assertThat(runner.err())
        .containsSubsequence("the broker listens on", "the broker has stopped: 0 messages");
  }

  /** Who hears it only when it listens leaves files behind. */
  @Test
  void aCtrlCIsHeardBeforeTheBrokerStarts() {
    assertThat(runner.run("broker", "--host", "0.0.0.0")).isEqualTo(2);
    assertThat(runner.hearsInterrupts()).isTrue();
  }

  /** As of a device and a center. */
  @Test
  void aPortThatIsTakenIsTheUsersToChange() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(runner.run("broker", "--port", Integer.toString(other.getLocalPort())))
          .isEqualTo(2);
      assertThat(runner.err()).contains("is another broker running?", "(USER ADDRESS_IN_USE)");
    }
  }
}
