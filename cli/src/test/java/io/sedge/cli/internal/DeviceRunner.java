package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Devices, each by its command in a thread of this process, and commands that ask them. */
final class DeviceRunner {
  private final Path directory;
  private final Deque<Running> devices = new ArrayDeque<>();

  /** A device that was started. */
  private record Running(CommandRunner device, Thread thread) {
    void awaitStart() {
      while (!device.err().contains("it runs until Ctrl-C")) {
        assertThat(thread.isAlive()).as(device.err()).isTrue();
        LockSupport.parkNanos(20_000_000);
      }
    }

    void stop() throws InterruptedException {
      device.interrupt();
      thread.join();
    }
  }

  DeviceRunner(Path directory) {
    this.directory = directory;
  }

  /** Starts a device, and waits until it runs. */
  void start(String commandLine) {
    startAtOnce(commandLine);
  }

  /** Starts devices, and waits until all of them run. */
  void startAtOnce(String... commandLines) {
    List<Running> started = Stream.of(commandLines).map(this::begin).toList();
    started.forEach(devices::push);
    started.forEach(Running::awaitStart);
  }

  private Running begin(String commandLine) {
    CommandRunner device = new CommandRunner(directory);
    return new Running(
        device,
        Thread.ofPlatform().name(commandLine).start(() -> device.run(commandLine.split(" "))));
  }

  /** Starts the first device of a site, in directory a, and another one that joins it, in b. */
  void startTwo(String secondName) {
    start("device start --data a --name a");
    String[] join = run(0, "device token --data a").out().strip().split(" ", -1);
    start("device join %s --token %s --data b --name %s".formatted(join[3], join[5], secondName));
  }

  /** Runs a command to its end. */
  CommandRunner run(int exitCode, String commandLine) {
    return run(new CommandRunner(directory), exitCode, commandLine);
  }

  static CommandRunner run(CommandRunner runner, int exitCode, String commandLine) {
    assertThat(runner.run(commandLine.split(" "))).as(runner.err()).isEqualTo(exitCode);
    return runner;
  }

  /** Waits until the device that was started last has said something. */
  void untilSaid(String text) {
    Running last = devices.getFirst();
    while (!last.device().err().contains(text)) {
      assertThat(last.thread().isAlive()).as(last.device().err()).isTrue();
      LockSupport.parkNanos(20_000_000);
    }
  }

  /** Stops the device that was started last. */
  void stopLast() throws InterruptedException {
    devices.pop().stop();
  }

  /** Stops all, the last one first. */
  void stop() throws InterruptedException {
    while (!devices.isEmpty()) {
      stopLast();
    }
  }
}
