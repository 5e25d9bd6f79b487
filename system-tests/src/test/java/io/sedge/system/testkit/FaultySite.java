package io.sedge.system.testkit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A site of real processes, and what may befall them. */
public final class FaultySite implements AutoCloseable {
  /** The device whose disk is small. */
  private static final String SMALL = "e";

  /** What a device keeps free, and the room that it needs beside that. */
  private static final int DISK_MIB = 160;

  private static final Pattern LEADER = Pattern.compile("\"leader\":\"([^\"]+)\"");
  private static final int PORT = 7_410;

  private final List<String> names;
  private final SiteNetwork network;
  private final SiteProcesses processes;
  private final Path directory;
  private final Map<String, SedgeProcess> devices = new TreeMap<>();
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Optional<SmallDisk> disk;

  /**
   * Something that happens to devices.
   *
   * @param name what a table calls it
   * @param cause makes it happen
   * @param mend ends it, and waits until the devices are well
   */
  public record Fault(String name, Runnable cause, Runnable mend) {}

  private FaultySite(Sedge sedge, Path directory, int devices) {
    this.directory = directory;
    this.names = IntStream.range(0, devices).mapToObj(i -> "" + (char) ('a' + i)).toList();
    this.network = part(SiteNetwork.of(names));
    this.disk = SmallDisk.at(directory.resolve(SMALL), DISK_MIB);
    disk.ifPresent(this::part);
    this.processes = new SiteProcesses(sedge, network);
  }

  /** Makes a site of at least five, whose data is in directories of their names: a, b and so on. */
  public static FaultySite found(Sedge sedge, Path directory, int devices) {
    FaultySite site = new FaultySite(sedge, directory, devices);
    try {
      for (String name : site.names) {
        String[] how = name.equals("a") ? new String[] {"start"} : site.processes.joining("a");
        site.started(name, site.processes.device(name, site.port(), how));
        SiteProcesses.awaitUp(site.device(name));
      }
      return site;
    } catch (RuntimeException | Error e) {
      site.close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.push(part);
    return part;
  }

  private int port() {
    return network.canBeCut() ? PORT : SiteProcesses.freePorts();
  }

  private void started(String name, SedgeProcess process) {
    devices.put(name, process);
  }

  /** A device that runs, or ran last, under a name. */
  public SedgeProcess device(String name) {
    SedgeProcess device = devices.get(name);
    if (device == null) {
      throw new IllegalArgumentException(name);
    }
    return device;
  }

  public List<String> names() {
    return names;
  }

  /** Where devices reach this machine. */
  public String hostOfThisMachine() {
    return network.hostOfThisMachine();
  }

  /** What a command answers that asks a device that runs. */
  public String answer(String... command) {
    return processes.answer(command);
  }

  /** Who leads, of those who answer. */
  public String leader() {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    do {
      for (String name : names) {
        Matcher leader =
            LEADER.matcher(answer("site", "status", "--data", name, "--output", "json"));
        if (leader.find()) {
          return leader.group(1);
        }
      }
    } while (System.nanoTime() < deadline);
    throw new AssertionError("nobody leads");
  }

  /** What the devices have said since then, with their names, by time. */
  public List<String> said(Instant since) {
    return names.stream()
        .flatMap(
            name -> lines(directory.resolve(name).resolve("log")).map(line -> new Said(name, line)))
        .filter(said -> !said.at().isBefore(since))
        .sorted(Comparator.comparing(Said::at))
        .map(said -> said.device() + " " + said.line())
        .toList();
  }

  private record Said(String device, String line) {
    /** A line that was torn has no time of its own. */
    Instant at() {
      try {
        return Instant.parse(line.split(" ", 2)[0]);
      } catch (DateTimeParseException e) {
        return Instant.MIN;
      }
    }
  }

  private static Stream<String> lines(Path log) {
    try (Stream<Path> files = Files.list(log)) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".log")).toList()) {
        lines.addAll(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList());
      }
      return lines.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kill -9 of a device. */
  public Fault killed(String name) {
    return new Fault("kill -9 of a device", () -> device(name).kill(), () -> start(name));
  }

  /** Kill -9 of several at the same moment. */
  public Fault killed(List<String> several) {
    return new Fault(
        "kill -9 of " + several.size(),
        () -> several.forEach(name -> device(name).kill()),
        () -> several.forEach(this::start));
  }

  /** Kill -9 of the one that leads now. */
  public Fault leaderKilled() {
    AtomicReference<String> leader = new AtomicReference<>("");
    return new Fault(
        "kill -9 of the leader",
        () -> {
          leader.set(leader());
          device(leader.get()).kill();
        },
        () -> start(leader.get()));
  }

  /** A device stands still. */
  public Fault stopped(String name) {
    return new Fault("SIGSTOP", () -> device(name).stop(), () -> device(name).resume());
  }

  /** All are killed, and started again at once. */
  public Fault powerLost() {
    return new Fault(
        "all killed at once",
        () -> {
          devices.values().forEach(SedgeProcess::kill);
          names.forEach(name -> started(name, processes.again(name)));
        },
        () -> devices.values().forEach(SiteProcesses::awaitUp));
  }

  /** A device's cable is unplugged; empty where it has none. */
  public Optional<Fault> cut(String name) {
    return network.canBeCut()
        ? Optional.of(new Fault("network cut", () -> network.cut(name), () -> network.mend(name)))
        : Optional.empty();
  }

  /** A device's disk is full to the last byte; empty where no such disk can be made. */
  public Optional<Fault> diskFull() {
    return disk.map(small -> new Fault("full disk", small::fill, small::empty));
  }

  /** A device is killed as it writes to the last segment of its log: half an entry is there. */
  public Fault torn(String name) {
    return new Fault(
        "kill -9, last entry torn",
        () -> {
          device(name).kill();
          tear(name);
        },
        () -> {
          start(name);
          device(name).awaitMessage("the last write to the log was torn");
        });
  }

  private void start(String name) {
    started(name, processes.again(name));
    SiteProcesses.awaitUp(device(name));
  }

  /** Writes the first half of the last bytes again behind them. */
  private void tear(String name) {
    try (Stream<Path> walk = Files.walk(directory.resolve(name).resolve("ledger"))) {
      List<Path> files = walk.toList();
      Path segment =
          files.stream()
              .filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no open segment in " + files));
      byte[] bytes = Files.readAllBytes(segment);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      int half = Math.min(end, 200);
      try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
        file.seek(end);
        file.write(bytes, end - half, half / 2);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    devices.values().forEach(SedgeProcess::close);
    List<AutoCloseable> closing = new ArrayList<>(parts);
    parts.clear();
    for (AutoCloseable part : closing) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
