package io.sedge.placement;

import static io.sedge.placement.Sites.ALGORITHM;
import static io.sedge.placement.Sites.devices;
import static io.sedge.placement.Sites.equalShards;
import static io.sedge.placement.Sites.fresh;
import static io.sedge.placement.Sites.id;
import static io.sedge.placement.Sites.load;
import static io.sedge.placement.Sites.settled;
import static io.sedge.placement.Sites.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
  private static final Policy POLICY = Policy.forStreams();

  /** The case that the project began with: ideal 100/10 = 10, equal shares take 25/1 = 25. */
  @ParameterizedTest
  @ValueSource(ints = {10, 40, 64, 100, 1000})
  void devicesOfSpeedOneToFourShareAHundredUnitsWithinFivePercentOfTheIdeal(int shards) {
    Site site = fresh(devices(1, 2, 3, 4), equalShards(shards, 100));

    Plan plan = Placement.plan(site, POLICY);

    assertThat(plan.makespan()).isBetween(10 - 1e-6, 10.5);
    assertThat(plan.lowerBound()).isCloseTo(10, within(1e-6));
    assertThat(plan.unplaced()).isEmpty();
    assertThat(plan.moves()).hasSize(shards);
  }

  @Test
  void equalSharesWhichTakeTwentyFiveAreMended() {
    Map<ShardId, String> equal = new HashMap<>();
    for (int s = 0; s < 100; s++) {
      equal.put(id(s), String.valueOf((char) ('A' + s % 4)));
    }
    Site site = new Site(devices(1, 2, 3, 4), equalShards(100, 100), equal);

    Plan plan = Placement.plan(site, POLICY);

    assertThat(plan.makespanWithoutMoves()).isCloseTo(25, within(1e-9));
    assertThat(plan.makespan()).isLessThanOrEqualTo(10.2);
    assertThat(plan.moves()).as("15 leave A, 5 leave B, no more is needed").hasSize(20);
    assertThat(plan.moves()).allMatch(move -> move.reason() == Move.Reason.BALANCE);
  }

  @Test
  void whereEveryDeviceHasTimeEnoughShardsStayUnlessSomebodyHasCome() {
    Map<ShardId, String> allOnOne = new HashMap<>();
    for (int s = 0; s < 12; s++) {
      allOnOne.put(id(s), "A");
    }
    Site calm = new Site(devices(1000, 1000, 1000), equalShards(12, 240), allOnOne);

    assertThat(Placement.plan(calm, POLICY).moves()).isEmpty();
    assertThat(Placement.plan(calm, POLICY.eager()).moves()).hasSize(8);
    Site busier = new Site(devices(1000, 1000, 1000), equalShards(12, 300), allOnOne);
    assertThat(Placement.plan(busier, POLICY).moves()).hasSize(8);
  }

  @Test
  void aDeviceThatLosesThreeQuartersOfItsSpeedLosesNoMoreShardsThanNeeded() {
    Site site = settled(fresh(devices(4000, 4000, 4000, 4000), equalShards(160, 8000)));

    Plan plan = Placement.plan(with(site, Device.of("B", ALGORITHM, 1000)), POLICY);

    double ideal = 8000.0 / 13000;
    assertThat(plan.lowerBound()).isCloseTo(ideal, within(1e-6));
    assertThat(plan.makespan()).isLessThan(1.10 * ideal);
    assertThat(plan.moves()).allMatch(move -> "B".equals(move.from()));
    // B had 40 shards of 50/s and may keep 1000 * ideal * 1.02 / 50 = 12.55.
    assertThat(plan.moves()).hasSize(28);
  }

  @Test
  void theShardsOfADeviceThatIsGoneAreTheOnlyOnesThatMove() {
    Site site = settled(fresh(devices(10, 10, 10, 10, 10), equalShards(100, 30)));
    Set<ShardId> ofC = on(site, "C");

    Plan plan = Placement.plan(with(site, Sites.device(site, "C").with(Health.GONE)), POLICY);

    assertThat(plan.moves()).extracting(Move::shard).containsExactlyInAnyOrderElementsOf(ofC);
    assertThat(plan.moves()).allMatch(move -> move.reason() == Move.Reason.GONE);
    assertThat(plan.gap()).isLessThan(0.05);
    assertThat(load(plan, "C").shards()).isZero();
  }

  @Test
  void aDeviceThatTheSiteDoesNotKnowAnyMoreIsGone() {
    Site site = settled(fresh(devices(10, 10, 10), equalShards(30, 15)));
    Site without = site.with(site.devices().subList(0, 2));

    Plan plan = Placement.plan(without, POLICY);

    assertThat(plan.moves()).hasSize(10).allMatch(move -> "C".equals(move.from()));
    assertThat(plan.moves()).allMatch(move -> move.reason() == Move.Reason.GONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 20})
  void aDeviceThatComesBackGetsWorkAgainAndOthersExchangeNothing(int count) {
    double[] speeds = new double[count];
    Arrays.fill(speeds, 10);
    List<Device> all = devices(speeds);
    Device last = all.getLast();
    Site site = settled(fresh(all, equalShards(40 * count, 5 * count)));
    Site without = settled(with(site, last.with(Health.GONE)));

    Plan plan = Placement.plan(with(without, last), POLICY);

    assertThat(plan.moves()).isNotEmpty().allMatch(move -> move.to().equals(last.name()));
    assertThat(plan.moves()).hasSizeLessThanOrEqualTo(40);
    assertThat(plan.gap()).isLessThanOrEqualTo(0.05);
  }

  @Test
  void drainedDevicesHandOverWhatOthersCanTakeAndKeepTheRestForNow() {
    Site fresh =
        fresh(labelled(), List.of(needing(0, "gpu", "true"), Shard.of(id(1), ALGORITHM, 1)));
    Site site = fresh.running(Map.of(id(0), "A", id(1), "A"));

    Plan plan = Placement.plan(with(site, Sites.device(site, "A").with(Health.DRAINING)), POLICY);

    assertThat(plan.places()).containsExactly(Map.entry(id(1), "B"));
    assertThat(plan.moves().getFirst().reason()).isEqualTo(Move.Reason.DRAINING);
    assertThat(plan.unplaced().getFirst().text())
        .isEqualTo(
            "shard plant/0000 stays on A, which is being drained: A is being drained; B lacks"
                + " gpu=true (it has gpu=false)");
  }

  @Test
  void aSuspectDeviceKeepsItsShardsAndGetsNoOther() {
    Site site = settled(fresh(devices(10, 10), equalShards(20, 10)));
    Site suspect = with(site, Sites.device(site, "B").with(Health.SUSPECT));
    List<Shard> more = new ArrayList<>(site.shards());
    more.add(Shard.of(id(100), ALGORITHM, 0.5));

    Plan plan = Placement.plan(new Site(suspect.devices(), more, suspect.running()), POLICY);

    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.places()).containsEntry(id(100), "A");
    assertThat(load(plan, "B").shards()).isEqualTo(10);
  }

  @Test
  void shardsThatNoDeviceCanRunAreReportedWithTheReasonForEachDevice() {
    List<Device> devices = new ArrayList<>(labelled());
    devices.add(Device.of("C", ALGORITHM, 0));
    devices.add(Device.of("D", ALGORITHM, 5).with(Health.GONE));
    Shard large = new Shard(id(0), ALGORITHM, 1, 3_000_000_000L, Map.of(), 0, 0.1);
    Shard far = needing(1, "zone", "hall-9");

    Plan plan = Placement.plan(fresh(devices, List.of(large, far)), POLICY);

    assertThat(plan.places()).isEmpty();
    assertThat(plan.unplaced())
        .extracting(Unplaced::text)
        .containsExactly(
            "shard plant/0000 runs nowhere: A has 1000.0 MB of memory, the shard needs 3000.0 MB;"
                + " B has 1000.0 MB of memory, the shard needs 3000.0 MB;"
                + " C has no speed for window; D is gone",
            "shard plant/0001 runs nowhere: A lacks zone=hall-9; B lacks zone=hall-9;"
                + " C lacks zone=hall-9; D is gone");
    assertThat(plan.makespan()).isZero();
  }

  @Test
  void aSiteWithoutDevicesOrShardsHasAPlan() {
    Plan none = Placement.plan(fresh(List.of(), equalShards(2, 1)), POLICY);
    assertThat(none.unplaced())
        .extracting(Unplaced::text)
        .contains("shard plant/0000 runs nowhere: the site has no device");
    assertThat(Placement.plan(fresh(devices(1), List.of()), POLICY).gap()).isZero();
  }

  @Test
  void memoryIsKeptToAndRoomIsMadeByMovingOthers() {
    Device a = memory("A", 100);
    Device b = memory("B", 100);
    List<Shard> shards = List.of(taking(0, 50), taking(1, 50), taking(2, 40), taking(3, 60));
    Site site = fresh(List.of(a, b), shards).running(Map.of(id(0), "A", id(1), "B", id(2), "A"));

    Plan plan = Placement.plan(site, POLICY);

    assertThat(plan.unplaced()).isEmpty();
    assertThat(plan.devices()).allMatch(load -> load.memoryBytes() == 100);
  }

  @Test
  void aDeviceWhoseMemoryShrinksGivesUpWhatDoesNotFit() {
    List<Shard> shards = List.of(taking(0, 40), taking(1, 40));
    Site site =
        fresh(List.of(memory("A", 50), memory("B", 100)), shards)
            .running(Map.of(id(0), "A", id(1), "A"));

    Plan plan = Placement.plan(site, POLICY);

    assertThat(plan.moves()).hasSize(1);
    assertThat(plan.moves().getFirst().reason()).isEqualTo(Move.Reason.MEMORY);
  }

  @Test
  void aMoveThatDoesNotPayIsNotMade() {
    Map<ShardId, String> allOnA = new HashMap<>();
    List<Shard> cheap = new ArrayList<>();
    List<Shard> dear = new ArrayList<>();
    for (int s = 0; s < 20; s++) {
      allOnA.put(id(s), "A");
      cheap.add(new Shard(id(s), ALGORITHM, 1, 0, Map.of(), 1000, 0.1));
      dear.add(new Shard(id(s), ALGORITHM, 1, 0, Map.of(), 100_000_000_000L, 0.1));
    }
    List<Device> devices = devices(40, 40);
    assertThat(Placement.plan(new Site(devices, cheap, allOnA), POLICY).moves()).hasSize(10);
    assertThat(Placement.plan(new Site(devices, dear, allOnA), POLICY).moves()).isEmpty();
  }

  /** 1 % busy: moving shards would cost more than it brings. */
  @Test
  void aSiteThatHasNothingToDoIsLeftAlone() {
    Map<ShardId, String> allOnA = new HashMap<>();
    List<Shard> shards = equalShards(40, 40);
    shards.forEach(shard -> allOnA.put(shard.id(), "A"));
    assertThat(Placement.plan(new Site(devices(4000, 4000), shards, allOnA), POLICY).moves())
        .isEmpty();
  }

  @Test
  void shardsWithoutLoadAreSpreadToo() {
    Plan plan = Placement.plan(fresh(devices(10, 10, 20), equalShards(40, 0)), POLICY);
    assertThat(plan.devices()).extracting(DeviceLoad::shards).containsExactly(10, 10, 20);
  }

  /** A large shard that only one slow device may run must not hide what happens elsewhere. */
  @Test
  void devicesBelowAPinnedShardAreBalancedToo() {
    List<Shard> shards = new ArrayList<>(equalShards(40, 4000));
    shards.add(needing(99, "gpu", "true"));
    Device slow =
        new Device("G", Health.UP, 1, 1, 1000, Map.of("gpu", "true"), Map.of(ALGORITHM, 1.0));
    List<Device> devices = new ArrayList<>(devices(8000, 8000));
    devices.add(slow);
    Map<ShardId, String> running = new HashMap<>(Map.of(id(99), "G"));
    equalShards(40, 4000).forEach(shard -> running.put(shard.id(), "A"));

    Plan plan = Placement.plan(new Site(devices, shards, running), POLICY);

    assertThat(plan.makespan()).isCloseTo(1, within(1e-6));
    assertThat(load(plan, "A").busy()).isLessThan(0.26);
    assertThat(load(plan, "B").busy()).isLessThan(0.26);
    assertThat(plan.places()).containsEntry(id(99), "G");
  }

  @Test
  void anAlgorithmThatADeviceHasNotRunYetIsInferredFromTheOthers() {
    Device fast = several("F", Map.of("a", 4000.0, "b", 400.0));
    Device slow = several("S", Map.of("a", 1000.0));
    Device unknown = several("U", Map.of());
    List<Shard> shards = new ArrayList<>();
    for (int s = 0; s < 70; s++) {
      shards.add(Shard.of(id(s), "b", 1));
    }
    Plan plan = Placement.plan(fresh(List.of(fast, slow, unknown), shards), POLICY);
    assertThat(load(plan, "F").shards() / (double) load(plan, "S").shards()).isBetween(3.5, 4.5);
    assertThat(load(plan, "U").shards())
        .isBetween(load(plan, "S").shards(), load(plan, "F").shards());
  }

  @Test
  void heatAndTheShareOfTheCpuCount() {
    Map<String, Double> speed = Map.of(ALGORITHM, 1000.0);
    Device half = new Device("A", Health.UP, 0.5, 1, 100, Map.of(), speed);
    Device hot = new Device("B", Health.UP, 2, 0.25, 100, Map.of(), speed);
    Device whole = new Device("C", Health.UP, 1, 1, 100, Map.of(), speed);
    Plan plan = Placement.plan(fresh(List.of(half, hot, whole), equalShards(40, 1000)), POLICY);
    assertThat(plan.devices()).extracting(DeviceLoad::shards).containsExactly(10, 10, 20);
  }

  @Test
  void theOrderInWhichThingsAreListedDoesNotMatter() {
    Site site = fresh(devices(3, 1, 2), equalShards(31, 4));
    Site reversed = fresh(site.devices().reversed(), site.shards().reversed());
    assertThat(Placement.plan(reversed, POLICY)).isEqualTo(Placement.plan(site, POLICY));
  }

  @Test
  void whatCannotBeASiteOrAPolicyIsRefused() {
    List<Device> twice = List.of(Device.of("A", "x", 1), Device.of("A", "x", 1));
    assertThatThrownBy(() -> fresh(twice, List.of()))
        .hasMessage("device A is twice in the site; names are unique");
    assertThatThrownBy(() -> fresh(List.of(), List.of(taking(0, 1), taking(0, 1))))
        .hasMessage("shard plant/0000 is twice in the site; names are unique in a job");
    assertThatThrownBy(() -> Shard.of(id(0), "x", -1))
        .hasMessage("load of shard plant/0000=-1.0 is not a finite number of at least 0.0");
    assertThatThrownBy(() -> new Device("A", Health.UP, 1, 2, 0, Map.of(), Map.of()))
        .hasMessage("limitFactor=2.0 of device A is not from 0 to 1");
    assertThatThrownBy(() -> new Policy(0.1, 0.2, 0, 0, 1, 1))
        .hasMessage("settle=0.2 is above trigger=0.1; a plan would undo itself");
  }

  private static Set<ShardId> on(Site site, String device) {
    Map<ShardId, String> running = new HashMap<>(site.running());
    running.values().removeIf(name -> !name.equals(device));
    return running.keySet();
  }

  private static List<Device> labelled() {
    Map<String, Double> speed = Map.of(ALGORITHM, 10.0);
    return List.of(
        new Device("A", Health.UP, 1, 1, 1_000_000_000, Map.of("gpu", "true"), speed),
        new Device("B", Health.UP, 1, 1, 1_000_000_000, Map.of("gpu", "false"), speed));
  }

  private static Shard needing(int number, String label, String value) {
    return new Shard(id(number), ALGORITHM, 1, 0, Map.of(label, value), 0, 0.1);
  }

  private static Device memory(String name, long bytes) {
    return new Device(name, Health.UP, 1, 1, bytes, Map.of(), Map.of(ALGORITHM, 10.0));
  }

  private static Shard taking(int number, long bytes) {
    return new Shard(id(number), ALGORITHM, 1, bytes, Map.of(), 0, 0.1);
  }

  private static Device several(String name, Map<String, Double> speeds) {
    return new Device(name, Health.UP, 1, 1, 100, Map.of(), speeds);
  }
}
