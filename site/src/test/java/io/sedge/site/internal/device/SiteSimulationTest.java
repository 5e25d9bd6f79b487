package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.format.Formats;
import io.sedge.division.Replacement;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Limits;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.Policy;
import io.sedge.site.internal.files.JobFiles;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.task.Commit;
import io.sedge.task.CommitLog;
import io.sedge.task.ProcessorQuota;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whole sites in one thread, in virtual time: agents, controllers, tasks and the ledger's log, with
 * devices that die, one or all, come back, stand still, are cut off or cannot run some tasks for a
 * while, majorities that are lost, and messages that are late or doubled. After each entry of the
 * log: no source has been told to forget what is not committed, and no row is committed twice. At
 * the end: every row is there, and delivered.
 *
 * <p>Sites share nothing, so each processor has one; alone, since they take all of the common pool,
 * on which Ratis answers. A seed that fails is printed; {@code -Dsedge.seed=N} runs it again.
 *
 * <p>Long because a world has all of a site, and the rows that each of its jobs must give.
 */
@Tag("computing")
class SiteSimulationTest {
  private static final int SEEDS = Integer.getInteger("sedge.seeds", 200);

  /** Kinds of faults, and of so many seeds some have each. */
  private static final int KINDS = 9;

  private static final int SURE = 100;

  private static final long TOTAL = 60;
  private static final long WINDOW = 10;
  private static final int MAX_STEPS = 60_000;
  static final String SCRIPT =
      """
      CREATE TABLE numbers (
        k STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
      ) WITH ('connector' = 'simulated');
      CREATE TABLE kept (k STRING, n BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE sums (window_start TIMESTAMP(3), c BIGINT, s BIGINT)
        WITH ('connector' = 'simulated');
      CREATE TABLE sums_by_key (k STRING, window_start TIMESTAMP(3), s BIGINT)
        WITH ('connector' = 'simulated');
      EXECUTE STATEMENT SET BEGIN
      INSERT INTO kept SELECT k, n FROM numbers WHERE MOD(n, 3) = 0;
      INSERT INTO sums
        SELECT window_start, COUNT(*), SUM(n)
        FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY window_start, window_end;
      INSERT INTO sums_by_key
        SELECT k, window_start, SUM(n)
        FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY k, window_start, window_end;
      END;
      """;

  /** Over the same input, which is cut into parts. */
  private static final String BATCH_SCRIPT =
      """
      SET 'execution.runtime-mode' = 'batch';
      CREATE TABLE numbers (
        k STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
      ) WITH ('connector' = 'simulated');
      CREATE TABLE kept (k STRING, n BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE by_key (k STRING, c BIGINT, s BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE each_n (n BIGINT, c BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE most (n BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE sums (window_start TIMESTAMP(3), c BIGINT, s BIGINT)
        WITH ('connector' = 'simulated');
      EXECUTE STATEMENT SET BEGIN
      INSERT INTO kept SELECT k, n FROM numbers WHERE MOD(n, 3) = 0;
      INSERT INTO by_key SELECT k, COUNT(*), SUM(n) FROM numbers GROUP BY k;
      INSERT INTO each_n SELECT n, COUNT(*) FROM numbers GROUP BY n;
      INSERT INTO most SELECT DISTINCT n FROM numbers ORDER BY n DESC LIMIT 3;
      INSERT INTO sums
        SELECT window_start, COUNT(*), SUM(n)
        FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY window_start, window_end;
      END;
      """;

  /** Room in the exchange for what a few parts give at their end: the others must wait. */
  private static final Limits TIGHT =
      new Limits(64, 64, 2_048, 1_000, 16_000, 1 << 20, 1 << 20, 16_000, 1_000);

  /**
   * What is merged may have a small part of what the fast shards would give if nobody held them
   * back: 300 windows with some 200 bytes each, and as much of what it has not taken yet.
   */
  private static final Limits NARROW =
      new Limits(64, 64, 2_048, 1_000, 16_000, 30_000, 1 << 20, 24_000, 1_000);

  private static final long LONG_TOTAL = 3_000;

  /**
   * A kind of world.
   *
   * @param total how many readings each shard has
   * @param paces of its shards, one of them for each by chance
   * @param calmness how many steps there are between two faults
   * @param next what the job is replaced by while it runs; empty if it is not
   */
  private record Setting(
      Job job,
      Division division,
      long total,
      List<SimulatedTables.Pace> paces,
      int calmness,
      Limits limits,
      Optional<Job> next) {
    Setting(
        Job job,
        Division division,
        long total,
        List<SimulatedTables.Pace> paces,
        int calmness,
        Limits limits) {
      this(job, division, total, paces, calmness, limits, Optional.empty());
    }

    /** The same with a job that is replaced. */
    Setting replacedBy(Job other) {
      return new Setting(job, division, total, paces, calmness, limits, Optional.of(other));
    }

    Setting(Job job, Division division) {
      this(
          job,
          division,
          TOTAL,
          List.of(SimulatedTables.CALM),
          60,
          job.batch() ? TIGHT : Limits.DEFAULT);
    }
  }

  /** The script, by its name, that a job is replaced by. */
  private static final String NEXT = "next";

  /**
   * The same queries in another order, with one before them, so that all steps and what goes
   * between tasks have other numbers; and a sink that has one column more.
   */
  private static final String NEXT_SCRIPT =
      """
      CREATE TABLE numbers (
        k STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
      ) WITH ('connector' = 'simulated');
      CREATE TABLE kept (k STRING, n BIGINT, twice BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE maxima (window_start TIMESTAMP(3), m BIGINT) WITH ('connector' = 'simulated');
      CREATE TABLE sums (window_start TIMESTAMP(3), c BIGINT, s BIGINT)
        WITH ('connector' = 'simulated');
      CREATE TABLE sums_by_key (k STRING, window_start TIMESTAMP(3), s BIGINT)
        WITH ('connector' = 'simulated');
      EXECUTE STATEMENT SET BEGIN
      INSERT INTO maxima
        SELECT window_start, MAX(n)
        FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '5' SECOND))
        GROUP BY window_start, window_end;
      INSERT INTO sums_by_key
        SELECT k AS its_key, window_start, SUM(n)
        FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY k, window_start, window_end;
      INSERT INTO sums
        SELECT window_start, COUNT(*), SUM(n)
        FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY window_start, window_end;
      INSERT INTO kept SELECT k, n, n + n FROM numbers WHERE MOD(n, 3) = 0;
      END;
      """;

  private static Job streamJob;
  private static Job batchJob;

  @BeforeAll
  static void compile() throws SqlException {
    streamJob = compile(SCRIPT);
    batchJob = compile(BATCH_SCRIPT);
  }

  private static Connectors connectors(SimulatedTables tables) {
    return new Connectors(
        List.of(tables), Formats.installed(SiteSimulationTest.class.getClassLoader()));
  }

  static Job compile(String script) throws SqlException {
    Connectors connectors = connectors(new SimulatedTables(new Random(0), TOTAL));
    return new SqlCompiler(
            connectors.byName(), connectors.formats().byName(), InstantSource.system())
        .compile("plant", script, Path.of("."));
  }

  /** A device: its process, if it is up. */
  private static final class Device {
    final String name;
    SimulatedNetwork.Member member;
    JobCatalog catalog;
    Agent agent;
    Controller controller;
    SteppedLauncher launcher;
    boolean up;
    final PlayedPeers peers;
    long pausedUntil;
    long cutUntil;
    long startsAt;
    long stuckUntil;
    long unfitUntil;

    /** Of the tasks, by their hash, those that it cannot run meanwhile. */
    int unfitFor;

    /** What has to end before it is stopped; null if it is not being stopped. */
    @Nullable List<TaskHost.Running> stopping;

    Device(String name, PlayedPeers peers) {
      this.name = name;
      this.peers = peers;
    }
  }

  private static final class World {
    final Random random;
    final SimulatedTables tables;
    final SimulatedNetwork network;
    final UnaryOperator<CommitLog> commitLogs;
    final List<Device> devices = new ArrayList<>();
    final List<SimulatedNetwork.Member> dead = new ArrayList<>();
    final Map<CompletableFuture<Boolean>, Boolean> asked = new LinkedHashMap<>();
    final Map<String, List<String>> committed = new TreeMap<>();
    final Map<String, Integer> faults = new TreeMap<>();
    final DeviceLog log = new DeviceLog(InstantSource.system(), _ -> {});
    String leader = "d0";
    long electedAt;
    long beganAt;
    long now = 1_000_000_000_000L;

    final Setting setting;
    final Map<String, SimulatedTables.Pace> paces = new TreeMap<>();
    final Division division;

    /** The job as it is now. */
    Job job;

    /** When it is replaced, if it is to be and was not. */
    long replacedAt = Long.MAX_VALUE;

    World(long seed, Setting setting, UnaryOperator<CommitLog> commitLogs) {
      this.random = new Random(seed);
      this.setting = setting;
      this.job = setting.job();
      this.division = setting.division();
      this.commitLogs = commitLogs;
      SimulatedTables.KEYS.forEach(
          key -> paces.put(key, setting.paces().get(random.nextInt(setting.paces().size()))));
      this.tables =
          new SimulatedTables(
              random, setting.total(), key -> paces.getOrDefault(key, SimulatedTables.CALM));
      this.network = new SimulatedNetwork(random, this::committed);
      tables.onAcknowledge = this::checkAcknowledged;
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        Device device = new Device("d" + i, new PlayedPeers(this::answers));
        devices.add(device);
        done(new Command.RegisterDevice(device.name, device.name, Map.of()));
        start(device);
      }
      done(new Command.SetLimits(setting.limits().values()));
      // How long a silent device is waited for changes when tasks move, and no result.
      long silence = List.of(500L, 1_000L, 4_000L, 5_000L).get(random.nextInt(4));
      done(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, silence)));
      done(new Command.SubmitJob("plant", ""));
      if (setting.next().isPresent()) {
        replacedAt = now + random.nextInt(4_000) * 1_000_000L;
      }
    }

    /** Gives the job its other script, in the middle of whatever is going on. */
    private void replace() {
      io.sedge.ledger.Job plant = network.state().job("plant").orElseThrow();
      if (now < replacedAt || plant.state().hasEnded()) {
        return;
      }
      Job other = setting.next().orElseThrow();
      CompiledJob old = compiled("");
      CompiledJob young = compiled(NEXT);
      SiteState state = network.state();
      ReplacementPlan plan =
          new ReplacementPlan(plant, NEXT, old, young, replacement(old, young), state);
      if (plan.missing().isEmpty()) {
        done(plan.command());
        job = other;
        replacedAt = Long.MAX_VALUE;
        count("replaced");
      }
    }

    private Replacement replacement(CompiledJob old, CompiledJob young) {
      return Replacement.of(
          old.job(), old.divisions(), young.job(), young.divisions(), connectors(tables));
    }

    private void done(Command command) {
      assertThat(network.command(command)).isInstanceOf(Answer.Done.class);
    }

    private void start(Device device) {
      InstantSource clock = () -> Instant.ofEpochSecond(0, now);
      device.member = network.new Member();
      device.launcher =
          new SteppedLauncher(clock, () -> now, commitLogs, task -> isUnfit(device, task));
      device.catalog =
          new JobCatalog(
              (_, script, _) -> compiled(script),
              JobFiles.NONE,
              Runnable::run,
              Runnable::run,
              new DeviceLog(InstantSource.system(), _ -> {}));
      LedgerTaskHost host =
          new LedgerTaskHost(
              device.member,
              "site",
              Map.of("simulated", tables),
              () -> ProcessorQuota.FREE,
              device.launcher,
              () -> Instant.ofEpochSecond(0, now),
              () -> now);
      device.agent =
          new Agent(
              device.member,
              device.name,
              device.catalog,
              host,
              new Meter(() -> 1, 64 << 20, _ -> ProcessUse.UNKNOWN),
              log,
              clock);
      device.controller =
          new Controller(
              device.member,
              device.name,
              device.catalog,
              log,
              Policy.forStreams(),
              device.peers,
              this::refuses);
      device.peers.led.clear();
      device.up = true;
    }

    /** Whether a device is down, or something else on the way refuses. */
    private CompletableFuture<Boolean> refuses(String address) {
      boolean up = devices.stream().anyMatch(device -> device.up && device.name.equals(address));
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      asked.put(answer, !up || random.nextInt(50) == 0);
      return answer;
    }

    /** Sometimes so late that the device has been started again. */
    private void answer() {
      asked
          .entrySet()
          .removeIf(
              asking -> random.nextInt(5) == 0 && asking.getKey().complete(asking.getValue()));
    }

    /** Whoever leads cuts the parts as it likes: those that the ledger took hold for all. */
    private CompiledJob compiled(String script) {
      Job its = script.equals(NEXT) ? setting.next().orElseThrow() : setting.job();
      return new CompiledJob(
          its,
          its.sources().keySet().stream().collect(Collectors.toMap(name -> name, _ -> division)),
          (_, _) -> tables.parts(1 + random.nextInt(20)),
          List.of());
    }

    /** What has never been done fails the job, as it should. */
    private boolean isUnfit(Device device, TaskId task) {
      boolean hit = (task.hashCode() & device.unfitFor) == 0;
      return now < device.unfitUntil
          && hit
          && device.member.read(
              state -> SiteModel.hasSucceeded(state, task, fragments(device, task, state)));
    }

    private static JobFragments fragments(Device device, TaskId task, SiteState state) {
      return state
          .job(task.job())
          .map(job -> device.catalog.fragments(job, state))
          .orElse(JobFragments.NONE);
    }

    private void committed(RowBlock block) {
      RowsCodec codec = new RowsCodec(job.sinks().get(block.rows().table()).table().schema());
      Batch batch = codec.decode(block.rows().count(), block.rows().bytes());
      for (int row = 0; row < batch.rows(); row++) {
        committed
            .computeIfAbsent(block.rows().table(), _ -> new ArrayList<>())
            .add(SimulatedTables.text(batch, row));
      }
    }

    /** Some task has committed that it read so far. */
    private void checkAcknowledged(String table, String shard, long upTo) {
      long position = 0;
      for (Task task : network.state().tasks()) {
        byte[] known = network.state().positions(task.id()).get(table);
        boolean ofShard =
            task.id().shard().equals("all") || task.id().shard().equals(table + "/" + shard);
        if (known != null && ofShard) {
          position = ByteBuffer.wrap(known).getLong();
        }
      }
      assertThat(upTo)
          .as("what shard %s may forget is committed", shard)
          .isLessThanOrEqualTo(position);
    }

    void step() {
      now += random.nextInt(20) * 1_000_000L;
      fault();
      breakConnection();
      vote();
      elect();
      answer();
      replace();
      dead.forEach(SimulatedNetwork.Member::step);
      for (Device device : devices) {
        if (!device.up && now >= device.startsAt) {
          start(device);
        }
        if (!device.up) {
          continue;
        }
        device.member.cutOff = now < device.cutUntil;
        device.member.stuck = now < device.stuckUntil;
        if (works(device) && works(leader())) {
          device.peers.led.add(leader);
        }
        device.member.step();
        if (now >= device.pausedUntil) {
          device.member.hear();
          if (device.stopping == null) {
            device.agent.doWork(now, leads(device));
            if (device.agent.isCaughtUp()) {
              device.controller.doWork(now, leads(device));
            }
          }
          device.launcher.step();
          endIfStopped(device);
        }
      }
    }

    private void endIfStopped(Device device) {
      List<TaskHost.Running> stopping = device.stopping;
      if (stopping != null && stopping.stream().allMatch(TaskHost.Running::hasEnded)) {
        var _ = device.agent.leave();
        end(device);
      }
    }

    /** The process ends; what it has sent may still arrive. Its system closes its connections. */
    private void end(Device device) {
      device.up = false;
      devices.stream()
          .filter(other -> other.up && !other.member.cutOff && random.nextInt(4) > 0)
          .forEach(other -> other.controller.alarm(now));
      device.stopping = null;
      device.member.cutOff = false;
      dead.add(device.member);
    }

    /** One that is cut off goes on believing that it leads. */
    private boolean leads(Device device) {
      return device.name.equals(leader);
    }

    /** Some are slow to make a connection to a new leader. */
    private boolean answers(String name) {
      boolean connected = now - beganAt >= (name.hashCode() & 3) * 200_000_000L;
      return connected
          && !leader.equals(name)
          && devices.stream().anyMatch(device -> device.name.equals(name) && works(device));
    }

    private boolean works(Device device) {
      return device.up && now >= device.pausedUntil && now >= device.cutUntil;
    }

    private void vote() {
      boolean majority = 2 * devices.stream().filter(this::works).count() > devices.size();
      if (network.majority && !majority) {
        count("majority lost");
      }
      network.majority = majority;
    }

    private void elect() {
      if (works(leader())) {
        electedAt = now;
      } else if (network.majority && now - electedAt > 500_000_000L) {
        devices.stream().filter(this::works).findFirst().ifPresent(device -> leader = device.name);
        beganAt = now;
      }
    }

    private Device leader() {
      return devices.stream().filter(this::leads).findFirst().orElseThrow();
    }

    private void fault() {
      if (random.nextInt(setting.calmness()) != 0) {
        return;
      }
      Device device = devices.get(random.nextInt(devices.size()));
      long until = now + random.nextInt(6_000) * 1_000_000L;
      if (!works(device)) {
        return; // One thing at a time, or a small site would never get anywhere.
      }
      switch (random.nextInt(15)) {
        case 0, 1, 2, 3 -> {
          device.startsAt = until;
          end(device);
          count("kill -9");
        }
        case 4 -> {
          for (Device each : devices) {
            if (each.up) {
              each.startsAt = now + random.nextInt(6_000) * 1_000_000L;
              end(each);
            }
          }
          count("all killed");
        }
        case 5, 6 -> {
          device.startsAt = until;
          device.stopping = device.agent.stop();
          count("stop");
        }
        case 7, 8 -> {
          device.stuckUntil = until;
          count("full disk");
        }
        case 9, 10 -> {
          device.unfitUntil = until;
          device.unfitFor = random.nextInt(4);
          count("unfit");
        }
        case 11, 12 -> {
          device.pausedUntil = until;
          count("pause");
        }
        default -> {
          device.cutUntil = until;
          count("cut off");
        }
      }
    }

    /**
     * Of a device that is well, whose port may refuse all the same. Whoever is taken for gone loses
     * its tasks while it runs them.
     */
    private void breakConnection() {
      if (random.nextInt(setting.calmness()) == 0 && random.nextInt(4) == 0) {
        Device device = devices.get(random.nextInt(devices.size()));
        if (device.up) {
          device.controller.alarm(now);
          count("connection broken");
        }
      }
    }

    private void count(String fault) {
      faults.merge(fault, 1, Integer::sum);
    }

    List<String> sums() {
      return committed.getOrDefault("sums", List.of());
    }

    private boolean isFinished() {
      io.sedge.ledger.Job plant = network.state().job("plant").orElseThrow();
      assertThat(plant.state()).as(plant.detail()).isNotEqualTo(JobState.FAILED);
      return plant.state() == JobState.FINISHED;
    }

    void run() {
      for (int i = 0; i < MAX_STEPS && !isFinished(); i++) {
        step();
      }
      assertThat(isFinished())
          .as(
              "finished after %d steps; tasks %s, faults %s",
              MAX_STEPS, network.state().tasks(), faults)
          .isTrue();
      List<String> keys =
          division.equals(Division.BY_DEVICE)
              ? devices.stream().map(device -> device.name).toList()
              : SimulatedTables.KEYS;
      Map<String, List<String>> expected =
          job.batch() ? expectedOfBatch(keys) : expected(setting.total(), keys);
      if (job.sinks().containsKey("sums_of_few")) {
        expected.put("sums_of_few", expected(setting.total() / 10, keys).get("sums"));
      }
      expected.forEach(
          (table, rows) -> {
            assertThat(ofBoth(table, committed.getOrDefault(table, List.of())))
                .as("committed rows of %s after %s", table, faults)
                .containsExactlyInAnyOrderElementsOf(rows);
            assertThat(ofBoth(table, tables.delivered(table)))
                .as("delivered rows of %s after %s", table, faults)
                .containsExactlyInAnyOrderElementsOf(rows);
          });
      assertThat(tables.delivered("maxima")).as("rows of a new query").doesNotHaveDuplicates();
    }

    /** Rows as the first script gives them, whichever has. */
    private List<String> ofBoth(String table, List<String> rows) {
      return setting.next().isPresent() && table.equals("kept")
          ? rows.stream().map(row -> row.replaceAll(" (\\d+) \\d+$", " $1")).toList()
          : rows;
    }
  }

  private static Map<String, List<String>> expectedOfBatch(List<String> keys) {
    Map<String, List<String>> expected = expected(TOTAL, keys);
    expected.remove("sums_by_key");
    expected.put(
        "by_key",
        keys.stream()
            .map(key -> "%s %d %d".formatted(key, TOTAL, TOTAL * (TOTAL - 1) / 2))
            .toList());
    expected.put(
        "each_n",
        LongStream.range(0, TOTAL).mapToObj(n -> "%d %d".formatted(n, keys.size())).toList());
    expected.put("most", List.of("" + (TOTAL - 1), "" + (TOTAL - 2), "" + (TOTAL - 3)));
    return expected;
  }

  /** The rows of each table if each shard has so many readings. */
  static Map<String, List<String>> expected(long total) {
    return expected(total, SimulatedTables.KEYS);
  }

  private static Map<String, List<String>> expected(long total, List<String> keys) {
    Map<String, List<String>> expected = new HashMap<>();
    List<String> kept = new ArrayList<>();
    List<String> byKey = new ArrayList<>();
    List<String> sums = new ArrayList<>();
    for (long begin = 0; begin < total; begin += WINDOW) {
      long sum = 0;
      for (long n = begin; n < begin + WINDOW; n++) {
        sum += n;
        for (String key : keys) {
          if (n % 3 == 0) {
            kept.add(key + " " + n);
          }
        }
      }
      long micros = begin * 1_000_000;
      sums.add("%d %d %d".formatted(micros, WINDOW * keys.size(), sum * keys.size()));
      for (String key : keys) {
        byKey.add("%s %d %d".formatted(key, micros, sum));
      }
    }
    expected.put("kept", kept);
    expected.put("sums", sums);
    expected.put("sums_by_key", byKey);
    return expected;
  }

  @Test
  void noReadingIsLostOrCountedTwiceWhateverDevicesDo() {
    run(new Setting(streamJob, new Division.ByKey(0, SimulatedTables.KEYS)), SEEDS);
  }

  /**
   * A job that is replaced goes on where it was: the windows that were open, what was under way
   * between its tasks, rows that were not delivered.
   */
  @Test
  void aJobThatIsReplacedLosesNothingAndCountsNothingTwiceWhateverDevicesDo() throws SqlException {
    Setting setting =
        new Setting(streamJob, new Division.ByKey(0, SimulatedTables.KEYS))
            .replacedBy(compile(NEXT_SCRIPT));
    run(setting, Math.max(1, SEEDS / 2), KINDS + 1);
  }

  /**
   * Shards of which some could be read a hundred times faster than others go at the pace of the
   * slowest: what is merged would else hold all that the fast ones are ahead.
   */
  @Test
  void shardsThatAreAheadWaitForTheSlowestWhateverDevicesDo() {
    List<SimulatedTables.Pace> paces =
        List.of(
            new SimulatedTables.Pace(0, 60),
            new SimulatedTables.Pace(30_000_000, 60),
            new SimulatedTables.Pace(200_000_000, 60));
    Setting setting =
        new Setting(
            streamJob,
            new Division.ByKey(0, SimulatedTables.KEYS),
            LONG_TOTAL,
            paces,
            1_000,
            NARROW);
    run(setting, Math.max(1, SEEDS / 60));
  }

  /**
   * What is given to one table of the exchange goes though another has ended; without faults, after
   * which the merging task would ask it once more.
   */
  @Test
  void aTableThatEndsEarlyHoldsNoOtherUp() throws SqlException {
    Job job =
        compile(
            SCRIPT.replace(
                "EXECUTE STATEMENT SET BEGIN",
                """
                CREATE TABLE few (
                  k STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
                ) WITH ('connector' = 'simulated');
                CREATE TABLE sums_of_few (window_start TIMESTAMP(3), c BIGINT, s BIGINT)
                  WITH ('connector' = 'simulated');
                EXECUTE STATEMENT SET BEGIN
                INSERT INTO sums_of_few
                  SELECT window_start, COUNT(*), SUM(n)
                  FROM TABLE(TUMBLE(TABLE few, DESCRIPTOR(ts), INTERVAL '10' SECOND))
                  GROUP BY window_start, window_end;
                """));
    Setting setting =
        new Setting(
            job,
            new Division.ByKey(0, SimulatedTables.KEYS),
            LONG_TOTAL,
            List.of(new SimulatedTables.Pace(30_000_000, 60)),
            Integer.MAX_VALUE,
            NARROW);
    for (long seed = 0; seed < 3; seed++) {
      new World(seed, setting, log -> log).run();
    }
  }

  /** A part that is taken over, or begun again, counts once; whoever leads cuts the input once. */
  @Test
  void aBoundedJobGivesTheRowsOfTheWholeWhateverDevicesDo() {
    run(new Setting(batchJob, Division.BY_PART), Math.max(1, SEEDS / 3));
  }

  /** Each device has rows that nobody else has: what is merged waits for those who are away. */
  @Test
  void aBoundedJobHasTheRowsOfAllDevicesWhateverDevicesDo() {
    run(new Setting(batchJob, Division.BY_DEVICE), Math.max(1, SEEDS / 3));
  }

  /**
   * What a silent shard has of a window that is not over is in the result, and holds up none: as
   * with the partitions of a source in Flink that are idle.
   */
  @Test
  void aShardThatFallsSilentForLongerThanItMayHoldsNoWindowUp() throws SqlException {
    Job job =
        compile(
            SCRIPT.replaceFirst(
                "'simulated'", "'simulated', 'scan.watermark.idle-timeout' = '3 s'"));
    List<SimulatedTables.Pace> paces = List.of(new SimulatedTables.Pace(1_000_000_000, 3));
    Setting setting =
        new Setting(
            job,
            new Division.ByKey(0, SimulatedTables.KEYS),
            TOTAL,
            paces,
            Integer.MAX_VALUE,
            Limits.DEFAULT);
    World world = new World(7, setting, log -> log);
    world.paces.put("a", new SimulatedTables.Pace(100_000_000, 12, 25));
    String last = "30000000 40 1380";
    for (int i = 0; i < MAX_STEPS && !world.sums().contains(last); i++) {
      world.step();
    }
    assertThat(world.sums()).contains("0 50 225", "10000000 50 725", "20000000 45 1090", last);
  }

  private static void run(Setting setting, int seeds) {
    run(setting, seeds, KINDS);
  }

  private static void run(Setting setting, int seeds, int kinds) {
    Long given = Long.getLong("sedge.seed");
    long first = given == null ? System.nanoTime() : given;
    Map<String, Integer> faults =
        LongStream.range(first, first + (given == null ? seeds : 1))
            .parallel()
            .mapToObj(seed -> run(setting, seed))
            .flatMap(counts -> counts.entrySet().stream())
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new));
    System.err.printf("%d seeds from %d: %s%n", seeds, first, faults);
    if (given == null && seeds >= SURE) {
      assertThat(faults).hasSize(kinds);
    }
  }

  /** The faults of a world, by kind. */
  private static Map<String, Integer> run(Setting setting, long seed) {
    World world = new World(seed, setting, log -> log);
    try {
      world.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed %d: %s".formatted(seed, e.getMessage()), e);
    }
    return world.faults;
  }

  /** The test can fail: sources that are acknowledged before the commit is durable are found. */
  @Test
  void aCommitThatIsBelievedBeforeItIsDurableIsFound() {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < 50; seed++) {
                Division byKey = new Division.ByKey(0, SimulatedTables.KEYS);
                new World(seed, new Setting(streamJob, byKey), Hasty::new).run();
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("may forget is committed");
  }

  private static final class Hasty implements CommitLog {
    private final CommitLog log;
    private long offered;

    Hasty(CommitLog log) {
      this.log = log;
    }

    @Override
    public boolean keepsContents() {
      return log.keepsContents();
    }

    @Override
    public boolean separatesTables() {
      return log.separatesTables();
    }

    @Override
    public boolean offer(Commit commit) {
      boolean taken = log.offer(commit);
      if (taken) {
        offered = commit.sequence();
      }
      return taken;
    }

    @Override
    public long durable() {
      return Math.max(offered, log.durable());
    }
  }
}
