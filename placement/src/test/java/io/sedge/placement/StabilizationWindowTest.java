package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Moves that gain little wait until it is certain that they gain anything. */
class StabilizationWindowTest {
  private static final Policy POLICY = Policy.forStreams();
  private static final long SECOND = 1_000_000_000;

  private final StabilizationWindow window = new StabilizationWindow();
  private long second;

  /** Eleven shards of 1,000 readings/s, of which A has six and B five. */
  private static Site coarse(double speedOfA, double speedOfB) {
    Map<ShardId, String> running = new HashMap<>();
    for (int s = 0; s < 11; s++) {
      running.put(Sites.id(s), s < 6 ? "A" : "B");
    }
    return new Site(Sites.devices(speedOfA, speedOfB), Sites.equalShards(11, 11_000), running);
  }

  private List<Move> next(Site site) {
    second++;
    return window.plan(site, POLICY, second * SECOND).moves();
  }

  @Test
  void aClearGainDoesNotWait() {
    assertThat(next(coarse(2_000, 7_000))).isNotEmpty();
  }

  @Test
  void aSmallGainIsTakenWhenItHasBeenThereForLong() {
    Site site = coarse(6_000, 7_000);
    assertThat(Placement.plan(site, POLICY).moves()).hasSize(1);
    for (int i = 0; i < 30; i++) {
      assertThat(next(site)).as("second %d", second).isEmpty();
    }
    assertThat(next(site)).hasSize(1);
    assertThat(next(site)).as("the next one waits again").isEmpty();
  }

  @Test
  void aGainThatComesAndGoesIsNeverTaken() {
    for (int i = 0; i < 600; i++) {
      assertThat(next(i % 25 == 0 ? coarse(7_000, 7_000) : coarse(6_000, 7_000))).isEmpty();
    }
  }

  @Test
  void aGainNowOfOneDeviceAndThenOfAnotherIsNeverTaken() {
    Site seven = coarse(6_000, 7_000);
    Map<ShardId, String> other = new HashMap<>(seven.running());
    other.put(Sites.id(5), "B");
    Site site = new Site(Sites.devices(7_000, 6_000), seven.shards(), other);
    assertThat(Placement.plan(site, POLICY).moves()).hasSize(1);
    for (int i = 0; i < 600; i++) {
      assertThat(next(i / 20 % 2 == 0 ? seven : site)).isEmpty();
    }
  }

  @Test
  void nobodyKnowsWhatWasWhileNothingWasPlanned() {
    for (int i = 0; i < 20; i++) {
      assertThat(next(coarse(6_000, 7_000))).isEmpty();
    }
    second += 20;
    assertThat(next(coarse(6_000, 7_000))).isEmpty();
  }

  @Test
  void whatHasToMoveDoesNotWaitAndGoesWhereItShouldIfNothingElseMoves() {
    Site coarse = coarse(6_000, 7_000);
    List<Device> devices = new ArrayList<>(coarse.devices());
    devices.add(Device.of("C", Sites.ALGORITHM, 1_000).with(Health.GONE));
    List<Shard> shards = new ArrayList<>(coarse.shards());
    shards.add(Shard.of(Sites.id(11), Sites.ALGORITHM, 10));
    Map<ShardId, String> running = new HashMap<>(coarse.running());
    running.put(Sites.id(11), "C");
    Site site = new Site(devices, shards, running);
    assertThat(Placement.plan(site, POLICY).moves()).hasSize(2);
    assertThat(next(site))
        .singleElement()
        .satisfies(
            move -> {
              assertThat(move.reason()).isEqualTo(Move.Reason.GONE);
              assertThat(move.to()).isEqualTo("B");
            });
  }

  @Test
  void aDeviceWithAClearGainIsRelievedFurtherForAWhile() {
    assertThat(next(coarse(2_000, 7_000))).isNotEmpty();
    second += 8;
    assertThat(next(coarse(6_000, 7_000))).hasSize(1);
    second += 8;
    assertThat(next(coarse(6_000, 7_000))).isEmpty();
  }

  /** Each of three machines has other work at times, which takes three quarters of it. */
  @Test
  void devicesThatOtherWorkTakesAtTimesDoNotHandTheirShardsAround() {
    SplittableRandom random = new SplittableRandom(7);
    List<Shard> shards = Sites.equalShards(12, 12_000);
    Map<ShardId, String> running = new HashMap<>();
    for (int s = 0; s < shards.size(); s++) {
      running.put(Sites.id(s), "ABC".substring(s % 3, s % 3 + 1));
    }
    double[] shares = {1, 1, 1};
    int unheld = 0;
    List<Long> changes = new ArrayList<>();
    for (int i = 0; i < 3_600; i++) {
      if (i % 40 == 0) {
        Arrays.setAll(shares, _ -> random.nextInt(3) == 0 ? 0.25 : 1);
      }
      Site site =
          new Site(
              Sites.devices(8_000 * shares[0], 8_000 * shares[1], 8_000 * shares[2]),
              shards,
              running);
      unheld += Placement.plan(site, POLICY).moves().isEmpty() ? 0 : 1;
      second++;
      Plan plan = window.plan(site, POLICY, second * SECOND);
      if (!plan.moves().isEmpty()) {
        changes.add(second);
      }
      running = plan.places();
    }
    assertThat(unheld).as("seconds with a gain").isGreaterThan(1_000);
    assertThat(changes).as("seconds with moves").hasSizeLessThan(20);
  }

  /** What is there for good is found, and a first loss is mended at once. */
  @Test
  void aDeviceThatLosesItsSpeedAgainAndAgainIsRelievedLaterAndLater() {
    Site site = coarse(7_000, 7_000);
    List<Integer> waits = new ArrayList<>();
    for (int loss = 0; loss < 4; loss++) {
      site = settled(site.running(), 2_000, 7_000, waits);
      site = settled(site.running(), 7_000, 2_000, new ArrayList<>());
    }
    assertThat(waits.get(0)).isEqualTo(1);
    assertThat(waits.get(1)).isEqualTo(1);
    assertThat(waits.get(2)).isBetween(60, 70);
    assertThat(waits.get(3)).isBetween(120, 130);
  }

  /** Plans until shards have moved, and for a while longer; notes after how many seconds it was. */
  private Site settled(
      Map<ShardId, String> before, double speedOfA, double speedOfB, List<Integer> waits) {
    Map<ShardId, String> running = before;
    int wait = 0;
    for (int after = 0; after < 20; after += running.equals(before) ? 0 : 1) {
      second++;
      wait += running.equals(before) ? 1 : 0;
      Site site =
          new Site(Sites.devices(speedOfA, speedOfB), Sites.equalShards(11, 11_000), running);
      running = window.plan(site, POLICY, second * SECOND).places();
    }
    waits.add(wait);
    return new Site(Sites.devices(speedOfA, speedOfB), Sites.equalShards(11, 11_000), running);
  }

  /** One of two equal devices has an odd shard, or a larger one, and noise says which is worse. */
  @Test
  void noiseMovesNothingBetweenEqualDevices() {
    for (double unevenness : new double[] {0, 0.8}) {
      assertThat(movesByNoise(unevenness, false)).as("without the window").isGreaterThan(10);
      assertThat(movesByNoise(unevenness, true)).as("unevenness %s", unevenness).isZero();
    }
  }

  /** In ten minutes, if what is measured of devices and shards varies each few seconds. */
  private int movesByNoise(double unevenness, boolean stabilized) {
    SplittableRandom random = new SplittableRandom(1);
    double[] loads = random.doubles(11, 1_000 - 500 * unevenness, 1_000.1).toArray();
    double speed = Arrays.stream(loads).sum() / 2 * 1.2;
    Map<ShardId, String> running = Map.of();
    int moves = 0;
    for (int i = 0; i < 120; i++) {
      List<Shard> shards = new ArrayList<>();
      for (int s = 0; s < loads.length; s++) {
        shards.add(Shard.of(Sites.id(s), Sites.ALGORITHM, loads[s] * noisy(random, 0.02)));
      }
      Site site =
          Sites.fresh(
              Sites.devices(speed * noisy(random, 0.08), speed * noisy(random, 0.08)), shards);
      for (int j = 0; j < 5; j++) {
        second++;
        Site now = site.running(running);
        Plan plan =
            stabilized ? window.plan(now, POLICY, second * SECOND) : Placement.plan(now, POLICY);
        moves += i == 0 ? 0 : plan.moves().size();
        running = plan.places();
      }
    }
    return moves;
  }

  private static double noisy(SplittableRandom random, double noise) {
    return Math.exp(noise * random.nextGaussian());
  }
}
