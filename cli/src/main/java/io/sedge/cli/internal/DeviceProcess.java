package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Style;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Connectors;
import io.sedge.console.SiteConsole;
import io.sedge.site.Device;
import io.sedge.site.api.ConsoleAddress;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What starting and joining share: a device that runs in this process until Ctrl-C. */
abstract class DeviceProcess extends CommandOptions implements Callable<Integer> {
  private static final int MAX_NAME = 63;
  private static final String OFF = "off";

  /** Tasks end, the ledger hears of it and the lead is handed over; less than units give it. */
  private static final Duration END_PATIENCE = Duration.ofSeconds(27);

  private final Surroundings surroundings;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      order = 1,
      description = "The device's name in the site (default: this machine's).")
  private @Nullable String name;

  @Option(
      names = "--listen",
      paramLabel = "HOST[:PORT]",
      order = 2,
      description = {
        "Listen at this address and nowhere else, and tell it to others. The",
        "next port is for newcomers, and for what other devices ask this one",
        "(job logs). Cannot be changed later. Default: ports",
        "from 7410 on; HOST is loopback, or what reaches the site."
      })
  private @Nullable String listen;

  @Mixin private final DeviceLabelOption label = new DeviceLabelOption();

  @Option(
      names = "--cpu",
      paramLabel = "NUMBER",
      order = 4,
      description = "Use so many processors: 0.5 is half the time of one (default: all).")
  private @Nullable Double cpus;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      order = 5,
      converter = MemoryConverter.class,
      description = "Use so much memory: 256m, 1g (default: the heap's limit, and 100m).")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--certificates",
      paramLabel = "TIME",
      order = 6,
      defaultValue = "90d",
      converter = DurationConverter.class,
      description = {
        "How long certificates are valid that this device signs, if it has",
        "the authority (default: ${DEFAULT-VALUE}); they renew themselves."
      })
  private Duration validity = DeviceOptions.DEFAULT_VALIDITY;

  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      order = 7,
      description = {
        "Answer /metrics (Prometheus), /health/live, /health/ready there: on",
        "loopback alone, since it is plain HTTP. Kept for later starts;",
        "off: nowhere, as at first."
      })
  private @Nullable String metrics;

  @Mixin private final DeviceConsoleOption console = new DeviceConsoleOption();

  @Mixin private final DataDirectory data = new DataDirectory();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      order = 91,
      defaultValue = "text",
      description = {
        "json: an object on standard output when the device has started.",
        "One of: ${COMPLETION-CANDIDATES}."
      })
  private AnswerFormat output = AnswerFormat.text;

  DeviceProcess(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Where the device listens if nobody has said it. */
  abstract String defaultHost() throws SiteException;

  abstract Device start(DeviceOptions options) throws SiteException;

  /** Whether somebody begins a site with this device: it is said then how the next one joins. */
  abstract boolean begins(boolean known) throws SiteException;

  @Override
  public Integer call() throws SiteException, InterruptedException {
    Path directory = data.path(surroundings);
    boolean known = Device.in(directory).isPresent();
    AtomicReference<@Nullable Device> running = new AtomicReference<>();
    AtomicBoolean stopped = new AtomicBoolean();
    ServiceManager manager = new ServiceManager(surroundings.environment());
    Thread main = Thread.currentThread();
    surroundings
        .interruptions()
        .onInterrupt(
            () -> {
              stopped.set(true);
              manager.stopping();
              say("stopping ...");
              Device started = running.get();
              if (started == null) {
                main.interrupt();
              } else {
                started.close();
              }
            },
            END_PATIENCE);
    say("opening the device in " + directory);
    try (manager;
        HeapTrim _ = HeapTrim.start();
        Device device = open(directory)) {
      running.set(device);
      if (!stopped.get()) {
        welcome(device, known);
        Optional<ConsoleAddress> shown = device.options().console();
        try (SiteConsole open = shown.isEmpty() ? null : console(device, shown.get())) {
          if (open != null) {
            welcome(open, directory);
          }
          attend(device, manager);
        }
      }
    } catch (SiteException | InterruptedException e) {
      if (!stopped.get()) {
        throw e;
      }
    }
    say("the device in %s has stopped".formatted(directory));
    return 0;
  }

  /** Null where it is kept from an earlier start and cannot listen: the device has other work. */
  private @Nullable SiteConsole console(Device device, ConsoleAddress place) throws SiteException {
    try {
      return console.start(place, device, connectors(), surroundings);
    } catch (SiteException e) {
      if (console.isGiven()) {
        throw e;
      }
      say("warning: there is no console: " + e.getMessage());
      return null;
    }
  }

  private static void attend(Device device, ServiceManager manager)
      throws SiteException, InterruptedException {
    DeviceOptions options = device.options();
    manager.ready("device " + options.name() + " at " + options.address(), device::works);
    device.await();
  }

  /** A link is a secret for some minutes: it goes to a terminal, not to a log. */
  private void welcome(SiteConsole open, Path directory) throws SiteException {
    if (surroundings.errIsTerminal()) {
      say("console at %s; to log in, within ten minutes:".formatted(open.address()));
      surroundings.err().println("  " + DeviceConsoleCommand.link(directory, surroundings));
    } else {
      say(
          "console at %s; to log in: sedge device console%s"
              .formatted(open.address(), dataOption()));
    }
  }

  /** Where a site does not take the ports that were found, with the next ones. */
  private Device open(Path directory) throws SiteException {
    Optional<Device.Known> known = Device.in(directory);
    ListenAddress address = address(directory, known);
    while (true) {
      try {
        return start(options(directory, known, address));
      } catch (SiteException e) {
        if (e.code() != FailureCode.ADDRESS_IN_USE || !address.found()) {
          throw e;
        }
        say("%s; trying the next ports".formatted(e.getMessage()));
        address = address.next();
      }
    }
  }

  private DeviceOptions options(Path directory, Optional<Device.Known> known, ListenAddress address)
      throws SiteException {
    String own = name != null ? name : known.map(Device.Known::name).orElseGet(this::machineName);
    try {
      DeviceOptions options =
          DeviceOptions.of(directory, own, address.host(), address.port(), surroundings.directory())
              .withLabels(label.labels(known.map(Device.Known::labels).orElse(Map.of())))
              .withCertificateValidity(validity)
              .withMetrics(metrics(known))
              .withConsole(console.address(known.flatMap(Device.Known::console)));
      return options.withShare(
          cpus == null ? options.cpus() : cpus,
          memoryBytes == null ? options.memoryBytes() : memoryBytes);
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private Optional<LoopbackAddress> metrics(Optional<Device.Known> known) {
    if (metrics == null) {
      return known.flatMap(Device.Known::metrics);
    }
    try {
      return metrics.equals(OFF) ? Optional.empty() : Optional.of(LoopbackAddress.parse(metrics));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--metrics=" + metrics + ": " + e.getMessage(), e);
    }
  }

  private ListenAddress address(Path directory, Optional<Device.Known> known) throws SiteException {
    if (listen != null) {
      return ListenAddress.parse(listen);
    }
    if (known.filter(Device.Known::joined).isEmpty()) {
      return ListenAddress.free(defaultHost());
    }
    boolean anyPort = Device.mayTakeOtherPorts(directory);
    return new ListenAddress(known.get().host(), known.get().port(), anyPort);
  }

  /** Whether somebody has said where. */
  boolean listens() {
    return listen != null;
  }

  private String machineName() {
    String host = surroundings.environment().getOrDefault("HOSTNAME", "");
    try {
      host = host.isEmpty() ? InetAddress.getLocalHost().getHostName() : host;
    } catch (UnknownHostException e) {
      host = "device";
    }
    String plain = host.replaceAll("\\..*", "").replaceAll("[^A-Za-z0-9_-]", "-");
    return plain.isEmpty() || !Character.isLetterOrDigit(plain.charAt(0))
        ? "device"
        : plain.substring(0, Math.min(plain.length(), MAX_NAME));
  }

  private void welcome(Device device, boolean known) throws SiteException {
    DeviceOptions options = device.options();
    String site = device.control().status().site();
    say("device %s at %s, of site %s".formatted(options.name(), options.address(), site));
    boolean begins = begins(known);
    // What is no terminal is taken for a log, in which a token has no place.
    boolean isSeen = output == AnswerFormat.json || surroundings.errIsTerminal();
    Optional<JoinToken> token = begins && isSeen ? token(device) : Optional.empty();
    if (token.isPresent() && surroundings.errIsTerminal()) {
      say("to add a device, within the next hour, type on it:");
      surroundings.err().println("  " + DeviceTokenCommand.command(token.get()));
    } else if (begins) {
      say("to add a device: sedge device token" + dataOption());
    }
    if (HostPort.isLoopback(options.host())) {
      boolean alone = device.control().status().devices().size() < 2;
      say(
          "it listens on this machine alone"
              + (alone
                  ? "; to let other machines join, stop it and type: sedge device address HOST:PORT"
                      + dataOption()
                  : ""));
    }
    options.metrics().ifPresent(at -> say("it tells how it is at http://%s/metrics".formatted(at)));
    say("it runs until Ctrl-C, and comes back with `sedge device start%s`".formatted(dataOption()));
    if (output == AnswerFormat.json) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("device", options.name());
      object.put("address", options.address());
      object.put("enrolment", options.enrolmentAddress());
      object.put("site", site);
      token.ifPresent(made -> object.put("token", made));
      new Answers(surroundings.out()).json(object);
    }
  }

  /** A device whose disk is full can make none: that is no reason to end. */
  private Optional<JoinToken> token(Device device) {
    try {
      return Optional.of(device.control().token(DeviceTokenCommand.DEFAULT_LIFE));
    } catch (SiteException e) {
      say("no token could be made yet: " + e.getMessage());
      return Optional.empty();
    }
  }

  private String dataOption() {
    return " --data " + data.path(surroundings);
  }

  private void say(String message) {
    surroundings.err().println("sedge: " + Printable.text(message));
  }

  void report(Severity severity, String message) {
    boolean colours = surroundings.coloursErr();
    String label =
        switch (severity) {
          case INFO -> "sedge:";
          case WARNING -> "sedge: " + Style.YELLOW.on(colours, "warning:");
          case ERROR -> "sedge: " + Style.RED.on(colours, "error:");
        };
    surroundings.err().println(label + " " + Printable.text(message));
  }

  Surroundings surroundings() {
    return surroundings;
  }

  /** What jobs may read and write. */
  static Connectors connectors() {
    return Connectors.installed(DeviceProcess.class.getClassLoader());
  }
}
