package io.sedge.system.testkit;

import io.sedge.system.testkit.FaultySite.Fault;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A center and two sites that report to it, in real processes: north of three devices, south of
 * one. Each site reaches the center by a link of its own.
 */
public final class ReportingSites implements AutoCloseable {
  /** The devices of each site. */
  public static final Map<String, List<String>> SITES =
      Map.of("north", List.of("a", "b", "c"), "south", List.of("d"));

  private static final String CENTER = "center";

  private final Sedge sedge;
  private final SiteProcesses processes;
  private final int port = SiteProcesses.freePorts();
  private final CenterDatabase database;
  private final Map<String, SedgeProcess> running = new TreeMap<>();
  private final Map<String, FaultyLink> links = new TreeMap<>();

  private ReportingSites(Sedge sedge, Path directory) {
    this.sedge = sedge;
    this.database = new CenterDatabase(directory.resolve(CENTER).resolve("results/center.db"));
    this.processes = new SiteProcesses(sedge, SiteNetwork.loopback());
  }

  /** Starts them; the data of each is in a directory of its name. */
  public static ReportingSites found(Sedge sedge, Path directory) {
    ReportingSites all = new ReportingSites(sedge, directory);
    try {
      all.startCenter();
      SITES.forEach(all::found);
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  private void found(String site, List<String> devices) {
    String first = devices.getFirst();
    for (String name : devices) {
      String[] how = name.equals(first) ? new String[] {"start"} : processes.joining(first);
      running.put(name, processes.device(name, SiteProcesses.freePorts(), how));
      SiteProcesses.awaitUp(process(name));
    }
    FaultyLink link = new FaultyLink(port);
    links.put(site, link);
    String token =
        List.of(answer("center", "token", "--data", CENTER).strip().split("\\s+", -1)).getLast();
    answer(
        "site", "report", "--to", link.address(), "--token", token, "--as", site, "--data", first);
  }

  private void startCenter() {
    running.put(
        CENTER, sedge.start("center", "start", "--data", CENTER, "--listen", "127.0.0.1:" + port));
    process(CENTER).awaitMessage("people and programs ask");
  }

  private SedgeProcess process(String name) {
    SedgeProcess process = running.get(name);
    if (process == null) {
      throw new IllegalArgumentException(name);
    }
    return process;
  }

  private FaultyLink link(String site) {
    FaultyLink link = links.get(site);
    if (link == null) {
      throw new IllegalArgumentException(site);
    }
    return link;
  }

  /** The center's process that runs, or ran last. */
  public SedgeProcess center() {
    return process(CENTER);
  }

  /** What a command answers that asks a device or the center. */
  public String answer(String... command) {
    return processes.answer(command);
  }

  /** What the center has stored. */
  public CenterDatabase database() {
    return database;
  }

  /** Kill -9 of the center. */
  public Fault centerKilled() {
    return new Fault("kill -9 of the center", () -> process(CENTER).kill(), this::startCenter);
  }

  /** The center stands still. */
  public Fault centerStopped() {
    return new Fault(
        "SIGSTOP of the center", () -> process(CENTER).stop(), () -> process(CENTER).resume());
  }

  /** Kill -9 of a device. */
  public Fault killed(String device) {
    return new Fault(
        "kill -9 of a device", () -> process(device).kill(), () -> again(List.of(device)));
  }

  /** Kill -9 of all devices and the center. */
  public Fault powerLost() {
    return new Fault(
        "all killed at once",
        () -> running.values().forEach(SedgeProcess::kill),
        () -> {
          startCenter();
          again(devices());
        });
  }

  /** All devices, of all sites. */
  public static List<String> devices() {
    return SITES.values().stream().flatMap(List::stream).sorted().toList();
  }

  private void again(List<String> devices) {
    devices.forEach(device -> running.put(device, processes.again(device)));
    devices.forEach(device -> SiteProcesses.awaitUp(process(device)));
  }

  /** A site's link is cut. */
  public Fault cut(String site) {
    return new Fault("link cut", link(site)::cut, link(site)::mend);
  }

  /** A site's link is cut in the middle of what it sends. */
  public Fault cutAfter(String site, long bytes) {
    return new Fault(
        "link cut within a request", () -> link(site).cutAfter(bytes), link(site)::mend);
  }

  /** A site's link lets nothing through, and says nothing. */
  public Fault stalled(String site) {
    return new Fault("link silent", link(site)::stall, link(site)::mend);
  }

  @Override
  public void close() {
    Deque<AutoCloseable> closing = new ArrayDeque<>(running.values());
    closing.addAll(links.values());
    for (AutoCloseable each : closing) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
