package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Limits;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.CommitBeat;
import io.sedge.site.internal.commit.LedgerCommitLog;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.task.internal.MalformedLog;
import io.sedge.task.internal.SinkOutput;
import io.sedge.task.internal.SourceInput;
import io.sedge.task.internal.Task;
import io.sedge.task.testkit.FakeSink;
import io.sedge.task.testkit.FakeSource;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;

/**
 * A task whose commits go into the ledger is killed again and again, at any moment, and goes on on
 * one of two devices; the process before may still have commits on their way. One thread, virtual
 * time, a seed. At the end each reading's row stands in the outbox once, and the sums, which are
 * state, are those of a task that was never killed.
 */
class LedgerTaskSimulationTest {
  private static final long MILLI = 1_000_000;
  private static final long TOTAL = 4_000;
  private static final int MAX_STEPS = 400_000;
  private static final int FIRST_KILL = 100;
  private static final TaskId TASK = new TaskId("plant", "hall");
  private static final List<String> SOURCES = List.of("a", "b");
  private static final Schema SUMS =
      Schema.builder().add("source", Type.STRING).add("total", Type.BIGINT).build();
  private static final Map<String, Schema> SINKS = Map.of("kept", FakeSource.SCHEMA, "sums", SUMS);

  /** A process that runs the task. */
  private static final class TaskProcess {
    private final SimulatedLedger.Device ledger;
    private final CompletableFuture<Optional<TaskStart>> opening;
    private LedgerCommitLog log;
    private Task task;

    TaskProcess(SimulatedLedger.Device ledger, String device) {
      this.ledger = ledger;
      this.opening = TaskStart.open(ledger, TASK, device);
    }
  }

  private static final class World {
    private final Random random;
    private final SimulatedLedger ledger;
    private final List<TaskProcess> dead = new ArrayList<>();
    private final Map<String, List<Long>> kept = new HashMap<>();
    private final Map<String, Long> sums = new HashMap<>();
    private TaskProcess process;
    private String owner = "x";
    private long fetched;
    private long now = 1_000 * MILLI;

    World(long seed) {
      random = new Random(seed);
      ledger = new SimulatedLedger(random);
      apply(
          new Command.SetLimits(
              new Limits(9, 9, 9, 1_000, 9_000, 60_000, 60_000, 60_000, 1_000).values()));
      apply(new Command.RegisterDevice("x", "", Map.of()));
      apply(new Command.RegisterDevice("y", "", Map.of()));
      apply(new Command.SubmitJob("plant", ""));
      apply(new Command.AssignTask(TASK, owner, 0));
      process = new TaskProcess(ledger.device(), owner);
    }

    private void apply(Command command) {
      assertThat(ledger.apply(command)).isInstanceOf(Answer.Done.class);
    }

    void step() {
      now += random.nextInt(5) * MILLI;
      dead.forEach(before -> before.ledger.step());
      process.ledger.step();
      if (process.task != null) {
        process.task.doWork(now);
      } else if (process.opening.isDone()) {
        process.opening.join().ifPresentOrElse(this::start, () -> kill(false));
      }
      if (random.nextInt(40) == 0) {
        fetch();
      }
    }

    private CommitBeat beat() {
      return new CommitBeat(100 * MILLI, () -> Instant.ofEpochSecond(0, now));
    }

    private void start(TaskStart start) {
      process.log = new LedgerCommitLog(process.ledger, start, SINKS, Map.of(), beat(), () -> now);
      List<SinkOutput> outputs =
          SINKS.keySet().stream()
              .map(
                  table ->
                      new SinkOutput(
                          table, table, new FakeSink(random, 0.1), false, Optional.empty()))
              .toList();
      Pipeline pipeline = pipeline(outputs);
      if (!start.resume().state().isEmpty()) {
        pipeline.restore(start.resume().state());
      }
      List<SourceInput> inputs = new ArrayList<>();
      for (String name : SOURCES) {
        FakeSource source = new FakeSource(name, TOTAL, random, upTo -> check(name, upTo));
        byte[] position = start.resume().positions().get(name);
        if (position != null) {
          source.seek(position);
        }
        inputs.add(new SourceInput(name, source, Optional.empty()));
      }
      process.task =
          new Task(
              pipeline,
              inputs,
              outputs,
              new MalformedLog((_, _) -> {}, Map.of()),
              process.log,
              (_, _) -> {},
              () -> now);
    }

    private static Pipeline pipeline(List<SinkOutput> outputs) {
      PlanNode union =
          new PlanNode.Union(
              SOURCES.stream()
                  .<PlanNode>map(name -> new PlanNode.Scan(name, FakeSource.SCHEMA))
                  .toList());
      AggregateCall sum =
          new AggregateCall(
              "SUM", List.of(1), List.of(Type.BIGINT), List.of(), -1, false, Type.BIGINT, "total");
      Plan plan =
          new Plan(
              List.of(
                  new Plan.SinkNode("kept", union),
                  new Plan.SinkNode(
                      "sums", new PlanNode.GroupAggregate(union, List.of(0), List.of(sum), SUMS))));
      Map<String, SinkOutput> byName = new HashMap<>();
      outputs.forEach(output -> byName.put(output.table(), output));
      return Pipeline.compile(
          plan, (_, _, _) -> Optional.empty(), BuiltinAggregates.registry(), Map.copyOf(byName));
    }

    /** What a source may forget must be in the ledger. */
    private void check(String source, long upTo) {
      byte[] position = ledger.machine().state().positions(TASK).get(source);
      assertThat(position).as("a position of %s", source).isNotNull();
      assertThat(ByteBuffer.wrap(position).getLong()).isGreaterThanOrEqualTo(upTo);
    }

    /** The process dies; its device or the other one takes the task up. */
    void kill(boolean move) {
      process.ledger.kill();
      dead.add(process);
      if (move) {
        owner = owner.equals("x") ? "y" : "x";
        long epoch = ledger.machine().state().task(TASK).orElseThrow().epoch();
        apply(new Command.AssignTask(TASK, owner, epoch));
      }
      process = new TaskProcess(ledger.device(), owner);
    }

    /** What the center does: takes rows, then acknowledges them. */
    private void fetch() {
      for (RowBlock entry :
          ledger.machine().state().rows("plant", Channel.OUTBOX, fetched, Integer.MAX_VALUE)) {
        assertThat(entry.sequence()).isEqualTo(fetched + 1);
        fetched = entry.last();
        Batch batch =
            new RowsCodec(SINKS.get(entry.rows().table()))
                .decode(entry.rows().count(), entry.rows().bytes());
        for (int row = 0; row < batch.rows(); row++) {
          String source = (String) batch.column(0).value(row);
          Long value = (Long) batch.column(1).value(row);
          if (entry.rows().table().equals("kept")) {
            kept.computeIfAbsent(source, _ -> new ArrayList<>()).add(value);
          } else {
            sums.put(source, value);
          }
        }
      }
      if (fetched > 0) {
        apply(new Command.AcknowledgeRows("plant", Channel.OUTBOX, fetched));
      }
    }

    void runUntilDone(int killEvery) {
      for (int i = 0; i < MAX_STEPS && (process.task == null || !process.task.isDone()); i++) {
        step();
        if (i == FIRST_KILL || random.nextInt(killEvery) == 0) {
          kill(random.nextBoolean());
        }
      }
      assertThat(process.task.isDone()).as("done after %d steps", MAX_STEPS).isTrue();
      fetch();
    }
  }

  private static long seed() {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    return seed;
  }

  @RepeatedTest(30)
  void aTaskThatIsKilledAndGoesOnElsewhereLosesAndDoublesNothing() {
    World world = new World(seed());
    world.runUntilDone(120);
    long sum = TOTAL * (TOTAL - 1) / 2;
    for (String source : SOURCES) {
      assertThat(world.kept.get(source))
          .as("rows of %s, after %d kills", source, world.dead.size())
          .isEqualTo(LongStream.range(0, TOTAL).boxed().toList());
      assertThat(world.sums.get(source)).isEqualTo(sum);
      byte[] position = world.ledger.machine().state().positions(TASK).get(source);
      assertThat(ByteBuffer.wrap(position).getLong()).isEqualTo(TOTAL);
    }
    assertThat(world.dead).isNotEmpty();
  }
}
