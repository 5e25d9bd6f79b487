package io.sedge.ledger.internal.state;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmReport;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.JobTroubles;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ModelVersion;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import io.sedge.ledger.Rows;
import io.sedge.ledger.Secret;
import io.sedge.ledger.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Commands over few names, so that they meet; epochs and sequences are near those that fit. */
final class RandomCommands {
  private static final List<String> DEVICES = List.of("a", "b", "ç-device");
  private static final List<String> JOBS = List.of("plant", "mill");
  private static final List<String> SHARDS = List.of("0", "1", "2");

  private final Random random;
  private final SiteMachine machine;

  RandomCommands(Random random, SiteMachine machine) {
    this.random = random;
    this.machine = machine;
  }

  /** That of {@code -Dsedge.seed=N}, or a new one, which it prints. */
  static Random random() {
    long seed = Long.getLong("sedge.seed", System.nanoTime());
    System.err.printf("-Dsedge.seed=%d%n", seed);
    return new Random(seed);
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private TaskId task() {
    return new TaskId(any(JOBS), any(SHARDS));
  }

  /** Mostly the right one. */
  private long near(long right) {
    return random.nextInt(8) == 0 ? right + random.nextInt(5) - 2 : right;
  }

  private long epoch(TaskId task) {
    return near(machine.task(task).map(found -> found.epoch()).orElse(0L));
  }

  private long nextSequence(TaskId task) {
    return near(machine.task(task).map(found -> found.sequence()).orElse(0L) + 1);
  }

  byte[] bytes(int max) {
    byte[] bytes = new byte[random.nextInt(max)];
    random.nextBytes(bytes);
    return bytes;
  }

  private long lastRow(String job) {
    return machine.job(job).map(found -> found.nextRow() - 1).orElse(0L);
  }

  private Measures measures(TaskId task) {
    return new Measures(
        random.nextDouble(),
        random.nextDouble(),
        random.nextInt(1_000_000),
        new ProcessUse(random.nextInt(1_000_000), -1, random.nextDouble(), -1, 1e6, 7, -1),
        Map.of("sum", random.nextDouble() * 1e6),
        Map.of(task.toString(), random.nextDouble()),
        Map.of(task.toString(), random.nextDouble()),
        random.nextBoolean()
            ? Map.of()
            : Map.of(task.toString(), new Remark(any(List.of(Remark.Kind.values())), "no pump: é")),
        Map.of(task.job(), new JobTroubles(random.nextInt(9), random.nextInt(9))));
  }

  Command next() {
    TaskId task = task();
    return switch (random.nextInt(25)) {
      case 24 -> new Command.AddModelVersion(modelVersion());
      case 0 -> new Command.RegisterDevice(any(DEVICES), "host:1", labels());
      case 1 ->
          random.nextBoolean()
              ? new Command.ReportDevice(any(DEVICES), random.nextLong(), random.nextBoolean())
              : new Command.MeasureDevice(any(DEVICES), measures(task));
      case 2 -> new Command.SetDeviceState(any(DEVICES), any(List.of(DeviceState.values())));
      case 3 ->
          switch (random.nextInt(4)) {
            case 0 -> new Command.AddToken(any(SHARDS), random.nextInt(9), 0);
            case 1 ->
                new Command.EnrolDevice(
                    near(machine.membershipVersion()),
                    any(SHARDS),
                    any(JOBS),
                    new Command.RegisterDevice(any(DEVICES), "host:2", Map.of()));
            default ->
                new Command.RemoveDevice(any(DEVICES), random.nextInt(4) == 0 ? "" : any(JOBS));
          };
      case 4 ->
          switch (random.nextInt(4)) {
            case 0, 1 -> new Command.SubmitJob(any(JOBS), "SELECT " + random.nextInt(), files());
            case 2 -> replacement(any(JOBS));
            default ->
                new Command.EndDelivery(
                    task.job(),
                    near(
                        machine
                            .job(task.job())
                            .flatMap(Job::earlier)
                            .map(Job.Earlier::version)
                            .orElse(1L)));
          };
      case 5 ->
          new Command.SetJobState(
              any(JOBS),
              near(1),
              any(List.of(JobState.values())),
              "because of " + random.nextInt());
      case 6 -> new Command.RemoveJob(any(JOBS), random.nextBoolean());
      case 7, 8 ->
          new Command.AssignTask(
              task, random.nextInt(6) == 0 ? "" : any(DEVICES), Math.max(0, epoch(task)));
      case 9, 10 -> new Command.OpenTask(task, any(DEVICES), epoch(task));
      case 11 ->
          switch (random.nextInt(8)) {
            case 0, 1 -> new Command.RemoveTask(task, epoch(task));
            case 2 -> new Command.EndTask(task, epoch(task));
            default -> commit(task);
          };
      case 12, 13 ->
          new Command.AcknowledgeRows(
              task.job(), Channel.OUTBOX, near(lastRow(task.job())) - random.nextInt(20));
      case 15 ->
          random.nextBoolean()
              ? new Command.AcknowledgeRows(task.job(), Channel.EXCHANGE, random.nextInt(50))
              : new Command.AcknowledgeTaskRows(task, Channel.EXCHANGE, random.nextInt(50));
      case 16 -> random.nextInt(3) == 0 ? parts(task.job()) : commit(task);
      case 14 ->
          switch (random.nextInt(10)) {
            case 2 -> new Command.RaiseFormat(Format.NEWEST);
            case 0 ->
                new Command.SetLimits(
                    new Limits(
                            3, 2, 4, 100, 1_000, 2_000 + random.nextInt(20_000), 6_000, 4_000, 500)
                        .values());
            case 1 -> {
              Limit limit = any(List.of(Limit.values()));
              yield new Command.SetLimits(Map.of(limit, limit.min() + random.nextInt(100)));
            }
            default -> commit(task);
          };
      case 17 -> random.nextInt(3) == 0 ? ofSecrets() : commit(task);
      case 18 ->
          switch (random.nextInt(4)) {
            case 0 -> ofAlarms(task);
            case 1, 2 -> ofOrders();
            default -> commit(task);
          };
      default -> commit(task);
    };
  }

  /** Few enough that ids come again. */
  private UUID id() {
    return new UUID(0, random.nextInt(200));
  }

  private Command ofOrders() {
    String job = any(JOBS);
    String table = any(SHARDS);
    List<Allowance.Column> columns = List.of(new Allowance.Column("x", "-1.5", ""));
    return switch (random.nextInt(12)) {
      case 11 ->
          new Command.AllowCenter(
              random.nextBoolean() ? CenterRight.ALARMS : CenterRight.DIAGNOSIS,
              random.nextBoolean());
      case 9 -> new Command.AllowCenter(CenterRight.JOBS, random.nextInt(4) > 0);
      case 10 -> new Command.MarkJob(job, random.nextInt(9));
      case 0, 1 ->
          new Command.AllowTable(
              new Allowance(job, table, columns, random.nextInt(9), random.nextInt(1_000)));
      case 2 -> new Command.DisallowTable(job, table);
      case 3, 4 ->
          new Command.SettleOrder(
              id(), any(List.of(OrderState.values())), "why: é", random.nextLong());
      default ->
          new Command.TakeOrder(
              Math.max(1, near(machine.lastOrder().map(Order::number).orElse(0L) + 1)),
              id(),
              any(List.of(OrderState.values())),
              "",
              random.nextLong(),
              random.nextInt(4) == 0 ? Optional.empty() : Optional.of(row(job, table)));
    };
  }

  private Command.NewRow row(String job, String table) {
    return new Command.NewRow(
        job,
        near(machine.job(job).map(Job::version).orElse(1L)),
        table,
        random.nextLong(),
        bytes(60));
  }

  private ModelVersion modelVersion() {
    String model = any(SHARDS);
    return new ModelVersion(
        any(JOBS),
        model,
        0,
        random.nextLong(),
        fileOf(model),
        "linear",
        List.of("vibration", "é"),
        random.nextBoolean() ? "" : "gefällt",
        new double[] {random.nextDouble(), Double.NaN, -0.0},
        Map.of("RMSE", random.nextDouble()),
        Map.of(any(DEVICES), random.nextLong()),
        Map.of(any(DEVICES), 8L),
        random.nextInt(9),
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        "the first version",
        0);
  }

  private Command ofAlarms(TaskId task) {
    return switch (random.nextInt(6)) {
      case 0 -> new Command.KeepAlarms(task, epoch(task), Set.of(any(JOBS)));
      case 1 ->
          new Command.ActOnAlarms(
              new AlarmAction(
                  any(List.of(AlarmEvent.ACKNOWLEDGE, AlarmEvent.SHELVE, AlarmEvent.UNSHELVE)),
                  List.of(new AlarmAction.Target(random.nextInt(9), 0)),
                  "é",
                  1,
                  2,
                  ""));
      default ->
          new Command.ReportAlarms(
              task,
              epoch(task),
              new AlarmBatch(
                  any(JOBS),
                  AlarmPriority.LOW,
                  1,
                  1,
                  random.nextInt(2_000_000),
                  List.of(
                      new AlarmReport(
                          any(
                              List.of(
                                  AlarmEvent.RAISE,
                                  AlarmEvent.CLEAR,
                                  AlarmEvent.WAIT,
                                  AlarmEvent.SETTLE,
                                  AlarmEvent.UNSHELVE)),
                          any(SHARDS),
                          1,
                          2,
                          random.nextBoolean() ? null : random.nextDouble(),
                          "m")),
                  Map.of()));
    };
  }

  private Map<String, String> labels() {
    String format = Integer.toString(Format.NEWEST - random.nextInt(10) / 9);
    return Map.of("zone", any(JOBS), Format.LABEL, format);
  }

  private Command ofSecrets() {
    String secret = any(JOBS);
    return switch (random.nextInt(6)) {
      case 0, 1 -> new Command.AnnounceKey(any(DEVICES), key());
      case 2 -> new Command.RemoveSecret(secret);
      case 3 ->
          new Command.SetSecret(
              secret,
              random.nextInt(9),
              new byte[] {(byte) random.nextInt()},
              Map.of(any(DEVICES), share(), "z", share()));
      default ->
          new Command.ShareSecret(
              secret,
              machine.secrets().stream()
                  .filter(found -> found.name().equals(secret))
                  .mapToLong(found -> near(found.version()))
                  .findFirst()
                  .orElse(1),
              any(DEVICES),
              share());
    };
  }

  private byte[] key() {
    return new byte[] {(byte) random.nextInt(2)};
  }

  private Secret.Share share() {
    return new Secret.Share(key(), new byte[] {(byte) random.nextInt()});
  }

  /** One of a few, each with a prefix of its own. */
  private static byte[] key(int number) {
    byte[] prefix = prefix(number);
    return new byte[] {prefix[0], prefix[1], 1};
  }

  private static byte[] prefix(int number) {
    return new byte[] {(byte) number, (byte) (7 * number)};
  }

  /** Mostly one that names the tasks that there are. */
  Command.ReplaceJob replacement(String job) {
    Set<String> kept = new TreeSet<>();
    Set<String> dropped = new TreeSet<>();
    machine.tasks().stream()
        .filter(task -> task.id().job().equals(job) && random.nextInt(20) > 0)
        .forEach(task -> (random.nextInt(3) == 0 ? dropped : kept).add(task.id().shard()));
    int shift = random.nextInt(3);
    List<Command.KeptState> state = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      state.add(new Command.KeptState(prefix(i), prefix(i + shift)));
    }
    Command.KeptTasks tasks =
        new Command.KeptTasks(
            kept,
            Map.of(JOBS.getFirst(), any(JOBS)),
            state,
            List.of(new Change(key(20), bytes(9))),
            random.nextBoolean());
    return new Command.ReplaceJob(
        job,
        near(machine.job(job).map(Job::version).orElse(1L)),
        "SELECT " + random.nextInt(),
        files(),
        List.of(tasks),
        dropped,
        Map.of(SHARDS.get(0), SHARDS.get(1), SHARDS.get(1), SHARDS.get(0)),
        random.nextInt(3) == 0);
  }

  /** Seldom so many that the site has no room for them. */
  private List<JobFile> files() {
    List<JobFile> files = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      String sha256 = Integer.toHexString(random.nextInt(10)).repeat(64);
      files.add(new JobFile("file " + i, sha256, random.nextLong(JobFile.MAX_BYTES + 1)));
    }
    if (random.nextBoolean()) {
      files.add(fileOf(any(SHARDS)));
    }
    return files;
  }

  /** Of a version of a model: more than are kept, and few enough that they come again. */
  private JobFile fileOf(String model) {
    String sha256 = Integer.toHexString(random.nextInt(16)).repeat(64);
    return new JobFile(JobFile.pathOfModel(model), sha256, 236);
  }

  private Command.SetParts parts(String job) {
    List<InputPart> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      parts.add(new InputPart(any(JOBS), "part " + i, "", random.nextInt(1_000)));
    }
    return new Command.SetParts(
        job, near(machine.job(job).map(found -> found.version()).orElse(1L)), parts);
  }

  Command.Commit commit(TaskId task) {
    Map<String, byte[]> positions = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      positions.put(any(JOBS), bytes(20));
    }
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      changes.add(new Change(key(random.nextInt(12)), random.nextInt(4) == 0 ? null : bytes(60)));
    }
    List<Rows> rows = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      rows.add(
          new Rows(any(List.of(Channel.values())), any(SHARDS), 1 + random.nextInt(5), bytes(200)));
    }
    return new Command.Commit(task, epoch(task), nextSequence(task), positions, changes, rows);
  }
}
