package io.sedge.site.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * How a device runs.
 *
 * @param data where it keeps its identity, its copy of the ledger and its control socket; of one
 *     process at a time
 * @param name of the device in its site, and in its certificate
 * @param host an address of this device that the others reach; it listens there and nowhere else
 * @param port of the ledger
 * @param enrolmentPort where newcomers ask for a certificate, and members for a new one or for what
 *     the device has said
 * @param labels what jobs may demand of a device
 * @param cpus processors that it may use, 0.5 for half the time of one
 * @param memoryBytes that its process may have resident
 * @param directory what relative paths in jobs are relative to
 * @param certificateValidity of the certificates that it hands out, if it has the authority
 * @param metrics where it tells programs on its machine how it is; empty: nowhere
 * @param console where it shows the site in a browser; empty: nowhere
 */
public record DeviceOptions(
    Path data,
    String name,
    String host,
    int port,
    int enrolmentPort,
    Map<String, String> labels,
    double cpus,
    long memoryBytes,
    Path directory,
    Duration certificateValidity,
    Optional<LoopbackAddress> metrics,
    Optional<ConsoleAddress> console) {
  public static final int DEFAULT_PORT = 7410;
  public static final Duration DEFAULT_VALIDITY = Duration.ofDays(90);
  public static final long LEAST_MEMORY_BYTES = 64L << 20;

  /** Labels that begin so are Sedge's own. */
  public static final String RESERVED_LABELS = "sedge.";

  private static final Duration SHORTEST_VALIDITY = Duration.ofSeconds(3);
  private static final Duration LONGEST_VALIDITY = Duration.ofDays(3_650);
  private static final int LAST_PORT = 65_535;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  public DeviceOptions {
    checkName(name);
    checkPort(port, "port");
    checkPort(enrolmentPort, "enrolment port");
    if (port == enrolmentPort) {
      throw new IllegalArgumentException(
          "port %d cannot be for the ledger and for enrolment".formatted(port));
    }
    labels = Map.copyOf(labels);
    labels.keySet().forEach(DeviceOptions::checkLabel);
    if (!(cpus > 0 && cpus <= 4_096)) {
      throw new IllegalArgumentException("cpu=%s is not above 0".formatted(cpus));
    }
    if (memoryBytes < LEAST_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "memory=%d bytes is less than the %d MiB that a device needs"
              .formatted(memoryBytes, LEAST_MEMORY_BYTES >> 20));
    }
    if (certificateValidity.compareTo(SHORTEST_VALIDITY) < 0
        || certificateValidity.compareTo(LONGEST_VALIDITY) > 0) {
      throw new IllegalArgumentException(
          "certificates that are valid for %s: allowed is %s to %s"
              .formatted(certificateValidity, SHORTEST_VALIDITY, LONGEST_VALIDITY));
    }
  }

  /**
   * Options as they are by default: all processors, the heap of this virtual machine and 100 MB.
   *
   * @param port enrolment takes the one after it
   */
  public static DeviceOptions of(Path data, String name, String host, int port, Path directory) {
    return new DeviceOptions(
        data,
        name,
        host,
        port,
        port + 1,
        Map.of(),
        Runtime.getRuntime().availableProcessors(),
        Math.max(LEAST_MEMORY_BYTES, Runtime.getRuntime().maxMemory() + 100_000_000),
        directory,
        DEFAULT_VALIDITY,
        Optional.empty(),
        Optional.empty());
  }

  /** The same with other certificates. */
  public DeviceOptions withCertificateValidity(Duration validity) {
    return with(options -> options.certificateValidity = validity);
  }

  /** The same with other labels. */
  public DeviceOptions withLabels(Map<String, String> others) {
    return with(options -> options.labels = others);
  }

  /** The same with another share of the machine. */
  public DeviceOptions withShare(double processors, long bytes) {
    return with(
        options -> {
          options.cpus = processors;
          options.memoryBytes = bytes;
        });
  }

  /** The same with another address for metrics. */
  public DeviceOptions withMetrics(Optional<LoopbackAddress> address) {
    return with(options -> options.metrics = address);
  }

  /** The same with another place for the console. */
  public DeviceOptions withConsole(Optional<ConsoleAddress> place) {
    return with(options -> options.console = place);
  }

  private DeviceOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** What of the options may change, while it does. */
  private static final class Draft {
    private final DeviceOptions before;
    private Map<String, String> labels;
    private double cpus;
    private long memoryBytes;
    private Duration certificateValidity;
    private Optional<LoopbackAddress> metrics;
    private Optional<ConsoleAddress> console;

    Draft(DeviceOptions before) {
      this.before = before;
      this.labels = before.labels;
      this.cpus = before.cpus;
      this.memoryBytes = before.memoryBytes;
      this.certificateValidity = before.certificateValidity;
      this.metrics = before.metrics;
      this.console = before.console;
    }

    DeviceOptions options() {
      return new DeviceOptions(
          before.data,
          before.name,
          before.host,
          before.port,
          before.enrolmentPort,
          labels,
          cpus,
          memoryBytes,
          before.directory,
          certificateValidity,
          metrics,
          console);
    }
  }

  /** {@code host:port} of the ledger; an IPv6 address in brackets. */
  public String address() {
    return address(host, port);
  }

  /** {@code host:port} where newcomers ask. */
  public String enrolmentAddress() {
    return address(host, enrolmentPort);
  }

  private static String address(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * @throws IllegalArgumentException if a device cannot be called so
   */
  public static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a device cannot be called '%s': letters, digits, dots, dashes and underscores are allowed, 63 at most, a letter or digit first"
              .formatted(name.replaceAll("\\p{Cntrl}", ".")));
    }
  }

  private static void checkPort(int port, String what) {
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "%s %d is not from 1 to %d".formatted(what, port, LAST_PORT));
    }
  }

  /**
   * @throws IllegalArgumentException if a person cannot give a device this label
   */
  public static void checkLabel(String label) {
    if (label.startsWith(RESERVED_LABELS)) {
      throw new IllegalArgumentException(
          "label %s: names that begin with %s are Sedge's own".formatted(label, RESERVED_LABELS));
    }
  }
}
