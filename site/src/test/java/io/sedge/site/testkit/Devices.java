package io.sedge.site.testkit;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.format.Formats;
import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A site's devices in this process, each with a directory and ports of its own. */
public final class Devices implements AutoCloseable {
  public static final String HOST = "127.0.0.1";
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final Path root;
  private final Map<String, DeviceOptions> options = new HashMap<>();
  private Connectors connectors = new Connectors(List.of(), new Formats(List.of()));
  private final List<Device> open = new CopyOnWriteArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private Duration validity = DeviceOptions.DEFAULT_VALIDITY;

  public Devices(Path root) {
    this.root = root;
  }

  /**
   * A script for the connector "fake" whose source has a password: it copies numbers.
   *
   * @param password as the script has it
   */
  public static String copying(String password) {
    return """
    CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake', 'password' = '%s');
    CREATE TABLE kept (n BIGINT) WITH ('connector' = 'fake');
    INSERT INTO kept SELECT n FROM numbers;
    """
        .formatted(password);
  }

  public Devices withValidity(Duration ofCertificates) {
    validity = ofCertificates;
    return this;
  }

  /**
   * A port that nobody had a moment ago, and neither the one after it; of those that systems give
   * to nobody who connects, so that nobody takes it by chance. No two askers get the same.
   */
  public static int freePorts() {
    IOException last = new IOException("no port was tried");
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = 20_000 + 2 * ThreadLocalRandom.current().nextInt(6_000);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
          ServerSocket _ = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
        if (GIVEN.add(port)) {
          return port;
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new UncheckedIOException(last);
  }

  /** What jobs may read and write from now on, in any format. */
  public Devices with(ConnectorFactory... tables) {
    connectors = new Connectors(List.of(tables), Formats.installed(Devices.class.getClassLoader()));
    return this;
  }

  public DeviceOptions options(String name) {
    return options.computeIfAbsent(
        name,
        _ ->
            DeviceOptions.of(root.resolve(name), name, HOST, freePorts(), root)
                .withCertificateValidity(validity));
  }

  /** What the devices have said. */
  public List<String> reports() {
    return List.copyOf(reports);
  }

  /** How many times something with a text in it was said. */
  public long said(String text) {
    return reports.stream().filter(line -> line.contains(text)).count();
  }

  /** Lines of its own in which a device has said that its certificate was renewed. */
  public long renewals(String name) {
    return reports.stream()
        .filter(line -> line.startsWith(name + " INFO the certificate was renewed"))
        .count();
  }

  /** Hears what a device says. */
  public JobListener listener(String name) {
    return (severity, message) -> reports.add(name + " " + severity + " " + message);
  }

  public Device start(String name) throws SiteException {
    return start(name, InstantSource.system());
  }

  /** With options that are changed, as a person may with each start. */
  public Device start(String name, UnaryOperator<DeviceOptions> change) throws SiteException {
    options.put(name, change.apply(options(name)));
    return start(name);
  }

  public Device start(String name, InstantSource clock) throws SiteException {
    return add(Device.start(options(name), connectors, clock, listener(name)));
  }

  public Device join(String name, JoinToken token) throws SiteException {
    return join(name, token, InstantSource.system());
  }

  public Device join(String name, JoinToken token, InstantSource clock) throws SiteException {
    return join(options(name), token, clock);
  }

  /** A device with options of its own. */
  public Device join(DeviceOptions own, JoinToken token) throws SiteException {
    return join(own, token, InstantSource.system());
  }

  private Device join(DeviceOptions own, JoinToken token, InstantSource clock)
      throws SiteException {
    return add(
        Device.join(own, token.address(), token.text(), connectors, clock, listener(own.name())));
  }

  /** One more device of the site of another one. */
  public Device join(String name, Device through) throws SiteException {
    return join(name, through.control().token(Duration.ofMinutes(5)));
  }

  /** One more device, with options that are changed. */
  public Device join(String name, Device through, UnaryOperator<DeviceOptions> change)
      throws SiteException {
    options.put(name, change.apply(options(name)));
    return join(name, through);
  }

  private Device add(Device device) {
    open.add(device);
    return device;
  }

  public void close(Device device) {
    open.remove(device);
    device.close();
  }

  @Override
  public void close() {
    List.copyOf(open).reversed().forEach(this::close);
  }

  /** The names of the devices of which a device knows. */
  public static List<String> names(Device device) throws SiteException {
    return device.control().status().devices().stream().map(DeviceStatus::name).toList();
  }

  /** The code with which something is refused or fails. */
  public static FailureCode failure(ThrowingCallable call) {
    try {
      call.call();
    } catch (SiteException e) {
      return e.code();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("it did not fail");
  }

  /** Waits until each of some devices knows who leads. */
  public void untilLed(Device... some) throws Exception {
    for (Device device : some) {
      until("there is a leader", () -> !device.control().status().leader().isEmpty());
    }
  }

  /** Waits until something is so. */
  public void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "after %s it was not so that %s; said was:%n%s"
                .formatted(DEADLINE, what, String.join("\n", reports)));
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
