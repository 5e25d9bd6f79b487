package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Removing a device whose task has no other place, since it reads that device itself. */
@Timeout(120)
class DeviceRemoveCommandTest {
  private static final String SCRIPT =
      """
      CREATE TABLE sensors (quantity STRING, reading DOUBLE)
        WITH ('connector' = 'host', 'sampling.rate' = '1 Hz');
      CREATE TABLE nowhere (quantity STRING, reading DOUBLE) WITH ('connector' = 'blackhole');
      INSERT INTO nowhere SELECT quantity, reading FROM sensors;
      """;

  @TempDir Path directory;
  private final List<CommandRunner> devices = new ArrayList<>();
  private final List<Thread> running = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    device("device start --data a --name a");
    String[] join = run(0, "device token --data a").out().strip().split(" ", -1);
    device("device join %s --token %s --data b --name b".formatted(join[3], join[5]));
    Files.writeString(directory.resolve("job.sql"), SCRIPT);
    run(0, "job submit job.sql --name job --data a");
    while (!run(0, "site status --data a --output json")
        .out()
        .contains("\"device\":\"b\",\"epoch\"")) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private void device(String commandLine) {
    CommandRunner device = new CommandRunner(directory);
    Thread thread =
        Thread.ofPlatform().name(commandLine).start(() -> device.run(commandLine.split(" ")));
    devices.add(device);
    running.add(thread);
    while (!device.err().contains("it runs until Ctrl-C")) {
      assertThat(thread.isAlive()).as(device.err()).isTrue();
      LockSupport.parkNanos(20_000_000);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.reversed().forEach(CommandRunner::interrupt);
    for (Thread thread : running) {
      thread.join();
    }
  }

  private CommandRunner run(int exitCode, String commandLine) {
    return run(new CommandRunner(directory), exitCode, commandLine);
  }

  private static CommandRunner run(CommandRunner runner, int exitCode, String commandLine) {
    assertThat(runner.run(commandLine.split(" "))).as(runner.err()).isEqualTo(exitCode);
    return runner;
  }

  /** A script that waits for what never comes is worse than one that fails. */
  @Test
  void whereNobodyWatchesItIsDrainedAndNotWaitedFor() {
    assertThat(run(2, "device remove b --data a").err())
        .contains("device b is being drained, and has ", ": remove it when it has none");
    assertThat(
            run(new CommandRunner(directory).inTerminal(), 2, "device remove b --no-wait --data a")
                .err())
        .contains("device b is being drained, and has ", ": remove it when it has none");
    assertThat(run(0, "site status --data a").out()).contains("draining");
  }
}
