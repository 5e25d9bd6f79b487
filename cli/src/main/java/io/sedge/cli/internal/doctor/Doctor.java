package io.sedge.cli.internal.doctor;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Looks at a machine. What it writes it takes away again, and nothing else is changed. */
public final class Doctor {
  private static final String MEMORY = "/proc/meminfo";
  private static final String MOUNTS = "/proc/self/mounts";
  private static final int SHOWN_ADDRESSES = 4;
  private static final List<String> INSIDE = List.of("docker", "br-", "veth", "virbr", "cni");

  private final Path data;
  private final Optional<Device> device;
  private final Optional<Boolean> clockIsKept;
  private final InstantSource clock;
  private final LongSupplier nanoClock;

  /**
   * A device that the machine has.
   *
   * @param running whether its process is there
   * @param taken those of its ports at which somebody else listens
   * @param certificate its file; absent until it belongs to a site
   */
  public record Device(
      boolean running, String host, List<Integer> taken, Optional<Path> certificate) {
    public Device {
      taken = List.copyOf(taken);
    }
  }

  /**
   * @param data the directory of the device that there is, or would be
   * @param device the one that there is
   * @param clockIsKept whether a time server keeps the clock right, where that is known
   * @param nanoClock monotonic
   */
  public Doctor(
      Path data,
      Optional<Device> device,
      Optional<Boolean> clockIsKept,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.data = data.toAbsolutePath();
    this.device = device;
    this.clockIsKept = clockIsKept;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /**
   * Looks at one thing after the other; takes some seconds where the disk is slow.
   *
   * @param findings is given each as it is found
   * @param usualPort which a new device takes where nothing is in the way
   * @param freePort gives the one that it would take; asked for if there is no device
   */
  public void examine(
      Consumer<Finding> findings, int usualPort, Supplier<Optional<Integer>> freePort) {
    findings.accept(memory(device.map(Device::running).orElse(false)));
    findings.accept(MachineChecks.clock(clock.instant(), clockIsKept));
    openFiles().ifPresent(findings);
    findings.accept(
        MachineChecks.fileNames(Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"))));
    findings.accept(temporary());
    findings.accept(disk());
    privacy().ifPresent(findings);
    device
        .flatMap(Device::certificate)
        .map(file -> DirectoryChecks.certificate(file, clock.instant()))
        .ifPresent(findings);
    findings.accept(
        device.map(Doctor::ports).orElseGet(() -> NetworkChecks.ports(usualPort, freePort.get())));
    findings.accept(NetworkChecks.addresses(addresses()));
  }

  private static Finding memory(boolean running) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long total = system.getTotalMemorySize();
    long available =
        available().map(all -> Math.min(all, total)).orElseGet(system::getFreeMemorySize);
    return MachineChecks.memory(total, available, running);
  }

  /** With what the system would give back: Java's own figure leaves that out. */
  private static Optional<Long> available() {
    try (Stream<String> lines = Files.lines(Path.of(MEMORY))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Finding> openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? Optional.of(MachineChecks.openFiles(unix.getMaxFileDescriptorCount()))
        : Optional.empty();
  }

  private static Finding temporary() {
    Path directory = Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toAbsolutePath();
    boolean executes;
    try {
      executes =
          Mounts.executes(
              Files.readString(Path.of(MOUNTS), StandardCharsets.UTF_8), directory.toRealPath());
    } catch (IOException e) {
      executes = true; // Not known.
    }
    return MachineChecks.temporary(directory, Files.isWritable(directory), executes);
  }

  private Finding disk() {
    Path directory = data;
    while (!Files.isDirectory(directory) && directory.getParent() != null) {
      directory = directory.getParent();
    }
    try {
      long usable = Files.getFileStore(directory).getUsableSpace();
      return DirectoryChecks.isFull(usable)
          ? DirectoryChecks.full(directory, usable)
          : DirectoryChecks.disk(directory, DiskTrial.in(directory, nanoClock));
    } catch (IOException e) {
      return DirectoryChecks.cannotBeWritten(directory, data, e);
    }
  }

  private Optional<Finding> privacy() {
    if (!Files.isDirectory(data)) {
      return Files.exists(data) ? Optional.of(DirectoryChecks.isNone(data)) : Optional.empty();
    }
    try {
      return Optional.of(DirectoryChecks.privacy(data));
    } catch (IOException e) {
      return Optional.of(DirectoryChecks.cannotBeWritten(data, data, e));
    }
  }

  private static Finding ports(Device device) {
    try {
      InetAddress host = InetAddress.getByName(device.host());
      if (!host.isAnyLocalAddress() && NetworkInterface.getByInetAddress(host) == null) {
        return NetworkChecks.noAddress(device.host());
      }
    } catch (UnknownHostException | SocketException e) {
      return NetworkChecks.noAddress(device.host());
    }
    return NetworkChecks.ports(device.taken(), device.running());
  }

  private static List<String> addresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(Doctor::isUp)
          .map(NetworkInterface::inetAddresses)
          .map(Stream::toList)
          .flatMap(Collection::stream)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .map(address -> address.getHostAddress().replaceAll("%.*", ""))
          .limit(SHOWN_ADDRESSES)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  /** Those that programs make for containers and virtual machines are reached from here alone. */
  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp() && INSIDE.stream().noneMatch(network.getName()::startsWith);
    } catch (SocketException e) {
      return false;
    }
  }
}
