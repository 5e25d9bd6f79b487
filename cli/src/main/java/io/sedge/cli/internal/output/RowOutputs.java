package io.sedge.cli.internal.output;

import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import io.sedge.sql.RowKeys;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes the output that a job's bare SELECTs are shown on. */
public final class RowOutputs {
  private static final String TIME_ZONE = "table.local-time-zone";

  private RowOutputs() {}

  /**
   * What an output sees of its process.
   *
   * @param colours whether standard output is to be coloured
   */
  public record Surroundings(
      OutputStream out,
      PrintStream err,
      boolean outIsTerminal,
      boolean errIsTerminal,
      boolean colours,
      Supplier<LiveTable.Size> screen,
      InstantSource clock) {}

  /** A job's bare SELECTs, by the name of their sink, in the order of the script. */
  public static Map<String, RowOutput.Query> queries(Job job) {
    List<Job.SinkTable> sinks =
        job.sinks().values().stream()
            .filter(sink -> sink.connector().equals(Job.TERMINAL))
            .sorted(Comparator.comparing(sink -> sink.table().name(), NaturalOrder::compare))
            .toList();
    Map<String, RowOutput.Query> queries = new HashMap<>();
    for (int i = 0; i < sinks.size(); i++) {
      Job.SinkTable sink = sinks.get(i);
      String name = sink.table().name();
      Schema schema = sink.table().schema();
      queries.put(
          name, new RowOutput.Query(i, name, schema, sink.updating(), keys(job, name, schema)));
    }
    return queries;
  }

  private static List<Integer> keys(Job job, String sink, Schema schema) {
    return job.plan().sinks().stream()
        .filter(node -> node.table().equals(sink))
        .findFirst()
        .map(node -> RowKeys.of(node.input(), schema))
        .orElse(List.of());
  }

  /**
   * Opens an output.
   *
   * @param queries the number of bare SELECTs; without any a terminal shows the status alone
   * @param onClosed run when nobody reads standard output any more
   */
  public static RowOutput create(
      OutputFormat format, Job job, int queries, Surroundings surroundings, Runnable onClosed) {
    OutputFormat chosen =
        format != OutputFormat.auto
            ? format
            : surroundings.outIsTerminal() ? OutputFormat.table : OutputFormat.plain;
    Cells cells = new Cells(zone(job));
    return switch (chosen) {
      case json -> new JsonLines(surroundings.out(), surroundings.err(), queries > 1, onClosed);
      case plain, auto -> new PlainLines(surroundings.out(), surroundings.err(), cells, onClosed);
      case table ->
          new LiveTable(
              surroundings.out(),
              surroundings.screen(),
              new Frame(cells, surroundings.colours()),
              new StatusLine(
                  surroundings.clock(), cells, io.sedge.task.ProcessMemory::residentBytes),
              onClosed);
    };
  }

  /** The zone that the script sets, else the system's. */
  private static ZoneId zone(Job job) {
    String zone = job.settings().get(TIME_ZONE);
    if (zone == null || zone.equals("default")) {
      return ZoneId.systemDefault();
    }
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      // The compiler refuses zones that do not exist; this one only it understands.
      return ZoneId.systemDefault();
    }
  }
}
