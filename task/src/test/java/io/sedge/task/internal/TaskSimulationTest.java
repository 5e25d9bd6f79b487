package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.task.Commit;
import io.sedge.task.HeldReader;
import io.sedge.task.JobCounters;
import io.sedge.task.testkit.FakeSink;
import io.sedge.task.testkit.FakeSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * The whole task in one thread: connectors and a commit log that refuse at random, virtual time, a
 * seed. What must never happen is checked after every step: a reading acknowledged before what came
 * of it is safe, lost, or doubled.
 */
class TaskSimulationTest {
  private static final long MILLI = 1_000_000;
  private static final long START = 1_000 * MILLI;
  private static final int MAX_STEPS = 100_000;
  private static final List<String> SOURCES = List.of("a", "b", "c");
  private static final long FOREVER = Long.MAX_VALUE;

  /** A task with three sources whose union goes to one sink. */
  private static final class World {
    private final Random random;
    private final boolean looksUp;
    private final FakeSink sink;
    private final FakeCommitLog log;
    private final List<FakeSource> sources = new ArrayList<>();
    private final List<String> reports = new ArrayList<>();
    private final Task task;
    private long now = START;

    World(long seed, double refusal, long total) {
      this(seed, refusal, total, false);
    }

    /**
     * @param looksUp whether the first is joined with the second, the table of a lookup
     */
    World(long seed, double refusal, long total, boolean looksUp) {
      this.looksUp = looksUp;
      random = new Random(seed);
      sink = new FakeSink(random, refusal);
      log = new FakeCommitLog(random, refusal);
      SinkOutput output = new SinkOutput("out", "table out", sink, true, Optional.empty());
      task =
          new Task(
              pipeline(output, looksUp),
              inputs(total),
              List.of(output),
              new MalformedLog((_, message) -> reports.add(message), Map.of()),
              log,
              (_, message) -> reports.add(message),
              () -> now);
    }

    private List<SourceInput> inputs(long total) {
      List<SourceInput> inputs = new ArrayList<>();
      for (String name : SOURCES) {
        FakeSource source =
            new FakeSource(name, total, random, upTo -> checkAcknowledged(name, upTo));
        sources.add(source);
        inputs.add(new SourceInput(name, source, Optional.empty()));
      }
      return inputs;
    }

    private static Pipeline pipeline(SinkOutput output, boolean looksUp) {
      List<PlanNode> scans =
          SOURCES.stream()
              .<PlanNode>map(name -> new PlanNode.Scan(name, FakeSource.SCHEMA))
              .toList();
      Plan plan =
          new Plan(
              List.of(
                  new Plan.SinkNode("out", looksUp ? lookup(scans) : new PlanNode.Union(scans))));
      return Pipeline.compile(
          plan, (_, _, _) -> Optional.empty(), _ -> Optional.empty(), Map.of("out", output));
    }

    /** A reading may be forgotten only if its row is durable in the sink and in the log. */
    private void checkAcknowledged(String source, long upTo) {
      if (looksUp && source.equals("b")) {
        return; // A table that is looked up in has no rows of its own.
      }
      assertThat((long) sink.durable(source)).as("rows flushed").isGreaterThanOrEqualTo(upTo);
      List<Commit> durable = log.durableCommits();
      assertThat(durable).as("durable commits").isNotEmpty();
      assertThat(position(durable.getLast(), source)).isGreaterThanOrEqualTo(upTo);
    }

    void step() {
      task.doWork(now);
      now += random.nextInt(5) * MILLI;
    }

    long idleNanos() {
      return task.counters(START, now, 0).idle().toNanos();
    }

    void stepUntilDone() {
      for (int i = 0; i < MAX_STEPS && !task.isDone(); i++) {
        step();
        if (i % 50 == 0) {
          checkRows();
        }
      }
      assertThat(task.isDone()).as("done after %d steps", MAX_STEPS).isTrue();
      checkRows();
    }

    void checkRows() {
      for (String source : SOURCES) {
        List<Long> taken = sink.taken(source);
        assertThat(taken)
            .as("rows of %s are in order, none is lost, none doubled", source)
            .isEqualTo(LongStream.range(0, taken.size()).boxed().toList());
      }
      log.commits().forEach(commit -> assertThat(commit.positions()).containsOnlyKeys(SOURCES));
    }

    void checkAllIsSafe() {
      for (FakeSource source : sources) {
        assertThat(source.acknowledged()).isEqualTo(source.read());
      }
      for (String source : SOURCES) {
        checkCommitsAddUp(source);
      }
    }

    /**
     * At each commit its rows and those before are what came of the readings up to its positions.
     */
    private void checkCommitsAddUp(String source) {
      long rows = 0;
      for (Commit commit : log.commits()) {
        for (Batch batch : commit.rows().getOrDefault("out", List.of())) {
          for (int row = 0; row < batch.rows(); row++) {
            rows += source.equals(batch.column(0).value(row)) ? 1 : 0;
          }
        }
        assertThat(rows).isEqualTo(position(commit, source));
      }
    }

    private static long position(Commit commit, String source) {
      return ByteBuffer.wrap(commit.positions().get(source)).getLong();
    }
  }

  /** The first joined with the second by number, as the first's two columns. */
  private static PlanNode lookup(List<PlanNode> scans) {
    Schema schema =
        Schema.builder()
            .addAll(FakeSource.SCHEMA)
            .add("table", Type.STRING)
            .add("found", Type.BIGINT)
            .build();
    PlanNode join =
        new PlanNode.LookupJoin(
            scans.getFirst(),
            scans.get(1),
            PlanNode.JoinKind.INNER,
            List.of(1),
            List.of(1),
            Optional.empty(),
            schema);
    return new PlanNode.Union(
        List.of(
            new PlanNode.Project(
                join,
                List.of(new Expression.Input(0, Type.STRING), new Expression.Input(1, Type.BIGINT)),
                FakeSource.SCHEMA),
            scans.get(2)));
  }

  private static long seed() {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    return seed;
  }

  @RepeatedTest(20)
  void everyReadingOfBoundedInputIsWrittenOnceAndThenAcknowledged() {
    World world = new World(seed(), 0.3, 2000);
    world.stepUntilDone();
    for (String source : SOURCES) {
      assertThat(world.sink.taken(source)).hasSize(2000);
    }
    world.checkAllIsSafe();
  }

  /** A commit that is overdue must not wait for rows that wait for the table to be read. */
  @RepeatedTest(20)
  void theTableOfALookupIsReadWholeAndThenEveryRowIsJoined() {
    World world = new World(seed(), 0.3, 2000, true);
    world.stepUntilDone();
    assertThat(world.sink.taken("a")).hasSize(2000);
    assertThat(world.sink.taken("c")).hasSize(2000);
    assertThat(world.sources).allMatch(source -> source.read() == 2000);
  }

  @RepeatedTest(20)
  void aStoppedTaskAcknowledgesAllThatItRead() {
    World world = new World(seed(), 0.5, FOREVER);
    int steps = world.random.nextInt(3000);
    for (int i = 0; i < steps; i++) {
      world.step();
    }
    world.task.stop();
    world.stepUntilDone();
    world.checkAllIsSafe();
    assertThat(world.sources.getFirst().read()).isLessThan(FOREVER);
  }

  /** Else a device could not be stopped in less than what is waited for all commits. */
  @Test
  void aStoppedTaskDoesNotWaitForOthersToGoOn() {
    World world = new World(seed(), 0, FOREVER);
    for (int i = 0; i < 500; i++) {
      world.step();
    }
    world.log.letWait(true);
    for (int i = 0; i < 500; i++) {
      world.step();
    }
    world.task.stop();
    for (int i = 0; i < 10; i++) {
      world.step();
    }
    assertThat(world.task.isDone()).isTrue();
    assertThat(world.sources).allMatch(source -> source.acknowledged() < source.read());
  }

  @Test
  void aTaskWhoseInputHasEndedWaitsForOthersToGoOn() {
    World world = new World(seed(), 0, 100);
    world.log.letWait(true);
    for (int i = 0; i < 1_000; i++) {
      world.step();
    }
    assertThat(world.task.isDone()).isFalse();
    world.log.letWait(false);
    world.stepUntilDone();
    world.checkAllIsSafe();
  }

  @Test
  void aCommitComesAtOnceWhenThereIsNothingElseToDo() {
    World world = new World(seed(), 0, 10);
    world.stepUntilDone();
    assertThat(world.now - START).isLessThan(1_000 * MILLI);
    assertThat(world.log.commits()).isNotEmpty();
  }

  /** Under load commits are 100 ms apart at least, but a constant flow does not put them off. */
  @Test
  void underLoadThereAreSomeTenCommitsASecond() {
    World world = new World(seed(), 0, FOREVER);
    while (world.now < START + 10_000 * MILLI) {
      int before = world.log.commits().size();
      world.step();
      assertThat(world.log.commits().size() - before).isLessThanOrEqualTo(1);
    }
    assertThat(world.sources).allMatch(source -> source.acknowledged() > 0);
    assertThat(world.log.commits()).hasSizeBetween(50, 3000);
  }

  /** MQTT: a broker sends so many messages and then waits for acknowledgements. */
  @Test
  void aSourceThatWaitsForItsAcknowledgementsIsCommittedSoonAndNotTooOften() {
    World world = new World(seed(), 0, FOREVER);
    world.log.space(5_000 * MILLI);
    FakeSource narrow = world.sources.getFirst();
    narrow.narrow(50);
    while (world.now < START + 10_000 * MILLI) {
      world.step();
    }
    assertThat(narrow.acknowledged()).isGreaterThan(5_000);
    assertThat(world.log.commits().size() * Commits.WANTED_GAP_NANOS)
        .isLessThanOrEqualTo(10_000 * MILLI + Commits.WANTED_GAP_NANOS);
  }

  @Test
  void theLogIsToldOfRowsThatWaitAndOfNoneOnceTheyAreCommitted() {
    World world = new World(seed(), 0, FOREVER);
    world.log.space(5_000 * MILLI);
    world.log.hurryRows();
    while (world.now < START + 20_000 * MILLI) {
      world.step();
    }
    long withoutRows =
        world.log.commits().stream().skip(1).filter(commit -> commit.rows().isEmpty()).count();
    assertThat(world.log.commits()).hasSizeGreaterThan(20);
    assertThat(withoutRows).as("in 20 s, 5 s apart").isLessThanOrEqualTo(5);
  }

  @Test
  void aSinkThatIsStuckHoldsTheSourcesBackAndIsNamed() {
    World world = new World(seed(), 0, FOREVER);
    for (int i = 0; i < 100; i++) {
      world.step();
    }
    world.sink.stick(true);
    for (int i = 0; i < 100; i++) {
      world.step();
    }
    long read = world.sources.stream().mapToLong(FakeSource::read).sum();
    while (world.now < START + 60_000 * MILLI) {
      world.step();
    }
    assertThat(world.sources.stream().mapToLong(FakeSource::read).sum()).isEqualTo(read);
    assertThat(world.reports)
        .hasSizeBetween(2, 3)
        .allMatch(report -> report.startsWith("table out takes no more rows; the sources have"));
    assertThat(world.task.unfinishedSinks()).isEqualTo("table out");
    JobCounters counters = world.task.counters(START, world.now, 0);
    assertThat(counters.heldBack().toSeconds()).isBetween(50L, 60L);
    assertThat(counters.idle()).isLessThan(Duration.ofSeconds(1));
    world.sink.stick(false);
    world.task.stop();
    world.stepUntilDone();
    world.checkAllIsSafe();
  }

  /** Flushing tells only that all is written; a flow without a pause must not hide that. */
  @RepeatedTest(5)
  void aSinkThatIsSeldomFlushedIsWaitedForSoThatSourcesAreAcknowledged() {
    World world = new World(seed(), 0.95, FOREVER);
    for (int i = 0; i < 20_000; i++) {
      world.step();
    }
    assertThat(world.sources).allMatch(source -> source.acknowledged() > 0);
    world.checkRows();
  }

  /** Files end by age even when no more rows come: sinks are driven all the same. */
  @Test
  void sinksAreDrivenOnceASecondWhenNothingIsWritten() {
    World world = new World(seed(), 0, 0);
    world.sources.forEach(FakeSource::goOn);
    while (world.now < START + 10_000 * MILLI) {
      world.step();
    }
    assertThat(world.sink.flushes()).isBetween(8, 10);
    assertThat(world.log.commits()).isEmpty();
  }

  /** Else nobody could tell a device that is too slow from one to which little comes. */
  @Test
  void aTaskIsIdleOnlyWhileNothingIsToBeRead() {
    World world = new World(seed(), 0, 1_000);
    world.sources.forEach(FakeSource::goOn);
    while (world.sources.stream().anyMatch(source -> source.read() < 1_000)) {
      world.step();
    }
    long busy = world.now - START;
    assertThat(world.idleNanos()).isLessThan(busy / 2);
    for (int i = 0; i < 1_000; i++) {
      world.task.doWork(world.now, true);
      world.now += MILLI;
    }
    assertThat(world.idleNanos()).as("a rest is not idleness").isLessThan(busy / 2);
    while (world.now < START + 60_000 * MILLI) {
      world.step();
    }
    assertThat(world.idleNanos()).isGreaterThan(50_000 * MILLI);
  }

  /** A reader that has rows and keeps them back for as long as others are silent. */
  private static final class Held extends NumberReader implements HeldReader {
    Held() {
      super(1);
    }

    @Override
    public @Nullable Batch poll(long nowNanos) {
      return null;
    }

    @Override
    public boolean isHeld() {
      return true;
    }

    @Override
    public String waitsFor() {
      return "others";
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(0, 0, 0, 0);
    }
  }

  /** Else those that are held for a silent one would wait for it for ever. */
  @Test
  void aTableThatIsAskedFallsIdleWhileAnotherIsHeld() {
    Random random = new Random(seed());
    Optional<Duration> timeout = Optional.of(Duration.ofSeconds(5));
    FakeSource silent = new FakeSource("b", 0, random, _ -> {});
    silent.goOn();
    List<SourceInput> inputs =
        List.of(
            new SourceInput("a", new Held(), timeout),
            new SourceInput("b", silent, timeout),
            new SourceInput("c", new FakeSource("c", 0, random, _ -> {}), Optional.empty()));
    SinkOutput output =
        new SinkOutput("out", "table out", new FakeSink(random, 0), true, Optional.empty());
    Task task =
        new Task(
            World.pipeline(output, false),
            inputs,
            List.of(output),
            new MalformedLog((_, _) -> {}, Map.of()),
            new FakeCommitLog(random, 0),
            (_, _) -> {},
            () -> START);
    for (long now = START; now < START + 10_000 * MILLI; now += MILLI) {
      task.doWork(now);
    }
    assertThat(inputs).extracting(SourceInput::isIdle).containsExactly(false, true, false);
  }

  /** An idle job asks its sources nothing that costs more than a poll. */
  @Test
  void positionsAreNotMadeWhileNothingIsRead() {
    World world = new World(seed(), 0, 100);
    world.sources.forEach(FakeSource::goOn);
    while (world.now < START + 2_000 * MILLI) {
      world.step();
    }
    world.checkAllIsSafe();
    List<Integer> before = world.sources.stream().map(FakeSource::positions).toList();
    while (world.now < START + 20_000 * MILLI) {
      world.step();
    }
    assertThat(world.sources).extracting(FakeSource::positions).isEqualTo(before);
  }
}
