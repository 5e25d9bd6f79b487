package io.sedge.bench;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.internal.WindowAggregates;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The window operators of the engine alone, with a filter before them, beside a loop written by
 * hand over the same arrays: count, min, max, average and deviation of {@code value >= 10} per
 * sensor, in windows of 10 s and of 60 s every 10 s. One thread; figures are per second of its CPU
 * time. Batches ask for nothing but their times, which both sides compute from the number of the
 * reading.
 *
 * <pre>
 * java io.sedge.bench.EngineWindowBenchmark [millions of readings] [rounds]
 * </pre>
 */
final class EngineWindowBenchmark {
  private static final long SECOND = 1_000_000;
  private static final double THRESHOLD = 10;

  private final int[][] codes = new int[Readings.CYCLE / Batch.TARGET_ROWS][];
  private final double[][] values = new double[codes.length][];
  private final Dictionary dictionary = new Dictionary();

  private EngineWindowBenchmark() {
    Readings readings = new Readings();
    for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
      dictionary.encode(readings.idOfSensor(sensor));
    }
    for (int b = 0; b < codes.length; b++) {
      codes[b] = new int[Batch.TARGET_ROWS];
      values[b] = new double[Batch.TARGET_ROWS];
      for (int row = 0; row < Batch.TARGET_ROWS; row++) {
        long reading = (long) b * Batch.TARGET_ROWS + row;
        codes[b][row] = readings.sensor(reading);
        values[b][row] = readings.value(reading);
      }
    }
  }

  public static void main(String[] args) {
    long readings = (args.length > 0 ? Long.parseLong(args[0]) : 20) * 1_000_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    EngineWindowBenchmark benchmark = new EngineWindowBenchmark();
    PrintStream out = System.out;
    out.printf("%-6s %-8s %12s %14s%n", "query", "side", "M readings/s", "check");
    for (int round = 0; round < rounds; round++) {
      for (int windows : new int[] {1, 6}) {
        String query = windows == 1 ? "W1" : "W2";
        benchmark.report(out, query, "hand", readings, () -> benchmark.byHand(readings, windows));
        benchmark.report(out, query, "engine", readings, () -> benchmark.engine(readings, windows));
      }
    }
  }

  private interface Side {
    double run();
  }

  private void report(PrintStream out, String query, String name, long readings, Side side) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    double check = side.run();
    double seconds = (threads.getCurrentThreadCpuTime() - begin) / 1e9;
    out.printf("%-6s %-8s %12.1f %14.4f%n", query, name, readings / seconds / 1e6, check);
  }

  /** Microseconds of a reading. */
  private static long time(long reading) {
    return Readings.timeMs(reading) * 1000;
  }

  private double engine(long readings, int windows) {
    Window window =
        windows == 1
            ? new Window.Tumbling(10 * SECOND, 0)
            : new Window.Hopping(10 * SECOND * windows, 10 * SECOND, 0);
    Operator operator = WindowAggregates.operator(plan(window), BuiltinAggregates.registry());
    Sum sum = new Sum();
    for (long from = 0; from < readings; from += Batch.TARGET_ROWS) {
      Batch batch = filter(batch(from));
      operator.process(0, batch, sum);
      operator.advance(time(from + Batch.TARGET_ROWS - 1) - 1000, sum);
    }
    operator.advance(Long.MAX_VALUE, sum);
    return sum.total;
  }

  private Batch batch(long from) {
    int b = (int) (from / Batch.TARGET_ROWS % codes.length);
    long[] times = new long[Batch.TARGET_ROWS];
    for (int row = 0; row < times.length; row++) {
      times[row] = time(from + row);
    }
    return new Batch(
        times.length,
        List.of(
            new LongColumn(times, null, times.length),
            new StringColumn(codes[b], dictionary, null, times.length),
            new DoubleColumn(values[b], null, times.length)));
  }

  private static Batch filter(Batch batch) {
    double[] column = ((DoubleColumn) batch.column(2)).values();
    int[] selected = new int[batch.rows()];
    int count = 0;
    for (int row = 0; row < batch.rows(); row++) {
      selected[count] = row;
      count += column[row] >= THRESHOLD ? 1 : 0;
    }
    return count == batch.rows() ? batch : batch.gather(selected, count);
  }

  private static PlanNode.WindowAggregate plan(Window window) {
    Schema input =
        Schema.builder()
            .add("ts", Type.timestamp(3))
            .add("id", Type.STRING)
            .add("value", Type.DOUBLE)
            .build();
    List<AggregateCall> calls = new ArrayList<>();
    Schema.Builder schema = Schema.builder().add("id", Type.STRING);
    for (String function : List.of("COUNT", "MIN", "MAX", "AVG", "STDDEV_POP")) {
      boolean counts = function.equals("COUNT");
      Type type = counts ? Type.BIGINT : Type.DOUBLE;
      List<Integer> arguments = counts ? List.of() : List.of(2);
      List<Type> types = counts ? List.of() : List.of(Type.DOUBLE);
      calls.add(
          new AggregateCall(function, arguments, types, List.of(), -1, false, type, function));
      schema.add(function, type);
    }
    schema.add("window_start", Type.timestamp(3)).add("window_end", Type.timestamp(3));
    schema.add("window_time", Type.timestamp(3));
    return new PlanNode.WindowAggregate(
        new PlanNode.Scan("readings", input),
        window,
        0,
        List.of(1),
        calls,
        "UTC",
        0,
        schema.build());
  }

  /** Adds up results, so that both sides can be compared. */
  private static final class Sum implements Output {
    private double total;

    @Override
    public boolean offer(Batch batch) {
      long[] counts = ((LongColumn) batch.column(1)).values();
      for (int row = 0; row < batch.rows(); row++) {
        total += counts[row];
        for (int column = 2; column <= 5; column++) {
          total += ((DoubleColumn) batch.column(column)).values()[row];
        }
      }
      return true;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }

  /** Accumulators of a slice, by sensor, as one writes them by hand: no nulls, no late rows. */
  private static final class Cells {
    private final long[] count = new long[Readings.SENSORS];
    private final double[] sum = new double[Readings.SENSORS];
    private final double[] squares = new double[Readings.SENSORS];
    private final double[] least = new double[Readings.SENSORS];
    private final double[] greatest = new double[Readings.SENSORS];

    Cells() {
      Arrays.fill(least, Double.POSITIVE_INFINITY);
      Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
    }

    void add(int sensor, double value) {
      count[sensor]++;
      sum[sensor] += value;
      squares[sensor] += value * value;
      least[sensor] = Math.min(least[sensor], value);
      greatest[sensor] = Math.max(greatest[sensor], value);
    }

    void merge(Cells other) {
      for (int i = 0; i < Readings.SENSORS; i++) {
        count[i] += other.count[i];
        sum[i] += other.sum[i];
        squares[i] += other.squares[i];
        least[i] = Math.min(least[i], other.least[i]);
        greatest[i] = Math.max(greatest[i], other.greatest[i]);
      }
    }

    double total() {
      double total = 0;
      for (int i = 0; i < Readings.SENSORS; i++) {
        if (count[i] > 0) {
          double mean = sum[i] / count[i];
          double deviation = Math.sqrt(squares[i] / count[i] - mean * mean);
          total += count[i] + least[i] + greatest[i] + mean + deviation;
        }
      }
      return total;
    }
  }

  private double byHand(long readings, int windows) {
    double total = 0;
    List<Cells> slices = new ArrayList<>();
    Cells current = new Cells();
    long end = time(0) / (10 * SECOND) * 10 * SECOND + 10 * SECOND;
    for (long from = 0; from < readings; from += Batch.TARGET_ROWS) {
      int b = (int) (from / Batch.TARGET_ROWS % codes.length);
      int[] sensors = codes[b];
      double[] column = values[b];
      for (int row = 0; row < Batch.TARGET_ROWS; row++) {
        long time = time(from + row);
        if (time >= end) {
          total += fire(slices, current, windows);
          current = new Cells();
          end += 10 * SECOND;
        }
        if (column[row] >= THRESHOLD) {
          current.add(sensors[row], column[row]);
        }
      }
    }
    total += fire(slices, current, windows);
    for (int i = 1; i < windows; i++) {
      total += fire(slices, new Cells(), windows);
    }
    return total;
  }

  private static double fire(List<Cells> slices, Cells current, int windows) {
    slices.add(current);
    if (slices.size() > windows) {
      slices.removeFirst();
    }
    Cells merged = new Cells();
    slices.forEach(merged::merge);
    return merged.total();
  }
}
