package io.sedge.bench.parts;

import io.sedge.bench.outside.Metrics;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The devices of one site on this machine, each in a process. One thread. */
public final class DeviceProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long POLL_NANOS = 50_000_000;

  private final Path sedge;
  private final Map<String, String> environment;
  private final List<Member> members;
  private final List<Process> processes = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  /**
   * A device.
   *
   * @param directory where it is started: relative paths in scripts are relative to it
   * @param data its data directory
   * @param options further ones of its command
   */
  public record Member(String name, Path directory, Path data, List<String> options) {
    public Member {
      options = List.copyOf(options);
    }
  }

  /**
   * Starts them; returns when all are there.
   *
   * @param sedge the command
   * @param environment more variables of the processes
   */
  public DeviceProcesses(Path sedge, Map<String, String> environment, List<Member> members)
      throws IOException, SiteException {
    this.sedge = sedge;
    this.environment = Map.copyOf(environment);
    this.members = List.copyOf(members);
    try {
      for (int i = 0; i < members.size(); i++) {
        ports.add(freePorts());
        processes.add(start(i, i == 0 ? List.of("start") : joining()));
        connect(i).close();
      }
    } catch (IOException | SiteException | RuntimeException e) {
      processes.forEach(Process::destroyForcibly);
      throw e;
    }
  }

  private List<String> joining() throws SiteException, IOException {
    try (DeviceConnection first = connect(0)) {
      JoinToken token = first.token(Duration.ofHours(1));
      return List.of("join", token.address(), "--token", token.text());
    }
  }

  private Process start(int device, List<String> how) throws IOException {
    Member member = members.get(device);
    List<String> words = new ArrayList<>(how);
    words.addAll(List.of("--name", member.name(), "--listen", "127.0.0.1:" + ports.get(device)));
    return run(device, words);
  }

  private Process run(int device, List<String> how) throws IOException {
    Member member = members.get(device);
    Files.createDirectories(member.directory());
    List<String> command = new ArrayList<>(List.of(sedge.toString(), "device"));
    command.addAll(how);
    command.addAll(
        List.of(
            "--data", member.data().toString(), "--metrics", "127.0.0.1:" + metricsPort(device)));
    command.addAll(member.options());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(member.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(device).toFile()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Path log(int device) {
    Member member = members.get(device);
    return member.directory().resolve(member.name() + ".log");
  }

  private int metricsPort(int device) {
    return ports.get(device) + 2;
  }

  /** A port that nobody had a moment ago, and neither the next two. */
  public static int freePorts() throws IOException {
    IOException last = new IOException("no port was tried");
    for (int attempt = 0; attempt < 100; attempt++) {
      try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          ServerSocket two =
              new ServerSocket(one.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress());
          ServerSocket three =
              new ServerSocket(two.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
        return three.getLocalPort() - 2;
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  /** A connection to a device, which the caller closes; waits until it has begun. */
  public DeviceConnection connect(int device) throws SiteException, IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return DeviceConnection.to(
            members.get(device).directory().resolve(members.get(device).data()));
      } catch (SiteException e) {
        if (!processes.get(device).isAlive()) {
          throw new IOException(
              "%s has ended: %s".formatted(name(device), Files.readString(log(device))), e);
        }
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  int count() {
    return members.size();
  }

  String name(int device) {
    return members.get(device).name();
  }

  /** Of a device's process. */
  long pid(int device) {
    return processes.get(device).pid();
  }

  /** What a device counts. */
  public Metrics metrics(int device) throws IOException {
    return Metrics.of(URI.create("http://127.0.0.1:%d/metrics".formatted(metricsPort(device))));
  }

  /** The processor time that those that run have taken so far. */
  public Duration cpu() {
    return processes.stream()
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** Kills a device: kill -9. Returns at once. */
  public void kill(int device) {
    processes.get(device).destroyForcibly();
  }

  /** Ends a device as a service manager does: SIGTERM. Returns at once. */
  void stop(int device) {
    processes.get(device).destroy();
  }

  /** Waits for the end of a device that was killed or stopped, and starts it again. */
  public void startAgain(int device) throws IOException {
    try {
      if (!processes.get(device).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("%s does not end".formatted(name(device)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    processes.set(device, run(device, List.of("start")));
  }

  @Override
  public void close() {
    processes.forEach(Process::destroy);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (processes.stream().anyMatch(Process::isAlive) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    processes.forEach(Process::destroyForcibly);
  }
}
