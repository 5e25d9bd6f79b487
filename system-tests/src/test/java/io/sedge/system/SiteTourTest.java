package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.ReadMe;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SiteTour;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * README's "A site of three", typed as it stands there but for the ports: devices are killed and
 * come back, and then every window in {@code results/} is what the auditor knows it must be, once.
 */
@Timeout(900)
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

  private static final int KILLS = Integer.getInteger("sedge.kills", 10);

  @TempDir private Path directory;

  /** Any device, again and again: the leader, the one that delivers, the one that merges. */
  @Test
  void afterTenKillsEachWindowIsInTheResultsOnce() throws Exception {
    assertThat(ReadMe.commands("A site of three")).as("what README says").isEqualTo(TYPED);
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (SiteTour tour = new SiteTour(directory, Sedge.in(directory))) {
      tour.begin(SiteTour.script().toString());
      for (int i = 0; i < KILLS; i++) {
        String name = SiteTour.DEVICES.get(random.nextInt(SiteTour.DEVICES.size()));
        tour.device(name).kill();
        tour.awaitRows("the death of " + name);
        tour.again(name);
      }
      System.out.printf("%d kills; %s%n", KILLS, tour.check());
    }
  }
}
