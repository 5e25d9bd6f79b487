package io.sedge.division;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Makes the rows of one table at the center of the parts that sites give, one window at a time.
 * Stateless: the same parts give the same rows, in whatever order they come, but for rounding of
 * sums of DOUBLE and for aggregates that go by the order of rows. Any thread.
 */
public final class CenterMerge {
  private static final long LARGEST_OFFSET = TimeUnit.HOURS.toMicros(18);
  private static final String UTC = "UTC";

  private final String partsTable;
  private final TableDescriptor table;
  private final PlanNode rows;
  private final PlanNode.WindowAggregate aggregated;
  private final PlanNode.WindowAggregate window;
  private final PlanNode.Scan parts;
  private final FunctionRegistry functions;
  private final AggregateRegistry aggregates;
  private final ZoneId zone;

  /**
   * @param partsTable the name of the center's table with the parts
   * @param table what is written
   * @param rows what is written to it, over {@code window}
   * @param window the only one in {@code rows}, over a scan of the parts
   * @param aggregated the same window as the job has it, over readings
   */
  CenterMerge(
      String partsTable,
      TableDescriptor table,
      PlanNode rows,
      PlanNode.WindowAggregate window,
      PlanNode.WindowAggregate aggregated,
      FunctionRegistry functions,
      AggregateRegistry aggregates) {
    this.partsTable = partsTable;
    this.table = table;
    this.rows = rows;
    this.window = window;
    this.aggregated = aggregated;
    this.parts = (PlanNode.Scan) window.input();
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

  /** The windows that a part counts in, by its {@link #timeColumn}. */
  public List<Span> windowsOf(long time) {
    long local = local(time);
    return switch (window.window()) {
      case Window.Tumbling(long size, long offset) -> {
        long start = start(local, size, offset);
        yield List.of(new Span(start, start + size));
      }
      case Window.Hopping(long size, long slide, long offset) -> {
        List<Span> spans = new ArrayList<>();
        for (long start = start(local, slide, offset); start > local - size; start -= slide) {
          spans.add(new Span(start, start + size));
        }
        yield spans;
      }
      case Window.Cumulating(long size, long step, long offset) -> {
        long start = start(local, size, offset);
        List<Span> spans = new ArrayList<>();
        for (long end = start(local, step, offset) + step; end <= start + size; end += step) {
          spans.add(new Span(start, end));
        }
        yield spans;
      }
      case Window.Session _ -> throw new IllegalStateException("sessions are not cut");
    };
  }

  /**
   * Until when who has given a part has given all of them, but for late ones: the end of its slice
   * of time, by the clock of the windows' zone.
   */
  public long doneUntil(long time) {
    long local = local(time);
    return switch (window.window()) {
      case Window.Tumbling(long size, long offset) -> start(local, size, offset) + size;
      case Window.Hopping(long _, long slide, long offset) -> start(local, slide, offset) + slide;
      case Window.Cumulating(long _, long step, long offset) -> start(local, step, offset) + step;
      case Window.Session _ -> throw new IllegalStateException("sessions are not cut");
    };
  }

  private static long start(long time, long size, long offset) {
    return time - Math.floorMod(time - offset, size);
  }

  private long local(long time) {
    if (window.zone().equals(UTC)) {
      return time;
    }
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(time, TimeUnit.SECONDS.toMicros(1)),
            TimeUnit.MICROSECONDS.toNanos(Math.floorMod(time, TimeUnit.SECONDS.toMicros(1))));
    return time
        + TimeUnit.SECONDS.toMicros(zone.getRules().getOffset(instant).getTotalSeconds());
  }

  /** The times that parts of a window have lie in this span; not all in it are of the window. */
  public Span timesOf(Span span) {
    return window.zone().equals(UTC)
        ? span
        : new Span(span.start() - LARGEST_OFFSET, span.end() + LARGEST_OFFSET);
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
            Map.of(table.name(), gathering(merged)));
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
