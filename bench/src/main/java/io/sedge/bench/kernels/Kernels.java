package io.sedge.bench.kernels;

import io.sedge.bench.Table;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the kernels with JMH: nanoseconds a row, and the spread over iterations. */
public final class Kernels {
  private Kernels() {}

  /**
   * @param quick one short iteration each
   */
  public static void run(boolean quick, PrintStream out, PrintStream progress) {
    progress.println("kernels, with JMH");
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(Kernels.class.getPackageName() + ".*")
            .forks(1)
            .jvmArgs("-Xmx512m", "-XX:+UseSerialGC", "--sun-misc-unsafe-memory-access=allow")
            .warmupIterations(quick ? 1 : 3)
            .measurementIterations(quick ? 1 : 5)
            .warmupTime(TimeValue.seconds(quick ? 1 : 2))
            .measurementTime(TimeValue.seconds(quick ? 1 : 2))
            .verbosity(VerboseMode.SILENT);
    try {
      print(new Runner(options.build()).run(), out);
    } catch (RunnerException e) {
      throw new IllegalStateException("JMH fails", e);
    }
  }

  private static void print(Collection<RunResult> results, PrintStream out) {
    Table table = new Table("kernel", "ns/row", "+-", "M rows/s");
    for (RunResult result : results) {
      String query = result.getParams().getParam("query");
      double score = result.getPrimaryResult().getScore();
      table.row(
          query == null ? result.getPrimaryResult().getLabel() : query,
          Table.number(score),
          Table.number(result.getPrimaryResult().getScoreError()),
          Table.number(1e3 / score));
    }
    out.println(table);
  }
}
