package io.sedge.system.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.system.testkit.PlantAuditor.Window;
import io.sedge.system.testkit.PlantAuditor.WindowKey;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code examples/site.sql} on devices a, b and c, at 260 readings a second of the simulated plant,
 * with an auditor beside it: whatever becomes of the devices, every window must be in {@code
 * results/} as the auditor knows it must be, once.
 */
public final class SiteTour implements AutoCloseable {
  public static final List<String> DEVICES = List.of("a", "b", "c");

  private static final int MACHINES = 8;

  /** Ten times what README types. */
  private static final String SPEED = "10";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss[.SSS]");

  private final Path directory;
  private final SiteProcesses site;
  private final Map<String, SedgeProcess> devices = new HashMap<>();
  private final SedgeProcess broker;
  private final String url;
  private final PlantAuditor auditor;
  private final SedgeProcess plant;
  private long wholeMillis;

  /**
   * Starts the plant and its broker.
   *
   * @param directory where {@code results/} is, and a directory for each device
   */
  public SiteTour(Path directory, Sedge sedge) throws InterruptedException {
    this.directory = directory;
    this.site = new SiteProcesses(sedge, SiteNetwork.loopback());
    broker = sedge.start("broker", "--port", "0");
    String line = broker.awaitMessage("the broker listens on mqtt://");
    url = line.substring(line.indexOf("mqtt://"));
    auditor = PlantAuditor.at(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)));
    plant = sedge.start("simulate", "plant", "--broker", url, "--speed", SPEED);
  }

  /** What README submits. */
  public static Path script() {
    return Sedge.project().resolve("examples/site.sql");
  }

  /**
   * Starts the devices and the job, and waits until there are rows of all machines.
   *
   * @param script the job; {@link #script} or one that differs in its settings
   */
  public void begin(String script) {
    start("a", site.device("a", SiteProcesses.freePorts(), "start"));
    for (String name : List.of("b", "c")) {
      start(name, site.device(name, SiteProcesses.freePorts(), site.joining("a")));
    }
    site.answer("job", "submit", script, "--data", "a", "--var", "BROKER=" + url);
    anyDevice().until(() -> latest().size() == MACHINES, () -> "rows of all machines");
    wholeMillis = firstWholeMillis();
  }

  private SedgeProcess anyDevice() {
    return devices.values().stream().filter(SedgeProcess::isRunning).findAny().orElseThrow();
  }

  public SedgeProcess device(String name) {
    SedgeProcess device = devices.get(name);
    if (device == null) {
      throw new IllegalArgumentException(name);
    }
    return device;
  }

  /** What a command answers. */
  public String answer(String... command) {
    return site.answer(command);
  }

  /** Starts a device again that has ended. */
  public void again(String name) {
    again(name, site);
  }

  /** Starts a device again that has ended, as another version. */
  public void again(String name, SiteProcesses version) {
    start(name, version.again(name));
  }

  private void start(String name, SedgeProcess device) {
    devices.put(name, device);
    SiteProcesses.awaitUp(device);
  }

  /** Waits until there are rows of windows that are not closed yet. */
  public void awaitRows(String after) {
    long closed = auditor.closedMillis() + 2 * PlantAuditor.WINDOW_MILLIS;
    anyDevice()
        .until(
            () -> latest().values().stream().anyMatch(end -> end >= closed),
            () -> "rows after " + after);
  }

  /** The end of the last window of each machine that is in the results, in the plant's clock. */
  public Map<String, Long> latest() {
    Map<String, Long> latest = new HashMap<>();
    keys("machines", 1).forEach(key -> latest.merge(key.group(), key.endMillis(), Math::max));
    return latest;
  }

  /**
   * Stops the plant and the job; all windows must be there, as they must be.
   *
   * @return how many windows there are of machines, and of zones
   */
  public String check() {
    plant.interrupt();
    assertThat(plant.exitCode()).as(plant::toString).isZero();
    long closed = auditor.closedMillis();
    awaitAll(closed);
    site.answer("job", "stop", "site", "--data", "a");
    anyDevice().until(() -> inProgress().isEmpty(), () -> "files finished: " + inProgress());
    assertThat(auditor.strange()).isEmpty();
    return check(closed);
  }

  private void awaitAll(long until) {
    Set<WindowKey> machines = auditor.machines(wholeMillis, until).keySet();
    Set<WindowKey> zones = auditor.zones(wholeMillis, until).keySet();
    anyDevice()
        .until(
            () -> keys("machines", 1).containsAll(machines) && keys("zones", 2).containsAll(zones),
            () ->
                "all windows until %d; missing %s %s"
                    .formatted(
                        until,
                        without(machines, keys("machines", 1)),
                        without(zones, keys("zones", 2))));
  }

  private static Set<WindowKey> without(Set<WindowKey> all, Set<WindowKey> some) {
    return all.stream().filter(key -> !some.contains(key)).collect(Collectors.toSet());
  }

  private String check(long until) {
    Map<WindowKey, Window> machines = auditor.machines(wholeMillis, until);
    Map<WindowKey, List<List<String>>> found = rows("machines", 1, wholeMillis, until);
    assertThat(found.keySet()).as("windows of machines").isEqualTo(machines.keySet());
    found.forEach(
        (key, rows) -> {
          assertThat(rows).as("rows of %s", key).hasSize(1);
          Window window = machines.get(key);
          assertThat(rows.getFirst().get(2)).as("%s", key).isEqualTo("" + window.readings());
          String hottest = rows.getFirst().get(3);
          assertThat(hottest.isEmpty() ? Double.NaN : Double.parseDouble(hottest))
              .as("%s", key)
              .isEqualTo(Double.valueOf(window.hottest())); // NaN if none
        });
    Map<WindowKey, Window> zones = auditor.zones(wholeMillis, until);
    Map<WindowKey, List<List<String>>> merged = rows("zones", 2, wholeMillis, until);
    assertThat(merged.keySet()).as("windows of zones").isEqualTo(zones.keySet());
    merged.forEach(
        (key, rows) -> {
          assertThat(rows).as("rows of %s", key).hasSize(1);
          Window window = zones.get(key);
          assertThat(rows.getFirst().get(3)).as("%s", key).isEqualTo("" + window.readings());
          double mean = window.sum() / window.readings();
          assertThat(Double.parseDouble(rows.getFirst().get(4)))
              .as("%s", key)
              .isCloseTo(mean, within(1e-9 * Math.max(1, Math.abs(mean))));
        });
    return "%,d windows of machines and %,d of zones are in the results, each once"
        .formatted(found.size(), merged.size());
  }

  /** The job began while the plant ran: the first window of each shard may lack readings. */
  private long firstWholeMillis() {
    Map<String, Long> first = new HashMap<>();
    keys("machines", 1).forEach(key -> first.merge(key.group(), key.endMillis(), Math::min));
    return first.values().stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  private Set<WindowKey> keys(String table, int groupColumns) {
    return rows(table, groupColumns, 0, Long.MAX_VALUE).keySet();
  }

  /** Cells of the rows in a table's directory, hidden files in progress included, by window. */
  private Map<WindowKey, List<List<String>>> rows(
      String table, int groupColumns, long afterMillis, long untilMillis) {
    Map<WindowKey, List<List<String>>> rows = new HashMap<>();
    for (String line : SinkFiles.lines(results(table))) {
      List<String> cells = List.of(line.split(",", -1));
      LocalDateTime end = LocalDateTime.parse(cells.get(groupColumns), TIME);
      long millis = end.atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
      if (millis > afterMillis && millis <= untilMillis) {
        WindowKey key = new WindowKey(String.join(",", cells.subList(0, groupColumns)), millis);
        rows.computeIfAbsent(key, _ -> new ArrayList<>()).add(cells);
      }
    }
    return rows;
  }

  private Path results(String table) {
    return directory.resolve("results").resolve(table);
  }

  private List<String> inProgress() {
    return Stream.of("machines", "zones")
        .flatMap(table -> SinkFiles.inProgress(results(table)).stream())
        .toList();
  }

  @Override
  public void close() {
    devices.values().forEach(SedgeProcess::close);
    plant.close();
    auditor.close();
    broker.close();
  }
}
