package io.sedge.placement;

import static io.sedge.placement.Sites.ALGORITHM;
import static io.sedge.placement.Sites.devices;
import static io.sedge.placement.Sites.equalShards;
import static io.sedge.placement.Sites.fresh;
import static io.sedge.placement.Sites.id;
import static io.sedge.placement.Sites.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static final Policy POLICY = Policy.forStreams();

  @Test
  void aShardSaysWhyItRunsHereAndNotOnEachOtherDevice() {
    List<Device> devices = new ArrayList<>(devices(1000, 2000));
    Map<String, Double> speed = Map.of(ALGORITHM, 1000.0);
    devices.add(new Device("C", Health.UP, 1, 1, 10_000_000, Map.of(), speed));
    devices.add(Device.of("D", ALGORITHM, 1000).with(Health.GONE));
    devices.add(Device.of("E", ALGORITHM, 1000).with(Health.SUSPECT));
    devices.add(Device.of("F", ALGORITHM, 1000).with(Health.DRAINING));
    devices.add(Device.of("G", ALGORITHM, 0));
    devices.add(new Device("H", Health.UP, 1, 1, 60_000_000, Map.of(), speed));
    List<Shard> shards = List.of(shard(0, 600), shard(1, 1000), shard(2, 400));
    Site site = new Site(devices, shards, Map.of(id(0), "A", id(1), "B", id(2), "H"));

    Explanation explanation = Placement.explain(site, POLICY, site.running(), id(1));

    assertThat(explanation.text())
        .isEqualTo(
            """
            Shard plant/0001 (1000 readings/s) runs on B, which does 2000 readings/s of it and is \
            50.0 % busy; the fullest device is 60.0 % busy.
              not A: does 1000 readings/s of it and would be 160.0 % busy with it, more than the \
            fullest device now (60.0 %)
              not C: has 10.0 MB of memory, the shard needs 50.0 MB
              not D: is gone
              not E: does not answer in time and gets no further shard
              not F: is being drained
              not G: has no speed for window
              not H: has 10.0 MB of 60.0 MB of memory free, the shard needs 50.0 MB\
            """);
    assertThat(Placement.loads(site, POLICY))
        .filteredOn(load -> load.shards() > 0)
        .extracting(load -> "%s %.1f".formatted(load.device(), load.busy()))
        .containsExactlyInAnyOrder("A 0.6", "B 0.5", "H 0.4");
    assertThat(explanation.refusals())
        .extracting(Refusal::reason)
        .containsExactly(
            Refusal.Reason.MAKESPAN_RISES,
            Refusal.Reason.MEMORY_TOO_SMALL,
            Refusal.Reason.GONE,
            Refusal.Reason.SUSPECT,
            Refusal.Reason.DRAINING,
            Refusal.Reason.NO_SPEED,
            Refusal.Reason.MEMORY_FULL);
  }

  @Test
  void aMoveThatWouldHelpTooLittleIsExplainedWithBothFigures() {
    Site site =
        new Site(
            devices(1000, 1000),
            List.of(shard(0, 500), shard(1, 20), shard(2, 480)),
            Map.of(id(0), "A", id(1), "A", id(2), "B"));

    assertThat(Placement.explain(site, POLICY, site.running(), id(1)).text())
        .endsWith(
            "not B: does 1000 readings/s of it and would be 50.0 % busy with it; the fullest would"
                + " be 50.0 % instead of 52.0 % busy, which is not worth a move of 0.10 s (shards"
                + " move where 5 % can be saved, from 10 % above the bound, if a device is over 25"
                + " % busy)");
    assertThat(
            Placement.explain(site, POLICY, site.running(), id(2)).refusals().getFirst().reason())
        .isEqualTo(Refusal.Reason.MAKESPAN_RISES);
  }

  @Test
  void aMoveThatLeavesTheFullestAsItIsIsExplained() {
    Site site =
        new Site(
            devices(1000, 1000, 1000),
            List.of(shard(0, 500), shard(1, 100)),
            Map.of(id(0), "A", id(1), "B"));
    Explanation explanation = Placement.explain(site, POLICY, site.running(), id(1));
    assertThat(explanation.refusals().getLast())
        .isEqualTo(
            new Refusal(
                "C",
                Refusal.Reason.NO_GAIN,
                "does 1000 readings/s of it and would be 10.0 % busy with it; the fullest stays"
                    + " 50.0 % busy, as another device is the fullest"));
  }

  @Test
  void aShardThatRunsNowhereIsExplainedToo() {
    Site site = fresh(devices(1, 1), List.of(new Shard(id(0), ALGORITHM, 1, 0, zone(), 0, 0.1)));
    assertThat(Placement.explain(site, POLICY, Map.of(), id(0)).text())
        .isEqualTo(
            """
            Shard plant/0000 (1 readings/s) runs nowhere.
              not A: lacks zone=hall-3
              not B: lacks zone=hall-3\
            """);
    assertThatThrownBy(() -> Placement.explain(site, POLICY, Map.of(), id(7)))
        .hasMessage("shard plant/0007 is not in the site");
  }

  /** The device's own words are all that people have to go by. */
  @Test
  void aShardThatItsDeviceCannotRunGoesToAnotherAndNowhereIfThereIsNone() {
    Map<String, String> unfit = Map.of("A", "/etc/plant.key is not readable");
    Site site = fresh(devices(1, 1), List.of(unfit(unfit))).running(Map.of(id(0), "A"));
    Plan plan = Placement.plan(site, POLICY);
    assertThat(plan.moves()).containsExactly(new Move(id(0), "A", "B", Move.Reason.UNFIT, 0.1));

    Site alone = fresh(devices(1), List.of(unfit(unfit))).running(Map.of(id(0), "A"));
    assertThat(Placement.plan(alone, POLICY).unplaced().getFirst().text())
        .isEqualTo(
            "shard plant/0000 runs nowhere: A cannot run it: /etc/plant.key is not readable");
    assertThat(Placement.explain(alone, POLICY, alone.running(), id(0)).refusals())
        .containsExactly(
            new Refusal(
                "A", Refusal.Reason.UNFIT, "cannot run it: /etc/plant.key is not readable"));
  }

  private static Shard unfit(Map<String, String> devices) {
    return new Shard(id(0), ALGORITHM, 1, 0, Map.of(), 0, 0.1, devices);
  }

  @Test
  void losingADeviceIsForetoldAndThenComesTrue() {
    Site site = settled(fresh(devices(1000, 1000, 2000), equalShards(40, 2400)));

    WhatIf whatIf = Placement.whatIf(site, POLICY, Set.of("C"));

    assertThat(whatIf.text())
        .isEqualTo(
            """
            Without C the fullest device would be 120.0 % busy (now 60.0 %); 20 shards would move.
              The site would fall behind: it has too little speed for its load.
              A takes 10
              B takes 10\
            """);
    Site lost = Sites.with(site, Sites.device(site, "C").with(Health.GONE));
    assertThat(Placement.plan(lost, POLICY)).isEqualTo(whatIf.after());
  }

  @Test
  void whatWouldFitNowhereIsForetold() {
    Map<String, Double> speed = Map.of(ALGORITHM, 10.0);
    Device only = new Device("A", Health.UP, 1, 1, 100, zone(), speed);
    Shard shard = new Shard(id(0), ALGORITHM, 1, 0, zone(), 0, 0.1);
    Site site = settled(fresh(List.of(only, Device.of("B", ALGORITHM, 10)), List.of(shard)));

    WhatIf whatIf = Placement.whatIf(site, POLICY, Set.of("A"));

    assertThat(whatIf.moves()).isEmpty();
    assertThat(whatIf.text())
        .endsWith("\n  shard plant/0000 runs nowhere: A is gone; B lacks zone=hall-3");
    assertThatThrownBy(() -> Placement.whatIf(site, POLICY, Set.of("Q")))
        .hasMessage("lose=[Q] is not of the site; its devices are [A, B]");
  }

  /** The plan guesses that speed by that of other work, which says nothing to people. */
  @Test
  void workWhoseSpeedNoDeviceHasMeasuredIsNoCauseForAlarm() {
    Shard fresh = new Shard(id(1), "average", 5000, 0, Map.of(), 0, 0.1);
    Site site =
        new Site(
            devices(1000, 1000), List.of(shard(0, 500), fresh), Map.of(id(0), "A", id(1), "B"));

    assertThat(Placement.explain(site, POLICY, site.running(), id(1)).text())
        .isEqualTo(
            """
            Shard plant/0001 (5000 readings/s) runs on B; how fast that is with it is not measured yet.
              not A: could run it; how busy it would be is not measured yet\
            """);
    assertThat(Placement.explain(site, POLICY, site.running(), id(0)).text())
        .startsWith(
            "Shard plant/0000 (500 readings/s) runs on A, which does 1000 readings/s of it and is"
                + " 50.0 % busy; the fullest device is 50.0 % busy.");
    assertThat(Placement.whatIf(site, POLICY, Set.of("B")).text())
        .contains("would be 50.0 % busy", "1 shards are not counted in that")
        .doesNotContain("fall behind");
    Site unmeasured = new Site(devices(1000, 1000), List.of(fresh), Map.of(id(1), "B"));
    assertThat(Placement.whatIf(unmeasured, POLICY, Set.of("B")).text())
        .startsWith(
            "Without B 1 shards would move; how busy the devices would be is not measured yet.");
  }

  /** It counts as much as others, which is no measurement. */
  @Test
  void aShardOfWhichNothingIsMeasuredSaysSo() {
    Shard never = new Shard(id(0), ALGORITHM, 52, 0, zone(), 0, 0.1, Map.of(), false);
    Site site = fresh(devices(1), List.of(never));
    assertThat(Placement.explain(site, POLICY, Map.of(), id(0)).text())
        .isEqualTo(
            """
            Shard plant/0000 runs nowhere; nothing is measured of it yet.
              not A: lacks zone=hall-3\
            """);
  }

  private static Map<String, String> zone() {
    return Map.of("zone", "hall-3");
  }

  private static Shard shard(int number, double load) {
    return new Shard(id(number), ALGORITHM, load, 50_000_000, Map.of(), 0, 0.1);
  }
}
