package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.format.Formats;
import io.sedge.division.Fragments;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.Health;
import io.sedge.placement.Policy;
import io.sedge.placement.Shard;
import io.sedge.site.api.LogLine;
import io.sedge.site.internal.files.JobFiles;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the leader decides, in virtual time, over a ledger that carries out all at once. Long
 * because places, devices and the end of jobs are decided from one state, and told apart by its
 * changes.
 */
class ControllerTest {
  private static final long MILLI = 1_000_000;
  private static Job job;

  private final Random random = new Random(11);
  private final SimulatedNetwork network = new SimulatedNetwork(random, _ -> {});
  private final SimulatedNetwork.Member member = network.new Member();
  private final Map<String, Double> cpus = new TreeMap<>(Map.of("a", 1.0, "b", 1.0, "c", 1.0));
  private final Set<String> silent = new TreeSet<>();
  private final Set<String> ended = new TreeSet<>();
  private final PlayedPeers peers = new PlayedPeers(name -> !silent.contains(name));
  private final Map<String, Map<String, Remark>> remarks = new HashMap<>();
  private final DeviceLog log = new DeviceLog(InstantSource.system(), _ -> {});
  private Job submitted = job;
  private Division division = new Division.ByKey(0, SimulatedTables.KEYS);
  private boolean compiles = true;
  private Controller controller;
  private JobCatalog catalog;
  private long now;
  private int moves;

  @BeforeAll
  static void compile() throws SqlException {
    job = compile(SiteSimulationTest.SCRIPT);
  }

  private static Job compile(String script) throws SqlException {
    Connectors connectors =
        new Connectors(
            List.of(new SimulatedTables(new Random(0), 10)),
            Formats.installed(ControllerTest.class.getClassLoader()));
    return new SqlCompiler(
            connectors.byName(), connectors.formats().byName(), InstantSource.system())
        .compile("plant", script, Path.of("."));
  }

  @BeforeEach
  void site() {
    cpus.keySet().forEach(device -> done(new Command.RegisterDevice(device, device, Map.of())));
    done(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 1_000L)));
    done(new Command.SubmitJob("plant", SiteSimulationTest.SCRIPT));
    lead();
  }

  /** A device begins to lead. */
  private void lead() {
    catalog =
        new JobCatalog(
            (_, _, _) -> compiled(),
            JobFiles.NONE,
            Runnable::run,
            Runnable::run,
            new DeviceLog(InstantSource.system(), _ -> {}));
    controller =
        new Controller(
            member,
            "a",
            catalog,
            log,
            Policy.forStreams(),
            peers,
            address -> CompletableFuture.completedFuture(ended.contains(address)));
  }

  private List<String> said() {
    return log.lines("", 0).stream().map(LogLine::text).toList();
  }

  private CompiledJob compiled() {
    if (!compiles) {
      throw new ConnectorException(
          ConnectorException.Kind.USER, "there is no scoring.jar (token=plumtree)");
    }
    return new CompiledJob(submitted, Map.of("numbers", division));
  }

  private void done(Command command) {
    assertThat(network.command(command)).isInstanceOf(Answer.Done.class);
  }

  private Map<String, String> places() {
    Map<String, String> places = new TreeMap<>();
    for (Task task : network.state().tasks()) {
      places.put(task.id().shard(), task.device());
    }
    return places;
  }

  /**
   * Lets time pass, with reports four times a second and measures once.
   *
   * @param load readings per second of each shard, more or less
   * @param noise by how much a measurement may be off; 0.5 is half
   */
  private void pass(int seconds, double load, double noise) {
    turns(seconds * 20, load, noise);
  }

  private void turns(int count, double load, double noise) {
    for (int tick = 0; tick < count; tick++) {
      if (tick % 20 == 0) {
        measure(load, noise);
      }
      Map<String, String> before = places();
      turn(tick);
      places()
          .forEach(
              (shard, device) -> {
                if (!device.equals(before.getOrDefault(shard, ""))) {
                  moves++;
                }
              });
    }
  }

  /** A turn of who leads, with reports in every fifth. */
  private void turn(int tick) {
    now += 50 * MILLI;
    if (tick % 5 == 0) {
      cpus.keySet().stream()
          .filter(device -> !silent.contains(device))
          .forEach(device -> done(new Command.ReportDevice(device, 0, false)));
    }
    controller.doWork(now, true);
    for (int i = 0; i < 50; i++) {
      member.step();
      member.hear();
    }
  }

  private void measure(double load, double noise) {
    cpus.forEach(
        (device, share) -> {
          if (silent.contains(device)) {
            return;
          }
          Map<String, Double> loads = new HashMap<>();
          places()
              .forEach(
                  (shard, at) -> {
                    if (at.equals(device)) {
                      boolean reads = shard.startsWith("numbers/");
                      loads.put("plant/" + shard, reads ? load * noisy(noise) : 0);
                    }
                  });
          done(measured(device, share, 1_000 * noisy(noise), loads));
        });
  }

  private Command measured(String device, double share, double speed, Map<String, Double> loads) {
    return new Command.MeasureDevice(
        device,
        new Measures(
            share,
            1,
            1L << 30,
            ProcessUse.UNKNOWN,
            Map.of("plant:numbers", speed),
            loads,
            Map.of(),
            remarks.getOrDefault(device, Map.of())));
  }

  private double noisy(double noise) {
    return 1 - noise + 2 * noise * random.nextDouble();
  }

  private List<Integer> shares() {
    Map<String, Integer> counts = new TreeMap<>();
    cpus.keySet().forEach(device -> counts.put(device, 0));
    places()
        .forEach(
            (shard, device) -> {
              if (shard.startsWith("numbers/")) {
                counts.merge(device, 1, Integer::sum);
              }
            });
    return new ArrayList<>(counts.values());
  }

  @Test
  void everyTaskGetsADeviceAndStaysThereWhateverNoiseThereIsInWhatIsMeasured() {
    pass(10, 10, 0.2);
    assertThat(places())
        .hasSize(SimulatedTables.KEYS.size() + 2)
        .allSatisfy((_, device) -> assertThat(device).isNotEmpty());
    assertThat(shares()).allMatch(count -> count > 0);
    moves = 0;
    pass(300, 10, 0.2);
    assertThat(moves).as("moves in five minutes of little load").isZero();
    pass(300, 10, 0.8);
    assertThat(moves).as("moves when other programs disturb what is measured").isZero();
  }

  /** Its own beginning is no reason: what others would do for little, each move is a standstill. */
  @Test
  void whoBeginsToLeadLeavesTasksWhereTheyAreUnlessADeviceHasNone() {
    silent.add("c");
    pass(10, 10, 0);
    assertThat(places()).doesNotContainValue("c");
    lead();
    moves = 0;
    pass(10, 10, 0.8);
    assertThat(moves).isZero();
    silent.clear();
    lead();
    pass(10, 10, 0);
    assertThat(places()).containsValue("c");
  }

  /** Five shards on three devices: it is better for one of two to move, if that is certain. */
  @Test
  void aTaskMovesForLittleIfThatLastsAndForMuchAtOnce() {
    pass(15, 400, 0);
    String full = shares().getFirst() == 2 ? "a" : "b";
    moves = 0;
    cpus.put(full, 0.85);
    pass(25, 400, 0);
    assertThat(moves).isZero();
    pass(10, 400, 0);
    assertThat(moves).isEqualTo(1);
    String other = shares().getFirst() == 2 ? "a" : shares().get(1) == 2 ? "b" : "c";
    cpus.put(other, 0.3);
    pass(3, 400, 0);
    assertThat(moves).isGreaterThan(1);
  }

  /** However little there is to do. */
  @Test
  void aDeviceThatJoinsOrIsDrainedNoMoreGetsTasks() {
    silent.add("c");
    pass(5, 10, 0.1);
    assertThat(places()).doesNotContainValue("c");
    silent.clear();
    pass(5, 10, 0.1);
    assertThat(places()).containsValue("c");
    done(new Command.SetDeviceState("c", DeviceState.DRAINING));
    pass(5, 10, 0.1);
    assertThat(places()).doesNotContainValue("c");
    done(new Command.SetDeviceState("c", DeviceState.ACTIVE));
    pass(5, 10, 0.1);
    assertThat(places()).containsValue("c");
  }

  @Test
  void aDeviceThatIsGoneLosesItsTasksAndGetsSomeWhenItComesBack() {
    pass(5, 10, 0.1);
    silent.add("c");
    pass(2, 10, 0.1);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isIn("a", "b"));
    silent.clear();
    pass(5, 10, 0.1);
    assertThat(places()).containsValue("c");
  }

  /** What is measured of devices with little to do says so little that it would go on for ever. */
  @Test
  void toADeviceThatComesBackTasksMoveOnceAndNothingElseMoves() {
    pass(10, 10, 0.8);
    for (int round = 0; round < 10; round++) {
      silent.add("c");
      pass(3, 10, 0.8);
      Map<String, String> before = new TreeMap<>(places());
      moves = 0;
      silent.clear();
      pass(60, 10, 0.8);
      Map<String, String> after = places();
      long moved =
          before.entrySet().stream()
              .filter(task -> !after.get(task.getKey()).equals(task.getValue()))
              .peek(task -> assertThat(after.get(task.getKey())).isEqualTo("c"))
              .count();
      assertThat(moved).as("tasks that c has now").isPositive();
      assertThat(moves).as("moves").isEqualTo((int) moved);
    }
  }

  /** As if it had come then, but once: one that fails again and again would get them each time. */
  @Test
  void aDeviceThatCanRunAJobByAndByGetsSomeOfItsTasksOnce() {
    Map<String, Remark> unfit = Map.of("plant", new Remark(Remark.Kind.UNFIT, "no file yet"));
    remarks.put("c", unfit);
    done(measured("c", 1, 1_000, Map.of()));
    pass(20, 10, 0.1);
    assertThat(places()).doesNotContainValue("c");
    remarks.clear();
    pass(5, 10, 0.1);
    assertThat(places()).containsValue("c");
    remarks.put("c", unfit);
    pass(5, 10, 0.1);
    assertThat(places()).doesNotContainValue("c");
    remarks.clear();
    pass(20, 10, 0.1);
    assertThat(places()).doesNotContainValue("c");
  }

  /** Long before its silence says so. */
  @Test
  void aDeviceWhosePortRefusesConnectionsLosesItsTasksAtOnceAndGetsSomeWhenItReportsAgain() {
    pass(5, 10, 0.1);
    silent.add("c");
    ended.add("c");
    turns(12, 10, 0.1);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isIn("a", "b"));
    assertThat(said()).contains("device c is gone: nobody listens at c");
    turns(60, 10, 0.1);
    assertThat(places()).doesNotContainValue("c");
    silent.clear();
    pass(5, 10, 0.1);
    assertThat(places()).containsValue("c");
  }

  @Test
  void aDeviceThatIsStoppedLosesItsTasksAtOnceAndGetsSomeWhenItIsStartedAgain() {
    pass(5, 10, 0.1);
    silent.add("c");
    done(new Command.ReportDevice("c", 0, true));
    turns(4, 10, 0.1);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isIn("a", "b"));
    silent.clear();
    pass(5, 10, 0.1);
    assertThat(places()).containsValue("c");
  }

  @Test
  void aDeviceThatLosesMostOfItsSpeedHandsTasksOver() {
    pass(5, 150, 0.02);
    cpus.put("b", 0.2);
    pass(10, 150, 0.02);
    assertThat(shares().get(1)).isZero();
    moves = 0;
    pass(60, 150, 0.02);
    assertThat(moves).isZero();
  }

  /** As nothing it would look as if its new device had room for more. */
  @Test
  void aTaskThatItsDeviceHasNotMeasuredYetHasTheLoadThatItHad() {
    pass(5, 150, 0);
    Task task =
        network.state().tasks().stream()
            .filter(known -> known.device().equals("a") && known.id().shard().startsWith("numbers"))
            .findFirst()
            .orElseThrow();
    done(new Command.AssignTask(task.id(), "b", task.epoch()));
    done(measured("b", 1, 1_000, Map.of()));
    assertThat(load(task)).isEqualTo(150);
    done(measured("b", 1, 1_000, Map.of(task.id().toString(), 100.0)));
    assertThat(load(task)).isEqualTo(100);
  }

  /** Whoever has the least to do is not given all of it. */
  @Test
  void theTasksOfANewJobAreSpreadWhoeverHasTheLeastToDo() {
    pass(5, 150, 0);
    done(measured("c", 1, 1_000, Map.of()));
    done(new Command.SubmitJob("second", SiteSimulationTest.SCRIPT));
    for (int tick = 0; tick < 20; tick++) {
      turn(tick);
    }
    Map<String, Long> counts =
        network.state().tasks().stream()
            .filter(task -> task.id().job().equals("second"))
            .collect(Collectors.groupingBy(Task::device, Collectors.counting()));
    assertThat(counts).containsOnlyKeys("a", "b", "c");
  }

  private double load(Task task) {
    SiteState state = network.state();
    return SiteModel.site(state, _ -> Health.UP, catalog.fragments(state), false).shards().stream()
        .filter(shard -> SiteModel.task(shard.id()).equals(task.id()))
        .mapToDouble(Shard::load)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aJobRunsOnDevicesThatHaveTheLabelsThatItDemands() {
    submitted =
        new Job(
            job.name(),
            Map.of(Job.LABELS, "zone=north, gpu=true"),
            job.notes(),
            job.sources(),
            job.sinks(),
            job.plan(),
            job.functions(),
            job.aggregates());
    done(new Command.RegisterDevice("a", "", Map.of("zone", "north")));
    done(new Command.RegisterDevice("b", "", Map.of("zone", "north", "gpu", "true")));
    pass(5, 10, 0.1);
    assertThat(places()).isNotEmpty().allSatisfy((_, device) -> assertThat(device).isEqualTo("b"));
    silent.add("b");
    pass(3, 10, 0.1);
    assertThat(places())
        .as("rather nowhere")
        .allSatisfy((_, device) -> assertThat(device).isEmpty());
    done(new Command.RegisterDevice("c", "", Map.of("zone", "north", "gpu", "true")));
    pass(3, 10, 0.1);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isEqualTo("c"));
  }

  private Task taskOn(String device) {
    return network.state().tasks().stream()
        .filter(task -> task.device().equals(device))
        .filter(task -> task.id().shard().startsWith("numbers/"))
        .findFirst()
        .orElseThrow();
  }

  private void unfit(Task task, String... devices) {
    for (String device : devices) {
      remarks.put(
          device,
          Map.of(task.id().toString(), new Remark(Remark.Kind.UNFIT, "no key; tried again")));
      done(measured(device, 1, 1_000, Map.of()));
    }
  }

  private String place(Task task) {
    return places().get(task.id().shard());
  }

  @Test
  void aTaskLeavesADeviceThatIsUnfitForItAtOnceAndComesBackAtMostWhenItIsFit() {
    pass(10, 150, 0);
    Task task = taskOn("b");
    unfit(task, "b");
    turns(2, 150, 0);
    String other = place(task);
    assertThat(other).isNotEqualTo("b").isNotEmpty();
    moves = 0;
    cpus.put(other, 0.01);
    pass(20, 150, 0);
    assertThat(place(task)).as("not on the device that is slow, nor on b").isNotIn(other, "b", "");
    done(new Command.SetDeviceState("a", DeviceState.DRAINING));
    done(new Command.SetDeviceState("c", DeviceState.DRAINING));
    remarks.clear();
    pass(3, 150, 0);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isEqualTo("b"));
  }

  /** It is tried again there: nobody else would do better. */
  @Test
  void aTaskThatAllDevicesAreUnfitForStaysWhereItIs() {
    pass(5, 10, 0);
    Task task = taskOn("b");
    moves = 0;
    unfit(task, "a", "b", "c");
    pass(20, 10, 0);
    assertThat(place(task)).isEqualTo("b");
    assertThat(moves).isZero();
    assertThat(said())
        .filteredOn(line -> line.contains("runs nowhere"))
        .singleElement()
        .asString()
        .contains("b cannot run it: no key; tried again");
    silent.add("b");
    pass(5, 10, 0);
    assertThat(place(task)).isEmpty();
    remarks.remove("a");
    pass(3, 10, 0);
    assertThat(place(task)).isEqualTo("a");
  }

  /** It may lack what the others have. */
  @Test
  void aJobThatHasCommittedGoesOnWhereItRunsWhenItsLeaderCannotCompileIt() {
    pass(5, 10, 0);
    Task task = taskOn("b");
    done(new Command.OpenTask(task.id(), "b", task.epoch()));
    long epoch = network.state().task(task.id()).orElseThrow().epoch();
    done(new Command.Commit(task.id(), epoch, 1, Map.of(), List.of(), List.of()));
    for (int i = 0; i < 50; i++) {
      member.step();
    }
    compiles = false;
    lead();
    Map<String, String> before = places();
    pass(10, 10, 0);
    assertThat(network.state().job("plant").orElseThrow().state()).isEqualTo(JobState.RUNNING);
    assertThat(places()).isEqualTo(before);
    assertThat(said())
        .filteredOn(line -> line.contains("goes on where it runs"))
        .singleElement()
        .asString()
        .contains("there is no scoring.jar");
    done(new Command.SetJobState("plant", 1, JobState.PAUSED, ""));
    pass(1, 10, 0);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isEmpty());
  }

  @Test
  void aJobThatNeverCommittedFailsWhenItsLeaderCannotCompileIt() {
    compiles = false;
    pass(2, 10, 0);
    assertThat(network.state().job("plant").orElseThrow().state()).isEqualTo(JobState.FAILED);
    assertThat(network.state().job("plant").orElseThrow().detail())
        .contains("there is no scoring.jar")
        .doesNotContain("plumtree");
  }

  /** As when a leader is killed and the next one was started just before. */
  @Test
  void whoBeginsToLeadWaitsForWhoMayBeBeingStartedButNotForWhoHasLed() {
    pass(5, 10, 0);
    assertThat(places()).containsValue("b");
    silent.add("b");
    ended.add("b");
    lead();
    pass(5, 10, 0);
    assertThat(places()).containsValue("b");
    peers.led.add("b");
    pass(1, 10, 0);
    assertThat(places()).doesNotContainValue("b");
  }

  @Test
  void pausedJobsRunNowhereAndGoOn() {
    pass(3, 10, 0.1);
    done(new Command.SetJobState("plant", 1, JobState.PAUSED, ""));
    pass(1, 10, 0.1);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isEmpty());
    done(new Command.SetJobState("plant", 1, JobState.RUNNING, ""));
    pass(2, 10, 0.1);
    assertThat(places()).allSatisfy((_, device) -> assertThat(device).isNotEmpty());
  }

  @Test
  void aJobWhoseTasksHaveAllEndedIsFinished() {
    pass(3, 10, 0.1);
    for (Task task : network.state().tasks()) {
      done(new Command.EndTask(task.id(), task.epoch()));
    }
    pass(1, 10, 0.1);
    assertThat(network.state().job("plant").orElseThrow().state()).isEqualTo(JobState.FINISHED);
  }

  /** A task that is opened again before its end is known gives its last block once more. */
  @Test
  void whatIsGivenAfterTheMergingTaskHasEndedIsNotKept() {
    pass(3, 10, 0.1);
    give(task("numbers/a"));
    pass(1, 10, 0.1);
    assertThat(network.state().rowBytes(Channel.EXCHANGE)).as("it is merged").isPositive();
    end(Fragments.MERGE);
    pass(2, 10, 0.1);
    assertThat(network.state().rowBytes(Channel.EXCHANGE)).isZero();
    give(task("numbers/a"));
    pass(2, 10, 0.1);
    assertThat(network.state().rowBytes(Channel.EXCHANGE)).isZero();
  }

  /** As with LIMIT: shards that have no end would else be read for nothing, for ever. */
  @Test
  void shardsThatGiveToTheMergingTaskAloneEndWithIt() throws SqlException {
    submitted =
        compile(
            """
            CREATE TABLE numbers (k STRING, n BIGINT) WITH ('connector' = 'simulated');
            CREATE TABLE few (k STRING, n BIGINT) WITH ('connector' = 'simulated');
            INSERT INTO few SELECT k, n FROM numbers LIMIT 3;
            """);
    lead();
    pass(3, 10, 0.1);
    end(Fragments.MERGE);
    give(task("numbers/a"));
    pass(2, 10, 0.1);
    assertThat(network.state().rowBytes(Channel.EXCHANGE)).isZero();
    assertThat(network.state().tasks())
        .hasSize(SimulatedTables.KEYS.size() + 2)
        .allMatch(task -> task.ended() != task.id().shard().equals(CompiledJob.DELIVERY));
    end(CompiledJob.DELIVERY);
    pass(1, 10, 0.1);
    assertThat(network.state().job("plant").orElseThrow().state()).isEqualTo(JobState.FINISHED);
  }

  @Test
  void shardsThatWriteTablesOfTheirOwnGoOnAfterTheMergingTask() {
    pass(3, 10, 0.1);
    end(Fragments.MERGE);
    pass(1, 10, 0.1);
    assertThat(task("numbers/a").ended()).isFalse();
    assertThat(task("numbers/a").device()).isNotEmpty();
  }

  /** What only a device has that is out of the site will never be read. */
  @Test
  void aJobEndsWithoutTheShardsOfDevicesThatAreExpelledOrRemoved() {
    division = Division.BY_DEVICE;
    lead();
    pass(3, 10, 0.1);
    silent.addAll(List.of("b", "c"));
    pass(5, 10, 0.1);
    end("numbers/a");
    end(Fragments.MERGE);
    pass(1, 10, 0.1);
    assertThat(task("numbers/b").ended()).as("it may come back").isFalse();
    done(new Command.SetDeviceState("b", DeviceState.EXPELLED));
    pass(1, 10, 0.1);
    assertThat(task("numbers/b").ended()).as("the other may come back").isFalse();
    done(new Command.RemoveDevice("c", ""));
    cpus.remove("c");
    pass(1, 10, 0.1);
    assertThat(network.state().tasks())
        .hasSize(5)
        .allMatch(task -> task.ended() != task.id().shard().equals(CompiledJob.DELIVERY));
  }

  /** A device may be started without a label by mistake, and with it again. */
  @Test
  void aShardWhoseDeviceNoLongerSuitsIsNotEnded() throws SqlException {
    division = Division.BY_DEVICE;
    submitted =
        compile(
            """
            CREATE TABLE numbers (k STRING, n BIGINT)
              WITH ('connector' = 'simulated', 'sedge.labels' = 'zone=north');
            CREATE TABLE kept (k STRING, n BIGINT) WITH ('connector' = 'simulated');
            INSERT INTO kept SELECT k, n FROM numbers;
            """);
    Map<String, String> north = Map.of("zone", "north");
    List.of("b", "c").forEach(name -> done(new Command.RegisterDevice(name, name, north)));
    lead();
    pass(3, 10, 0.1);
    done(new Command.RegisterDevice("b", "b", Map.of()));
    pass(1, 10, 0.1);
    assertThat(task("numbers/b").ended()).isFalse();
    end("numbers/c");
    pass(1, 10, 0.1);
    assertThat(task("numbers/b").ended()).as("its device may suit again").isFalse();
    done(new Command.RegisterDevice("c", "c", Map.of()));
    pass(1, 10, 0.1);
    assertThat(task("numbers/b").ended()).as("nobody suits").isFalse();
  }

  private void end(String shard) {
    done(new Command.EndTask(task(shard).id(), task(shard).epoch()));
  }

  private Task task(String shard) {
    return network.state().task(new TaskId("plant", shard)).orElseThrow();
  }

  private void give(Task task) {
    Rows rows = new Rows(Channel.EXCHANGE, "sums", 1, new byte[10]);
    done(
        new Command.Commit(
            task.id(), task.epoch(), task.sequence() + 1, Map.of(), List.of(), List.of(rows)));
  }

  @Test
  void theFormatOfTheLedgerRisesAWhileAfterTheLastDeviceWasUpgraded() {
    pass(2, 100, 0);
    assertThat(said())
        .contains("the ledger stays in format 15 until these devices have this version: a, b, c");
    upgrade("a");
    upgrade("b");
    later(Duration.ZERO);
    assertThat(said()).anyMatch(line -> line.endsWith("have this version: c"));
    later(FormatRise.PATIENCE);
    upgrade("c");
    later(FormatRise.PATIENCE.minusMinutes(1));
    later(Duration.ZERO);
    done(new Command.RegisterDevice("c", "c", Map.of())); // The version before, once more.
    later(Duration.ZERO);
    upgrade("c");
    later(FormatRise.PATIENCE.minusMinutes(1));
    assertThat(network.state().format()).isEqualTo(Format.FIRST);
    later(Duration.ofMinutes(2));
    assertThat(network.state().format()).isEqualTo(Format.NEWEST);
  }

  private void later(Duration duration) {
    pass(2, 100, 0);
    now += duration.toNanos();
    pass(2, 100, 0);
  }

  private void upgrade(String device) {
    String format = Integer.toString(Format.NEWEST);
    done(new Command.RegisterDevice(device, device, Map.of(Format.LABEL, format)));
  }
}
