package io.sedge.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.state.Stateful;
import io.sedge.engine.testkit.Rows.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operator, or a pipeline, over given steps in many ways, and checks that each gives the
 * same rows: whole batches; one row at a time; with an output that refuses every other call; with
 * the state checked and written after every row; with it restored into a new object after every
 * step; and with random cuts, refusals, commits and restores from a seed that a failure prints.
 *
 * <pre>
 * OperatorHarness.pipeline(sinks -&gt; Pipeline.compile(plan, functions, aggregates, sinks), "out")
 *     .orderedBy(0)
 *     .offer("readings", batch)
 *     .advance("readings", Long.MAX_VALUE)
 *     .run()
 *     .rows("out");
 * </pre>
 *
 * <p>By default rows are compared as a multiset; {@link #orderedBy} demands in addition that rows
 * with equal values in some columns keep their order, and {@link #updating} compares what the
 * changes add up to (and checks that nothing is taken back that is not there).
 */
public final class OperatorHarness {
  /** What an operator writes once, whatever it keeps: watermarks, that an input has ended. */
  private static final int FEW_ENTRIES = 3;

  private static final int RANDOM_RUNS = 8;

  private final Function<Map<String, Output>, Subject> factory;
  private final List<String> sinks;
  private final List<Step> steps = new ArrayList<>();
  private int @Nullable [] orderColumns;
  private boolean updating;
  private long seed = System.nanoTime();

  private OperatorHarness(Function<Map<String, Output>, Subject> factory, List<String> sinks) {
    this.factory = factory;
    this.sinks = sinks;
  }

  /** A harness for a pipeline with the sinks named; inputs are its source tables. */
  public static OperatorHarness pipeline(
      Function<Map<String, Output>, Pipeline> factory, String... sinks) {
    return new OperatorHarness(
        outputs -> new PipelineSubject(factory.apply(outputs)), List.of(sinks));
  }

  /**
   * A harness for one operator. Its inputs are named "0", "1" and so on and its sink is "out". A
   * watermark advanced on any input goes to the operator as that of all.
   */
  public static OperatorHarness operator(Supplier<? extends Operator> factory) {
    return new OperatorHarness(
        outputs -> new OperatorSubject(factory.get(), outputs.get("out")), List.of("out"));
  }

  /** Rows with equal values in these columns must come in the same order every time. */
  public OperatorHarness orderedBy(int... columns) {
    orderColumns = columns.clone();
    return this;
  }

  /** Compares what the changes add up to. */
  public OperatorHarness updating() {
    updating = true;
    return this;
  }

  /** Fixes the seed of the random runs, to repeat a failure. */
  public OperatorHarness seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  public OperatorHarness offer(String input, Batch batch) {
    steps.add(new Offer(input, batch));
    return this;
  }

  /** Says that a table of a pipeline is idle, or back; single operators know no idleness. */
  public OperatorHarness idle(String input, boolean idle) {
    steps.add(new Idle(input, idle));
    return this;
  }

  public OperatorHarness advance(String input, long watermark) {
    steps.add(new Advance(input, watermark));
    return this;
  }

  /** Runs in all ways, compares, and returns what the run with whole batches gave. */
  public Result run() {
    Result expected = execute(new Way("whole batches", 0, false, false, new Random(0)));
    compare(expected, new Way("one row at a time", 1, false, false, new Random(0)));
    compare(expected, new Way("an output that refuses", 0, true, false, new Random(0)));
    compare(expected, new Way("commit after every row", 1, false, true, new Random(0), true));
    compare(expected, new Way("restore after every step", 0, false, true, new Random(0)));
    compare(expected, new Way("restore after every row", 1, false, true, new Random(0)));
    for (int i = 0; i < RANDOM_RUNS; i++) {
      long runSeed = seed + i;
      compare(
          expected, new Way("random cuts, seed " + runSeed, -1, true, true, new Random(runSeed)));
    }
    return expected;
  }

  private void compare(Result expected, Way way) {
    Result actual = execute(way);
    for (String sink : sinks) {
      String what = "sink %s with %s".formatted(sink, way.name());
      if (updating) {
        assertThat(actual.materialized(sink)).as(what).isEqualTo(expected.materialized(sink));
      } else {
        assertThat(counted(actual.changes(sink)))
            .as(what)
            .isEqualTo(counted(expected.changes(sink)));
      }
      int[] columns = orderColumns;
      if (columns != null) {
        assertThat(grouped(actual.changes(sink), columns))
            .as(what + ", rows with equal columns " + Arrays.toString(columns))
            .isEqualTo(grouped(expected.changes(sink), columns));
      }
      assertThat(actual.watermark(sink))
          .as(what + ", last watermark")
          .isEqualTo(expected.watermark(sink));
    }
  }

  private static Map<Change, Integer> counted(List<Change> changes) {
    Map<Change, Integer> counts = new HashMap<>();
    changes.forEach(change -> counts.merge(change, 1, Integer::sum));
    return counts;
  }

  private static Map<List<@Nullable Object>, List<Change>> grouped(
      List<Change> changes, int[] columns) {
    Map<List<@Nullable Object>, List<Change>> groups = new LinkedHashMap<>();
    for (Change change : changes) {
      List<@Nullable Object> key = new ArrayList<>();
      for (int column : columns) {
        key.add(change.values().get(column));
      }
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(change);
    }
    return groups;
  }

  private Result execute(Way way) {
    Result result = new Result(new LinkedHashMap<>());
    sinks.forEach(sink -> result.sinks().put(sink, new Collected(way::refuses)));
    try {
      Run execution = new Run(way, result);
      execution.start();
      steps.forEach(execution::step);
      execution.subject.checkInvariants();
      if (!execution.subject.flushed()) {
        fail("calls wait for room though each was repeated until it was taken");
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("%s: %s".formatted(way.name(), e.getMessage()), e);
    }
    return result;
  }

  /** One run in one way. */
  private final class Run {
    private final Way way;
    private final Result result;
    private final StateImage image = new StateImage();
    private Subject subject;

    Run(Way way, Result result) {
      this.way = way;
      this.result = result;
      this.subject = make();
    }

    private void start() {
      repeat(subject::start);
    }

    private Subject make() {
      return factory.apply(Map.copyOf(result.sinks()));
    }

    private void step(Step step) {
      switch (step) {
        case Offer(String input, Batch batch) -> offer(input, batch);
        case Advance(String input, long watermark) -> {
          repeat(() -> subject.advance(input, watermark));
          settle();
        }
        case Idle(String input, boolean idle) -> {
          repeat(() -> subject.idle(input, idle));
          settle();
        }
      }
    }

    private void offer(String input, Batch batch) {
      int from = 0;
      while (from < batch.rows()) {
        int to = way.cut() == 0 ? batch.rows() : Math.min(batch.rows(), from + way.nextRows());
        Batch slice = batch.slice(from, to);
        long[] watermarks = batch.watermarks();
        if (from > 0 && watermarks != null && way.random().nextBoolean()) {
          long watermark = watermarks[from];
          repeat(() -> subject.advance(input, watermark));
        }
        repeat(() -> subject.offer(input, slice));
        settle();
        from = to;
      }
    }

    private void repeat(Call call) {
      int refusals = 0;
      while (!call.taken()) {
        if (++refusals > 1_000_000) {
          fail("a call was refused a million times");
        }
      }
    }

    /** Checks the state and, where the way says so, writes it, and goes on with a new object. */
    private void settle() {
      subject.checkInvariants();
      int chance = way.cut() < 0 ? way.random().nextInt(4) : 0;
      if (!way.restoring() || chance > 1) {
        return;
      }
      long announced = subject.changedEntries();
      image.resetWritten();
      subject.stateful().writeChanges(image);
      assertThat(image.written() - (long) FEW_ENTRIES * subject.operators())
          .as("entries written; announced were %d", announced)
          .isLessThanOrEqualTo(announced);
      assertThat(subject.changedEntries()).as("entries that are left to write").isZero();
      StateImage snapshot = StateImage.snapshotOf(subject.stateful());
      if (!snapshot.equals(image)) {
        fail("the snapshot differs from the changes so far:\n" + snapshot.difference(image));
      }
      if (chance == 1 || way.keeps()) {
        return;
      }
      subject = make();
      subject.stateful().restore(snapshot.entries());
      subject.checkInvariants();
      StateImage restored = StateImage.snapshotOf(subject.stateful());
      if (!restored.equals(snapshot)) {
        fail("the state restored differs from that written:\n" + restored.difference(snapshot));
      }
      repeat(subject::start);
    }
  }

  private interface Call {
    boolean taken();
  }

  private sealed interface Step {}

  private record Offer(String input, Batch batch) implements Step {}

  private record Advance(String input, long watermark) implements Step {}

  private record Idle(String input, boolean idle) implements Step {}

  /**
   * @param cut rows per batch; 0 for whole batches, -1 for random
   * @param restoring whether the state is written and restored
   * @param keeps whether it is written alone: the same object commits again and again
   */
  private record Way(
      String name, int cut, boolean refusing, boolean restoring, Random random, boolean keeps) {
    Way(String name, int cut, boolean refusing, boolean restoring, Random random) {
      this(name, cut, refusing, restoring, random, false);
    }

    int nextRows() {
      return cut < 0 ? 1 + random.nextInt(random.nextBoolean() ? 3 : 50) : cut;
    }

    boolean refuses(boolean refusedLast) {
      return refusing && !refusedLast && (cut >= 0 || random.nextBoolean());
    }
  }

  /** What came out of the run with whole batches. */
  public record Result(Map<String, Collected> sinks) {
    /** The changes that came to a sink, in order. */
    public List<Change> changes(String sink) {
      Collected collected = sinks.get(sink);
      if (collected == null) {
        throw new IllegalArgumentException("no sink " + sink + " but " + sinks.keySet());
      }
      return collected.changes;
    }

    /** The values of the rows that came to a sink, which must be insertions. */
    public List<List<@Nullable Object>> rows(String sink) {
      for (Change change : changes(sink)) {
        assertThat(change.kind()).as("the change %s", change).isEqualTo(Change.of().kind());
      }
      return changes(sink).stream().map(Change::values).toList();
    }

    /** What the changes add up to: rows and how many there are of each. */
    public Map<List<@Nullable Object>, Integer> materialized(String sink) {
      Map<List<@Nullable Object>, Integer> rows = new HashMap<>();
      for (Change change : changes(sink)) {
        if (change.adds()) {
          rows.merge(change.values(), 1, Integer::sum);
        } else if (!rows.containsKey(change.values())) {
          fail("%s takes back a row that is not there", change);
        } else {
          rows.compute(
              change.values(), (_, count) -> count == null || count == 1 ? null : count - 1);
        }
      }
      return rows;
    }

    /** The last watermark that came to a sink. */
    public long watermark(String sink) {
      changes(sink);
      return sinks.get(sink).watermark;
    }
  }

  private interface Refusal {
    boolean refuses(boolean refusedLast);
  }

  /** A sink that keeps what it takes. */
  public static final class Collected implements Output {
    private final Refusal refusal;
    private final List<Change> changes = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    private boolean refused;

    private Collected(Refusal refusal) {
      this.refusal = refusal;
    }

    private boolean refuses() {
      refused = refusal.refuses(refused);
      return refused;
    }

    @Override
    public boolean offer(Batch batch) {
      if (refuses()) {
        return false;
      }
      changes.addAll(Rows.changes(batch));
      return true;
    }

    @Override
    public boolean advance(long newWatermark) {
      if (refuses()) {
        return false;
      }
      assertThat(newWatermark).as("watermarks rise").isGreaterThanOrEqualTo(watermark);
      watermark = newWatermark;
      return true;
    }
  }

  private interface Subject {
    boolean start();

    boolean offer(String input, Batch batch);

    boolean advance(String input, long watermark);

    boolean idle(String input, boolean idle);

    boolean flushed();

    void checkInvariants();

    long changedEntries();

    /** How many operators it has, at most. */
    int operators();

    Stateful stateful();
  }

  private record PipelineSubject(Pipeline pipeline) implements Subject {
    @Override
    public boolean start() {
      return pipeline.start();
    }

    @Override
    public boolean offer(String input, Batch batch) {
      return pipeline.source(input).offer(batch);
    }

    @Override
    public boolean advance(String input, long watermark) {
      return pipeline.source(input).advance(watermark);
    }

    @Override
    public boolean idle(String input, boolean idle) {
      return pipeline.idle(input, idle);
    }

    @Override
    public boolean flushed() {
      return pipeline.flushed();
    }

    @Override
    public void checkInvariants() {
      pipeline.checkInvariants();
    }

    @Override
    public long changedEntries() {
      return pipeline.changedEntries();
    }

    @Override
    public int operators() {
      return pipeline.counters().size();
    }

    @Override
    public Pipeline stateful() {
      return pipeline;
    }
  }

  private record OperatorSubject(Operator operator, Output output) implements Subject {
    @Override
    public boolean start() {
      return true;
    }

    @Override
    public boolean offer(String input, Batch batch) {
      return operator.process(Integer.parseInt(input), batch, output);
    }

    @Override
    public boolean advance(String input, long watermark) {
      return operator.advance(watermark, output);
    }

    @Override
    public boolean idle(String input, boolean idle) {
      throw new UnsupportedOperationException("only pipelines have tables that fall idle");
    }

    @Override
    public boolean flushed() {
      return true;
    }

    @Override
    public void checkInvariants() {
      operator.checkInvariants();
    }

    @Override
    public long changedEntries() {
      return operator.changedEntries();
    }

    @Override
    public int operators() {
      return 1;
    }

    @Override
    public Operator stateful() {
      return operator;
    }
  }
}
