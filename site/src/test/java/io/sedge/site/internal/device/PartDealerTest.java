package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.division.Fragment;
import io.sedge.engine.plan.Plan;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.Health;
import io.sedge.sql.Job;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who gets which part, in virtual time, with devices that share their speed among their parts, and
 * take a while to begin each.
 */
@Tag("computing")
class PartDealerTest {
  private static final long MILLI = 1_000_000;

  /** From the gift of a part until its device has opened it. */
  private static final long HANDOVER_NANOS = 300 * MILLI;

  /** What a turn is divided into, so that little is lost where a part ends in the middle of it. */
  private static final long STEP_NANOS = 5 * MILLI;

  /** What takes a device of speed 1,000,000 so many microseconds. */
  private static final long LOAD = 100_000_000;

  /** Bytes of a load of 1. */
  private static final int BYTES = 40;

  private static final long TOTAL_BYTES = LOAD * BYTES;

  private final SimulatedNetwork network = new SimulatedNetwork(new Random(7), _ -> {});
  private final PartDealer dealer = new PartDealer(new DeviceLog(InstantSource.system(), _ -> {}));
  private final Map<String, Double> speeds = new TreeMap<>();
  private final Map<String, Double> processors = new HashMap<>();
  private final Map<String, Health> healths = new TreeMap<>();
  private final Map<TaskId, Double> left = new HashMap<>();
  private final Map<TaskId, Long> begins = new HashMap<>();
  private final List<Fragment> fragments = new ArrayList<>();
  private final Map<String, Integer> moved = new TreeMap<>();
  private long now;

  /**
   * @param speed of the load, per second
   */
  private void device(String name, double speed) {
    device(name, speed, 0.2);
  }

  private void device(String name, double speed, double cpus) {
    done(new Command.RegisterDevice(name, "", Map.of()));
    done(
        new Command.MeasureDevice(
            name,
            new Measures(
                cpus, 1, 1 << 30, ProcessUse.UNKNOWN, Map.of(), Map.of(), Map.of(), Map.of())));
    speeds.put(name, speed * BYTES);
    processors.put(name, Math.max(1, cpus));
    healths.put(name, Health.UP);
  }

  private void unfit(String device, TaskId part) {
    Map<String, Remark> remarks =
        Map.of(part.toString(), new Remark(Remark.Kind.UNFIT, "its file is not there"));
    done(
        new Command.MeasureDevice(
            device,
            new Measures(
                0.2, 1, 1 << 30, ProcessUse.UNKNOWN, Map.of(), Map.of(), Map.of(), remarks)));
  }

  @Test
  void aPartLeavesADeviceThatIsUnfitForItAndStaysWhereAllAre() {
    device("a", 1_000_000);
    device("b", 1_000_000);
    job();
    turn(0.1);
    Task part =
        network.state().tasks().stream()
            .filter(task -> task.device().equals("a"))
            .findFirst()
            .orElseThrow();
    unfit("a", part.id());
    for (int i = 0; i < 100 && deviceOf(part).equals("a"); i++) {
      turn(0.1);
    }
    assertThat(deviceOf(part)).isEqualTo("b");
    moved.clear();
    unfit("b", part.id());
    turn(0.1);
    assertThat(moved).isEmpty();
  }

  private String deviceOf(Task task) {
    return network.state().task(task.id()).orElseThrow().device();
  }

  private void done(Command command) {
    assertThat(network.command(command)).isInstanceOf(Answer.Done.class);
  }

  /** Parts as a source would cut them. */
  private void job() {
    done(new Command.SubmitJob("job", ""));
    PartSizes sizes = PartDealer.sizes(network.state(), this::health);
    Job compiled = compiled("");
    List<InputPart> parts = new ArrayList<>();
    long rest = TOTAL_BYTES;
    while (rest > 0) {
      long bytes = Math.min(rest, sizes.next(TOTAL_BYTES, rest));
      rest -= bytes;
      String name = "%04d".formatted(parts.size());
      parts.add(new InputPart("t", name, "", bytes));
      fragments.add(fragment("t", compiled, new Part(name, "", bytes)));
    }
    done(new Command.SetParts("job", 1, parts));
  }

  /** What is to be read of a table whose readers must have labels. */
  private static Job compiled(String labels) {
    return new Job(
        "job",
        Map.of(Job.LABELS, labels),
        List.of(),
        Map.of(),
        Map.of(),
        new Plan(List.of()),
        (_, _, _) -> Optional.empty(),
        _ -> Optional.empty());
  }

  private static Fragment fragment(String table, Job job, Part part) {
    return new Fragment(
        table + "/" + part.name(),
        job,
        Optional.of(table),
        Optional.of(""),
        Optional.empty(),
        Optional.of(part));
  }

  @Test
  void partsOfEachTableGoToDevicesThatHaveItsLabels() {
    device("a", 1_000);
    device("b", 1_000);
    done(new Command.RegisterDevice("a", "", Map.of("zone", "north")));
    done(new Command.RegisterDevice("b", "", Map.of("zone", "south")));
    done(new Command.SubmitJob("job", ""));
    List<InputPart> parts = new ArrayList<>();
    Map.of("t", compiled("zone=north"), "u", compiled("zone=south"))
        .forEach(
            (table, job) -> {
              for (String name : List.of("1", "2", "3")) {
                parts.add(new InputPart(table, name, "", 100_000));
                fragments.add(fragment(table, job, new Part(name, "", 100_000)));
              }
            });
    done(new Command.SetParts("job", 1, parts));
    Map<String, String> seen = new TreeMap<>();
    for (int i = 0; i < 200 && turn(0.1); i++) {
      network.state().tasks().stream()
          .filter(task -> !task.ended())
          .forEach(task -> seen.put(task.id().shard(), task.device()));
    }
    assertThat(seen)
        .hasSize(6)
        .allSatisfy(
            (part, device) -> assertThat(device).isEqualTo(part.startsWith("t/") ? "a" : "b"));
  }

  private Health health(io.sedge.ledger.Device device) {
    return healths.get(device.name());
  }

  /** So many twentieths of a second, before the end of the job. */
  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(turn(0.05)).isTrue();
    }
  }

  private boolean turn(double seconds) {
    List<Command> commands = new ArrayList<>();
    dealer.deal(
        network.state(),
        Map.of("job", new JobFragments(1, fragments)),
        this::health,
        now,
        commands);
    for (Command command : commands) {
      Command.AssignTask assign = (Command.AssignTask) command;
      if (assign.epoch() != 0) {
        moved.merge(assign.device(), 1, Integer::sum);
      }
      done(command);
      begins.put(assign.task(), now + HANDOVER_NANOS);
    }
    for (long end = now + Math.round(seconds * 1_000) * MILLI; now < end; now += STEP_NANOS) {
      step();
    }
    long ended = network.state().tasks().stream().filter(Task::ended).count();
    return ended < fragments.size();
  }

  private void step() {
    Map<String, List<Task>> running = new TreeMap<>();
    for (Task task : network.state().tasks()) {
      if (!task.device().isEmpty() && begins.getOrDefault(task.id(), 0L) <= now) {
        running.computeIfAbsent(task.device(), _ -> new ArrayList<>()).add(task);
      }
    }
    double seconds = STEP_NANOS / 1e9;
    running.forEach((device, tasks) -> tasks.forEach(task -> work(task, device, tasks, seconds)));
  }

  private void work(Task task, String device, List<Task> beside, double seconds) {
    if (healths.get(device) == Health.GONE) {
      return;
    }
    double bytes =
        left.computeIfAbsent(
            task.id(),
            id ->
                (double)
                    fragments.stream()
                        .filter(part -> part.name().equals(id.shard()))
                        .findFirst()
                        .orElseThrow()
                        .part()
                        .orElseThrow()
                        .bytes());
    double sharers = Math.max(processors.get(device), beside.size());
    double rest = bytes - speeds.get(device) * seconds / sharers;
    left.put(task.id(), rest);
    if (rest <= 0) {
      done(new Command.EndTask(task.id(), task.epoch()));
    }
  }

  private double secondsToEnd() {
    long begin = now;
    while (turn(0.05)) {
      assertThat((now - begin) / MILLI).as("milliseconds").isLessThan(1_000_000);
    }
    return (now - begin) / 1e9;
  }

  /**
   * By how much a site of its own takes longer than load/total speed: 0.05 for 5 %.
   *
   * @param relative the speeds of its devices; together they have the same whatever these are
   */
  private static double overIdeal(double cpus, double... relative) {
    double total = 2_500_000;
    PartDealerTest site = new PartDealerTest();
    for (int i = 0; i < relative.length; i++) {
      site.device("d" + i, relative[i] / DoubleStream.of(relative).sum() * total, cpus);
    }
    site.job();
    return site.secondsToEnd() / (LOAD / total) - 1;
  }

  /** The case that Sedge began with: equal shares would take 2.5 times as long as the ideal. */
  @Test
  void devicesOfAnySpeedAreDoneAtTheSameTime() {
    assertThat(overIdeal(0.2, 1, 2, 3, 4)).isBetween(0.0, 0.035);
  }

  /** What they lose is the first handover, the last, and little in between. */
  @Test
  void devicesOfRandomSpeedsDoNotStandStillBetweenParts() {
    Random random = new Random(3);
    for (int i = 0; i < 24; i++) {
      double[] relative =
          random.doubles(2 + random.nextInt(5)).map(exponent -> Math.pow(10, exponent)).toArray();
      assertThat(overIdeal(0.2, relative)).as(Arrays.toString(relative)).isBetween(0.0, 0.045);
    }
  }

  /** One that has fewer parts than processors wastes some of them. */
  @Test
  void devicesOfSeveralProcessorsKeepAllOfThemBusy() {
    assertThat(overIdeal(4, 1, 2, 3, 4)).isBetween(0.0, 0.08);
  }

  @Test
  void oneDeviceInAHundredTimesAsSlowAsTheOthersHoldsNobodyUp() {
    device("a", 1_000_000);
    device("b", 1_000_000);
    device("slow", 10_000);
    job();
    double ideal = LOAD / 2_010_000.0;
    assertThat(secondsToEnd()).isBetween(ideal, ideal * 1.1);
    assertThat(moved).as("parts that were taken over").isNotEmpty();
  }

  @Test
  void partsOfADeviceThatIsGoneAreGivenToOthers() {
    device("a", 1_000_000);
    device("b", 1_000_000);
    job();
    turns(400);
    healths.put("b", Health.GONE);
    double rest = left.values().stream().filter(bytes -> bytes > 0).mapToDouble(b -> b).sum();
    assertThat(rest).isPositive();
    secondsToEnd();
    assertThat(network.state().tasks()).allMatch(Task::ended).hasSameSizeAs(fragments);
  }

  @Test
  void aDeviceThatComesLateHelps() {
    device("a", 500_000);
    job();
    turns(200);
    device("b", 2_000_000);
    double ideal = (LOAD - 10 * 500_000.0) / 2_500_000.0;
    assertThat(secondsToEnd()).isBetween(ideal * 0.99, ideal * 1.1);
  }

  /** Its parts are all about to end, by its speed before; but it may never be done with them. */
  @Test
  void aDeviceThatStandsStillGetsNoHeapOfParts() {
    device("a", 1_000_000);
    device("b", 1_000_000);
    job();
    turns(200);
    speeds.put("b", 0.0);
    turns(200);
    assertThat(network.state().tasks().stream().filter(task -> task.device().equals("b")))
        .hasSizeLessThanOrEqualTo(4);
  }

  /** It reports, but does nothing, as when its disk does not answer. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 8})
  void aFastDeviceThatStandsStillNearTheEndHoldsNothingUp(int waiting) {
    device("a", 1_000_000);
    device("b", 2_500_000);
    job();
    while (network.state().tasks().size() < fragments.size() - waiting) {
      assertThat(turn(0.05)).isTrue();
    }
    speeds.put("b", 0.0);
    int turns = 0;
    while (turn(0.05)) {
      turns++;
      assertThat(turns).as("twentieths of a second").isLessThan(4_000);
    }
  }

  /** A device has what it runs and one more, so that it never stands still, and no heap of them. */
  @Test
  void eachDeviceRunsAsManyPartsAsItHasSlots() {
    device("a", 1_000);
    device("b", 1_000);
    job();
    turn(0.05);
    Map<String, Integer> running = new TreeMap<>();
    network.state().tasks().forEach(task -> running.merge(task.device(), 1, Integer::sum));
    assertThat(running).isEqualTo(Map.of("a", 2, "b", 2));
  }
}
