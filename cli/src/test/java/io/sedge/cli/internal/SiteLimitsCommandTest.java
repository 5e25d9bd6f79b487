package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a site allows, asked of a device that runs. */
@Timeout(120)
class SiteLimitsCommandTest {
  @TempDir Path directory;
  private DeviceRunner devices = new DeviceRunner(Path.of(""));

  @BeforeEach
  void start() {
    devices = new DeviceRunner(directory);
    devices.start("device start --data d --name a");
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private CommandRunner run(int exitCode, String commandLine) {
    return devices.run(exitCode, commandLine + " --data d");
  }

  private static JsonNode bound(JsonNode limits, String name) {
    for (JsonNode bound : limits.get("limits")) {
      if (bound.get("limit").asText().equals(name)) {
        return bound;
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void theyAreShownAndChangedAndWhatIsDoubtfulIsSaid() throws IOException {
    assertThat(run(0, "site limits").out())
        .contains("limit     at most  used  of")
        .contains("devices        64     1  devices, expelled ones too")
        .contains("script       128k   0 B  a job's script")
        .contains("commit         4m     -  what a task commits at once")
        .contains("silence        4s     -  a device's silence before its tasks go to others")
        .contains("state, outbox and exchange may take 33.6 MB of memory on every device");

    CommandRunner changed = run(0, "site limits --silence 2500ms --devices 3");
    assertThat(changed.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "limit before now used of",
            "devices 64 3 1 devices, expelled ones too",
            "silence 4s 2500ms - a device's silence before its tasks go to others");
    assertThat(changed.err()).isEmpty();

    JsonNode json = new ObjectMapper().readTree(run(0, "site limits --jobs 7 --output json").out());
    assertThat(bound(json.get("before"), "JOBS").get("value").asInt()).isEqualTo(64);
    assertThat(bound(json.get("after"), "JOBS").get("value").asInt()).isEqualTo(7);
    assertThat(bound(json.get("after"), "SILENCE_MILLIS").get("value").asInt()).isEqualTo(2_500);
    assertThat(bound(json.get("after"), "DEVICES").get("used").asInt()).isEqualTo(1);

    assertThat(run(2, "site limits --commit 32m").err())
        .contains("commitBytes=33554432 is more than stateBytes=16777216")
        .contains("(USER USAGE)");
    assertThat(run(0, "site limits").out()).contains("commit         4m");

    while (!run(0, "site limits").out().contains("device a has least for them")) {
      LockSupport.parkNanos(1_000_000); // It has not said yet what it has.
    }
    assertThat(run(0, "site limits --state 1g").err())
        .contains("sedge: state, outbox and exchange may take 1.1 GB of memory on every device")
        .containsPattern("; device a has least for them and its tasks: .* MB, so it may run out");
  }
}
