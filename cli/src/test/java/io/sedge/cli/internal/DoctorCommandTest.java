package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DoctorCommandTest {
  @TempDir Path directory;

  /** Whether a time server keeps the clock, and how much memory is free, is as it is. */
  @Test
  void aMachineWithoutADeviceIsLookedAtAndLeftAsItWas() {
    CommandRunner doctor = new CommandRunner(directory);
    doctor.run("doctor", "--data", "none/yet");
    assertThat(doctor.out().lines())
        .anyMatch(line -> line.matches("\\S+ +memory +.*available.*"))
        .anyMatch(line -> line.matches("\\S+ +clock +it says .*"))
        .anyMatch(line -> line.matches("\\S+ +disk +" + directory + " \\(.*a flush takes.*"))
        .anyMatch(line -> line.matches("\\S+ +ports +74.*"))
        .noneMatch(line -> line.contains("certificate "));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aDeviceIsLookedAtWhileItRunsAndLater() throws Exception {
    DeviceRunner devices = new DeviceRunner(directory);
    devices.start("device start --data a --name a");
    CommandRunner running = new CommandRunner(directory);
    running.run("doctor", "--data", "a");
    assertThat(running.out().lines())
        .anyMatch(line -> line.matches("ok +ports +the device runs.*"))
        .anyMatch(line -> line.matches("ok +data +.*"))
        .anyMatch(line -> line.matches("ok +certificate +valid from .*"));
    devices.stop();

    CommandRunner late = new CommandRunner(directory).at(Instant.now().plus(Duration.ofDays(400)));
    DeviceRunner.run(late, 3, "doctor --data a --output json");
    assertThat(late.out().lines())
        .anyMatch(line -> line.startsWith("{\"subject\":\"certificate\",\"grade\":\"failure\""))
        .anyMatch(line -> line.startsWith("{\"subject\":\"ports\",\"grade\":\"ok\""));
    assertThat(late.err()).matches("sedge: \\d failures?, \\d warnings?\\n");
    DeviceRunner.run(new CommandRunner(directory).at(Instant.EPOCH), 3, "doctor --data a");
  }

  @Test
  void aPlaceThatCannotBeWrittenToIsAFailure() {
    CommandRunner doctor = new CommandRunner(directory);
    DeviceRunner.run(doctor, 3, "doctor --data /proc/sedge");
    assertThat(doctor.out().lines()).anyMatch(line -> line.startsWith("FAILURE  disk"));
  }
}
