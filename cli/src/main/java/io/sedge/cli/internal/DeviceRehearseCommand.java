package io.sedge.cli.internal;

import io.sedge.connector.Connectors;
import io.sedge.site.Device;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code sedge device rehearse}: a short life of a site, for the launcher, which lets the virtual
 * machine keep what it learns from it. Three devices in this process, on loopback, with directories
 * of their own that are gone afterwards: one founds the site, two join, a job runs on all, the one
 * that leads ends and comes back. So each device meets later what it has met here: enrolment, TLS,
 * both sides of replication, an election, a log that is opened again, a job that is compiled, a
 * broker.
 */
@Command(
    name = "rehearse",
    hidden = true,
    header = "Runs a short-lived site in one process; the launcher learns quick starts from it.")
final class DeviceRehearseCommand extends CommandOptions implements Callable<Integer> {
  private static final String HOST = "127.0.0.1";
  private static final String JOB = "rehearsal";
  private static final String BROKER = "${broker}";
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(1);

  /** Whatever hangs: whoever waits for the first command has waited long enough. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * What is not so by then is not waited for: all that happened until then is learnt all the same.
   */
  private static final Duration STEP_PATIENCE = Duration.ofSeconds(8);

  /** How long the job runs once its rows come, so that what runs often is seen to. */
  private static final Duration RUNNING = Duration.ofMillis(1_500);

  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(1);

  private static final long LOOK_MILLIS = 20;
  private static final int PORT_ATTEMPTS = 100;
  private static final int DELETE_ATTEMPTS = 40;
  private static final long DELETE_MILLIS = 50;

  private final Surroundings surroundings;
  private final Connectors connectors = DeviceProcess.connectors();
  private final Deque<Device> devices = new ArrayDeque<>();

  @Parameters(paramLabel = "FILE", description = "The job that its devices run.")
  private String file = "";

  DeviceRehearseCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, JobException, SiteException, InterruptedException {
    String script = Script.read(file, surroundings).text();
    surroundings.interruptions().onInterrupt(Thread.currentThread()::interrupt);
    Path root = Files.createTempDirectory("sedge-rehearsal-");
    Thread patience = endAfterPatience(root);
    try (RehearsalBroker broker = RehearsalBroker.start()) {
      rehearse(root, script.replace(BROKER, broker.url()), broker);
      return 0;
    } finally {
      closeAll();
      delete(root);
      patience.interrupt();
    }
  }

  private void rehearse(Path root, String script, RehearsalBroker broker)
      throws IOException, SiteException, InterruptedException {
    DeviceOptions first = options(root, "a");
    devices.push(start(first));
    for (String name : List.of("b", "c")) {
      JoinToken token = devices.getLast().control().token(TOKEN_LIFE);
      devices.push(join(options(root, name), token));
    }
    devices.getLast().control().submit(JOB, script);
    try (DeviceConnection connection = DeviceConnection.to(root.resolve("b"))) {
      await(connection, status -> givesRows(status) && broker.hasServed());
      TimeUnit.MILLISECONDS.sleep(RUNNING.toMillis());
      devices.removeLast().close();
      await(connection, status -> !status.leader().isEmpty() && !status.leader().equals("a"));
      devices.push(start(first));
      await(connection, DeviceRehearseCommand::runsEverywhere);
      connection.stop(JOB);
      await(connection, status -> status.jobs().stream().allMatch(job -> job.runningTasks() == 0));
    }
  }

  /**
   * All at once, since none of them can do a thing without the others; whoever still waits for them
   * after a moment ends with the process.
   */
  private void closeAll() {
    long begin = System.nanoTime();
    List<Thread> closing =
        devices.stream()
            .map(
                device ->
                    Thread.ofPlatform().daemon().name("sedge-rehearsal-close").start(device::close))
            .toList();
    try {
      for (Thread thread : closing) {
        Duration left = CLOSING_PATIENCE.minusNanos(System.nanoTime() - begin);
        if (left.isNegative() || !thread.join(left)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean givesRows(SiteStatus status) {
    return status.jobs().stream().anyMatch(job -> job.rows() > 0) && runsEverywhere(status);
  }

  private static boolean runsEverywhere(SiteStatus status) {
    return status.tasks().stream().noneMatch(task -> task.device().isEmpty());
  }

  private static void await(DeviceConnection site, Predicate<SiteStatus> condition)
      throws SiteException, InterruptedException {
    long begin = System.nanoTime();
    while (!condition.test(site.status()) && System.nanoTime() - begin < STEP_PATIENCE.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private Device start(DeviceOptions options) throws SiteException {
    return Device.start(options, connectors, surroundings.clock(), (_, _) -> {});
  }

  private Device join(DeviceOptions options, JoinToken token) throws SiteException {
    return Device.join(
        options, token.address(), token.text(), connectors, surroundings.clock(), (_, _) -> {});
  }

  private static DeviceOptions options(Path root, String name) throws SiteException {
    return DeviceOptions.of(root.resolve(name), name, HOST, freePorts(), root);
  }

  /** One that is free with the one after it, of those that the system gives to anybody. */
  private static int freePorts() throws SiteException {
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          ServerSocket second =
              new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
        return second.getLocalPort() - 1;
      } catch (IOException | IllegalArgumentException e) {
        // The next one is taken, or there is none after the last of all: another pair.
      }
    }
    throw new SiteException(
        FailureCode.CONNECTION_FAILED, "no two ports of loopback are free beside each other");
  }

  private Thread endAfterPatience(Path root) {
    return Thread.ofPlatform()
        .daemon()
        .name("sedge-rehearsal-end")
        .start(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(PATIENCE.toMillis());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
              }
              delete(root);
              Runtime.getRuntime().halt(1);
            });
  }

  /** A device that is not closed yet may still be writing: then once more. */
  private void delete(Path root) {
    IOException last = null;
    for (int attempt = 0; attempt < DELETE_ATTEMPTS && Files.exists(root); attempt++) {
      try (Stream<Path> paths = Files.walk(root)) {
        for (Path path : paths.toList().reversed()) {
          Files.deleteIfExists(path);
        }
      } catch (IOException | UncheckedIOException e) {
        last = e instanceof IOException plain ? plain : new IOException(e);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(DELETE_MILLIS));
      }
    }
    if (Files.exists(root)) {
      surroundings.err().println("sedge: cannot remove " + root + ": " + last);
    }
  }
}
