package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import io.sedge.system.testkit.SiteTour;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One device after the other of a site that works is stopped, and started with another version: no
 * window is lost, none is there twice. The version before is the one whose libraries {@code
 * -Dsedge.before=DIRECTORY} names; without it the devices are restarted as they are.
 */
@Timeout(900)
final class UpgradeTest {
  private static final Pattern LEADER = Pattern.compile("(?m)^([abc]) .*, leads");

  @TempDir private Path directory;

  /** The first one goes back once, before it is upgraded for good. */
  @Test
  void devicesAreUpgradedOneAfterTheOtherWhileTheSiteWorks() throws Exception {
    Sedge now = Sedge.in(directory);
    String library = System.getProperty("sedge.before", "");
    Sedge before = library.isEmpty() ? now : Sedge.in(directory, Path.of(library));
    SiteProcesses older = new SiteProcesses(before, SiteNetwork.loopback());
    SiteProcesses newer = new SiteProcesses(now, SiteNetwork.loopback());
    String script = Files.readString(SiteTour.script());
    now.script("site.sql", "SET 'sedge.commit-interval' = '100 ms';\n" + script);
    try (SiteTour tour = new SiteTour(directory, before);
        Pauses pauses = new Pauses(tour)) {
      tour.begin("site.sql");
      pauses.begin();
      tour.awaitRows("the beginning");
      pauses.say("at rest");
      List<String> devices = leaderLast(tour);
      restart(tour, devices.getFirst(), newer);
      restart(tour, devices.getFirst(), older);
      pauses.say("an upgrade and the way back of " + devices.getFirst());
      for (String name : devices) {
        restart(tour, name, newer);
        pauses.say("the upgrade of " + name);
      }
      System.out.println(tour.check());
    }
  }

  private static void restart(SiteTour tour, String name, SiteProcesses version) {
    tour.device(name).terminate();
    assertThat(tour.device(name).exitCode()).as(tour.device(name)::toString).isZero();
    tour.again(name, version);
    tour.awaitRows("the restart of " + name);
  }

  private static List<String> leaderLast(SiteTour tour) {
    String status = tour.answer("site", "status", "--data", "a");
    String leader =
        LEADER.matcher(status).results().map(found -> found.group(1)).findFirst().orElseThrow();
    List<String> names = new ArrayList<>(SiteTour.DEVICES);
    names.remove(leader);
    names.add(leader);
    return names;
  }

  /**
   * For how long no row of a machine comes, where one is due each half second: that is how long a
   * window takes at ten times the plant's speed, and tasks commit more often.
   */
  private static final class Pauses implements AutoCloseable {
    private static final long EVERY_MILLIS = 50;

    private final SiteTour tour;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Long> latest = new HashMap<>();
    private final Map<String, Long> seenNanos = new HashMap<>();
    private long longestNanos;
    private String longest = "";

    Pauses(SiteTour tour) {
      this.tour = tour;
    }

    void begin() {
      var _ =
          timer.scheduleWithFixedDelay(
              () -> look(tour.latest()), 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look(Map<String, Long> ends) {
      long now = System.nanoTime();
      ends.forEach(
          (machine, end) -> {
            if (!end.equals(latest.put(machine, end))) {
              Long before = seenNanos.put(machine, now);
              if (before != null && now - before > longestNanos) {
                longestNanos = now - before;
                longest = machine;
              }
            }
          });
    }

    /** Of the time since this was said the last time. */
    synchronized void say(String what) {
      System.out.printf(
          "%s: the longest time between two rows of a machine is %d ms, of %s%n",
          what, Duration.ofNanos(longestNanos).toMillis(), longest);
      longestNanos = 0;
    }

    @Override
    public void close() {
      var _ = timer.shutdownNow();
    }
  }
}
