package io.sedge.division;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.FailedRows;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.SliceLayout;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Makes the rows of one table at the center of the parts that sites give, one window at a time.
 * Stateless: the same parts give the same rows, in whatever order they come, but for rounding of
 * sums of DOUBLE and for aggregates that go by the order of rows. Any thread.
 */
public final class CenterMerge {
  private static final String UTC = "UTC";
  private static final long MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  private final String partsTable;
  private final TableDescriptor table;
  private final PlanNode rows;
  private final PlanNode.WindowAggregate aggregated;
  private final PlanNode.WindowAggregate window;
  private final PlanNode.Scan parts;
  private final SliceLayout slices;
  private final Map<Integer, WindowColumn> windowColumns;
  private final FailedRows failedRows;
  private final FunctionRegistry functions;
  private final AggregateRegistry aggregates;
  private final ZoneId zone;

  /** What a column says of the window that a row is of. */
  enum WindowColumn {
    START,
    END
  }

  /**
   * @param partsTable the name of the center's table with the parts
   * @param table what is written
   * @param rows what is written to it, over {@code window}
   * @param window the only one in {@code rows}, over a scan of the parts
   * @param aggregated the same window as the job has it, over readings
   * @param windowColumns those of {@code rows} that tell its window
   * @param skips whether a row that an expression fails for is left out
   */
  CenterMerge(
      String partsTable,
      TableDescriptor table,
      PlanNode rows,
      PlanNode.WindowAggregate window,
      PlanNode.WindowAggregate aggregated,
      Map<Integer, WindowColumn> windowColumns,
      boolean skips,
      FunctionRegistry functions,
      AggregateRegistry aggregates) {
    this.partsTable = partsTable;
    this.table = table;
    this.rows = rows;
    this.window = window;
    this.aggregated = aggregated;
    this.windowColumns = Map.copyOf(windowColumns);
    this.failedRows = skips ? _ -> {} : FailedRows.THROWN;
    this.parts = (PlanNode.Scan) window.input();
    this.slices = SliceLayout.of(window.window());
    this.functions = functions;
    this.aggregates = aggregates;
    this.zone = ZoneId.of(window.zone());
  }

  /**
   * A window; times are what the clock of the windows' zone shows, in microseconds since 1970.
   *
   * @param end exclusive
   */
  public record Span(long start, long end) {}

  /** What the job aggregates, over readings. */
  PlanNode.WindowAggregate aggregated() {
    return aggregated;
  }

  /** The center's table with the parts. */
  public String partsTable() {
    return partsTable;
  }

  /** The columns of the parts. */
  public Schema partsSchema() {
    return parts.schema();
  }

  /** The column of the parts that says when they were: a time in their slice. */
  public int timeColumn() {
    return window.timeColumn();
  }

  /** The table that is written. */
  public TableDescriptor table() {
    return table;
  }

  /** The windows that a part counts in, by its {@link #timeColumn}, the earliest first. */
  public List<Span> windowsOf(long time) {
    List<Span> spans = new ArrayList<>();
    long slice = slices.endOfSlice(local(time));
    for (long end = slice; end <= slices.lastWindow(slice); end += slices.step()) {
      spans.add(new Span(slices.windowStart(end), end));
    }
    return spans;
  }

  /**
   * Until when who has given a part has given all of them, but for late ones: the end of its slice
   * of time, by the clock of the windows' zone.
   */
  public long doneUntil(long time) {
    return slices.endOfSlice(local(time));
  }

  /** How long a window is at most, in microseconds. */
  public long windowSize() {
    return slices.size();
  }

  /** How many windows a part counts in, at most. */
  public long windowsOfAPart() {
    return slices.slicesPerWindow();
  }

  /** The column of {@link #table}'s key that tells the window of a row. */
  public int windowColumn() {
    return table.primaryKey().stream()
        .filter(windowColumns::containsKey)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("refused when the job was cut"));
  }

  /** What {@link #windowColumn} has in rows of a window. */
  public long windowValue(Span span) {
    return windowColumns.get(windowColumn()) == WindowColumn.START ? span.start() : span.end();
  }

  /** What the clock of the windows' zone shows at a time; both in microseconds. */
  public long local(long time) {
    if (window.zone().equals(UTC)) {
      return time;
    }
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(time, MICROS_PER_SECOND),
            TimeUnit.MICROSECONDS.toNanos(Math.floorMod(time, MICROS_PER_SECOND)));
    return time + zone.getRules().getOffset(instant).getTotalSeconds() * MICROS_PER_SECOND;
  }

  /**
   * The times that parts of a window have lie in this span. Where a clock is set back one time on
   * it means two; all of both lie in the span.
   */
  public Span timesOf(Span span) {
    if (window.zone().equals(UTC)) {
      return span;
    }
    return new Span(
        span.start() - offsets(span.start()).max().orElseThrow() * MICROS_PER_SECOND,
        span.end() - offsets(span.end()).min().orElseThrow() * MICROS_PER_SECOND);
  }

  /** The offsets that the zone's clock has when it shows a time, or around it if it never does. */
  private LongStream offsets(long local) {
    LocalDateTime shown =
        LocalDateTime.ofEpochSecond(Math.floorDiv(local, MICROS_PER_SECOND), 0, ZoneOffset.UTC);
    ZoneOffsetTransition transition = zone.getRules().getTransition(shown);
    return transition == null
        ? LongStream.of(zone.getRules().getOffset(shown).getTotalSeconds())
        : LongStream.of(
            transition.getOffsetBefore().getTotalSeconds(),
            transition.getOffsetAfter().getTotalSeconds());
  }

  /**
   * The rows of a window, as the job would have them on one machine.
   *
   * @param given of {@link #partsSchema}, all of those in {@link #timesOf} the window
   */
  public List<Batch> merge(Span span, List<Batch> given) {
    List<Batch> merged = new ArrayList<>();
    Pipeline pipeline =
        Pipeline.compile(
            new Plan(List.of(new Plan.SinkNode(table.name(), over(span, rows)))),
            functions,
            aggregates,
            Map.of(table.name(), gathering(merged)),
            failedRows);
    check(pipeline.start());
    Output source = pipeline.source(parts.table());
    for (Batch batch : given) {
      check(source.offer(within(span, batch)));
    }
    check(source.advance(Long.MAX_VALUE));
    return merged;
  }

  private static void check(boolean taken) {
    if (!taken) {
      throw new IllegalStateException("a sink that takes all has refused");
    }
  }

  private static Output gathering(List<Batch> batches) {
    return new Output() {
      @Override
      public boolean offer(Batch batch) {
        batches.add(batch);
        return true;
      }

      @Override
      public boolean advance(long watermark) {
        return true;
      }
    };
  }

  private Batch within(Span span, Batch batch) {
    LongColumn times = (LongColumn) batch.column(timeColumn());
    int[] inside =
        IntStream.range(0, batch.rows())
            .filter(row -> !times.isNull(row))
            .filter(
                row -> {
                  long local = local(times.values()[row]);
                  return local >= span.start() && local < span.end();
                })
            .toArray();
    return batch.gather(inside, inside.length);
  }

  /** The same over one window alone: what it is given lies in it. */
  private PlanNode over(Span span, PlanNode node) {
    if (node.equals(window)) {
      long size = span.end() - span.start();
      return new PlanNode.WindowAggregate(
          window.input(),
          new Window.Tumbling(size, Math.floorMod(span.start(), size)),
          window.timeColumn(),
          window.keys(),
          window.aggregates(),
          window.zone(),
          0,
          window.schema());
    }
    return PlanInputs.replace(
        node, node.inputs().stream().map(input -> over(span, input)).toList());
  }
}
