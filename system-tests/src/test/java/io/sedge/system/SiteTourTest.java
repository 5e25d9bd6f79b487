package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.system.testkit.PlantAuditor;
import io.sedge.system.testkit.PlantAuditor.Window;
import io.sedge.system.testkit.PlantAuditor.WindowKey;
import io.sedge.system.testkit.ReadMe;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SinkFiles;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * README's "A site of three", typed as it stands there but for the ports: devices are killed and
 * come back, and then every window in {@code results/} is what the auditor knows it must be, once.
 */
@Timeout(900)
@Isolated
final class SiteTourTest {
  private static final List<String> TYPED =
      List.of(
          "./sedge device start --data a --name a",
          "./sedge device join 127.0.0.1:7411 --token sedge-… --data b --name b",
          "./sedge device join 127.0.0.1:7411 --token sedge-… --data c --name c",
          "./sedge broker",
          "./sedge simulate plant",
          "./sedge job submit examples/site.sql --data a",
          "./sedge site watch --data b");

  private static final int MACHINES = 8;
  private static final int KILLS = Integer.getInteger("sedge.kills", 10);

  /** Ten times what README types, as in the part before: 260 readings a second. */
  private static final String SPEED = "10";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss[.SSS]");

  @TempDir private Path directory;
  private Sedge sedge;
  private SiteProcesses site;
  private final Map<String, SedgeProcess> devices = new HashMap<>();

  @Test
  void afterTenKillsEachWindowIsInTheResultsOnce() throws Exception {
    assertThat(ReadMe.commands("A site of three")).as("what README says").isEqualTo(TYPED);
    sedge = Sedge.in(directory);
    site = new SiteProcesses(sedge, SiteNetwork.loopback());
    try (SedgeProcess broker = sedge.start("broker", "--port", "0")) {
      String line = broker.awaitMessage("the broker listens on mqtt://");
      String url = line.substring(line.indexOf("mqtt://"));
      int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
      begin();
      try (PlantAuditor auditor = PlantAuditor.at(port);
          SedgeProcess plant =
              sedge.start("simulate", "plant", "--broker", url, "--speed", SPEED)) {
        String script = Sedge.project().resolve("examples/site.sql").toString();
        site.answer("job", "submit", script, "--data", "a", "--var", "BROKER=" + url);
        anyDevice().until(() -> machinesSeen() == MACHINES, () -> "rows of all machines");
        long whole = firstWholeMillis();
        killAndBringBack(auditor);
        plant.interrupt();
        assertThat(plant.exitCode()).as(plant::toString).isZero();
        long closed = auditor.closedMillis();
        awaitAll(auditor, whole, closed);
        site.answer("job", "stop", "site", "--data", "a");
        anyDevice().until(() -> inProgress().isEmpty(), () -> "files finished: " + inProgress());
        assertThat(auditor.strange()).isEmpty();
        check(auditor, whole, closed);
      }
    } finally {
      devices.values().forEach(SedgeProcess::close);
    }
  }

  private void begin() {
    devices.put("a", site.device("a", SiteProcesses.freePorts(), "start"));
    SiteProcesses.awaitUp(anyDevice());
    for (String name : List.of("b", "c")) {
      SedgeProcess device = site.device(name, SiteProcesses.freePorts(), site.joining("a"));
      SiteProcesses.awaitUp(device);
      devices.put(name, device);
    }
  }

  private SedgeProcess anyDevice() {
    return devices.values().iterator().next();
  }

  /** Any device, again and again: the leader, the one that delivers, the one that merges. */
  private void killAndBringBack(PlantAuditor auditor) {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<String> names = List.of("a", "b", "c");
    for (int i = 0; i < KILLS; i++) {
      String name = names.get(random.nextInt(names.size()));
      devices.get(name).kill();
      long closed = auditor.closedMillis() + 2 * PlantAuditor.WINDOW_MILLIS;
      String witness = names.get((names.indexOf(name) + 1) % names.size());
      devices
          .get(witness)
          .until(() -> latest("machines") >= closed, () -> "rows after the death of " + name);
      SedgeProcess again = site.again(name);
      SiteProcesses.awaitUp(again);
      devices.put(name, again);
    }
  }

  private void awaitAll(PlantAuditor auditor, long after, long until) {
    Set<WindowKey> machines = auditor.machines(after, until).keySet();
    Set<WindowKey> zones = auditor.zones(after, until).keySet();
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

  private void check(PlantAuditor auditor, long after, long until) {
    Map<WindowKey, Window> machines = auditor.machines(after, until);
    Map<WindowKey, List<List<String>>> found = rows("machines", 1, after, until);
    assertThat(found.keySet()).as("windows of machines").isEqualTo(machines.keySet());
    assertThat(machines.size()).as("windows").isGreaterThan(MACHINES * KILLS);
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
    Map<WindowKey, Window> zones = auditor.zones(after, until);
    Map<WindowKey, List<List<String>>> merged = rows("zones", 2, after, until);
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
    System.out.printf(
        "%d kills; %,d windows of machines and %,d of zones are in the results, each once%n",
        KILLS, found.size(), merged.size());
  }

  private long machinesSeen() {
    return rows("machines", 1, 0, Long.MAX_VALUE).keySet().stream()
        .map(WindowKey::group)
        .distinct()
        .count();
  }

  /** The job began while the plant ran: the first window of each shard may lack readings. */
  private long firstWholeMillis() {
    Map<String, Long> first = new HashMap<>();
    keys("machines", 1).forEach(key -> first.merge(key.group(), key.endMillis(), Math::min));
    return first.values().stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  private long latest(String table) {
    return keys(table, 1).stream().mapToLong(WindowKey::endMillis).max().orElse(0);
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
}
