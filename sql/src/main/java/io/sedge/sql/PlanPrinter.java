package io.sedge.sql;

import io.sedge.connector.Keep;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.sql.internal.PlanText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A job as text for people: what it reads, what it computes (each step above those that feed it),
 * what each step keeps as state, what it writes and what a commit holds. Stateless.
 */
public final class PlanPrinter {
  private static final String INDENT = "  ";

  private PlanPrinter() {}

  /** The text, in lines; the same for equal jobs. */
  public static String print(Job job) {
    StringBuilder text = new StringBuilder();
    text.append("job ").append(job.name()).append('\n');
    new TreeMap<>(job.settings())
        .forEach((key, value) -> line(text, 1, "set '%s' = '%s'".formatted(key, value)));
    sources(text, job);
    sinks(text, job);
    commit(text, job);
    return text.toString();
  }

  /** What a step of a plan does. */
  public static String step(PlanNode node) {
    return PlanText.describe(node);
  }

  /**
   * The same.
   *
   * @param fed what the rows of a table are made by, where another task of the job makes them
   */
  public static String step(PlanNode node, Function<String, Optional<PlanNode>> fed) {
    return PlanText.describe(node, fed);
  }

  /** What a step of a plan keeps between batches, and for how long; empty if nothing. */
  public static Optional<String> state(PlanNode node) {
    return PlanText.state(node);
  }

  /** What there is to say of a source table, a line each. */
  static List<String> details(Job.SourceTable source) {
    List<String> lines = new ArrayList<>();
    lines.add("connector " + source.connector());
    columns(lines, source.table());
    source
        .idleTimeout()
        .ifPresent(
            timeout ->
                lines.add(
                    "holds no watermark back after %s without a reading"
                        .formatted(PlanText.duration(timeout.toNanos() / 1_000))));
    source
        .maxAhead()
        .ifPresent(
            ahead ->
                lines.add(
                    "a reading more than %s ahead of the clock is malformed"
                        .formatted(PlanText.duration(ahead.toNanos() / 1_000))));
    source
        .reloadInterval()
        .ifPresent(
            interval ->
                lines.add(
                    "is read anew every %s"
                        .formatted(PlanText.duration(interval.toNanos() / 1_000))));
    source.malformedTable().ifPresent(table -> lines.add("malformed payloads go to " + table));
    source.keep().ifPresent(keep -> lines.add(kept(source.table(), keep)));
    source
        .bounds()
        .forEach(
            bounds ->
                lines.add("is read where " + PlanText.bounds(bounds, source.table().schema())));
    return lines;
  }

  /** What there is to say of a sink table, a line each. */
  static List<String> details(Job.SinkTable sink) {
    return sink.updating()
        ? List.of("connector " + sink.connector(), "with updates and deletions")
        : List.of("connector " + sink.connector());
  }

  private static void sources(StringBuilder text, Job job) {
    text.append("reads\n");
    if (job.sources().isEmpty()) {
      line(text, 1, "nothing");
    }
    new TreeMap<>(job.sources())
        .forEach(
            (name, source) -> {
              List<String> lines = details(source);
              line(text, 1, "%s (%s)".formatted(name, lines.getFirst()));
              lines.stream().skip(1).forEach(detail -> line(text, 2, detail));
            });
  }

  private static String kept(TableDescriptor table, Keep keep) {
    return "is kept on the device that reads it for %s, in up to %,d MB, by %s"
        .formatted(
            PlanText.duration(TimeUnit.MILLISECONDS.toMicros(keep.age().toMillis())),
            keep.bytes() >> 20,
            keep.timeColumn() < 0
                ? "when it came"
                : "`%s`".formatted(table.schema().name(keep.timeColumn())));
  }

  private static void columns(List<String> lines, TableDescriptor table) {
    lines.add("columns " + PlanText.columns(table.schema()));
    Set<String> secrets = new TreeSet<>();
    table.options().values().forEach(value -> secrets.addAll(SecretReferences.names(value)));
    if (!secrets.isEmpty()) {
      lines.add("takes secrets when it is opened: " + String.join(", ", secrets));
    }
    table
        .metadata()
        .forEach(
            (column, key) ->
                lines.add(
                    "`%s` is the connector's '%s'".formatted(table.schema().name(column), key)));
  }

  private static void sinks(StringBuilder text, Job job) {
    text.append("writes\n");
    Map<PlanNode, Integer> shared = new HashMap<>();
    for (Plan.SinkNode sink : job.plan().sinks()) {
      Job.SinkTable table = job.sinks().get(sink.table());
      List<String> words = table == null ? List.of("connector ?") : details(table);
      String changes = words.size() > 1 ? " " + words.getLast() : "";
      line(text, 1, "%s (%s)%s, the rows of".formatted(sink.table(), words.getFirst(), changes));
      node(text, 2, sink.input(), shared);
    }
  }

  private static void node(
      StringBuilder text, int depth, PlanNode node, Map<PlanNode, Integer> shared) {
    Integer known = shared.get(node);
    if (known != null) {
      line(text, depth, "step %d, as above".formatted(known));
      return;
    }
    boolean numbered = !(node instanceof PlanNode.Scan);
    if (numbered) {
      shared.put(node, shared.size() + 1);
    }
    String number = numbered ? "%d ".formatted(shared.size()) : "";
    line(text, depth, number + PlanText.describe(node));
    PlanText.state(node).ifPresent(state -> line(text, depth + 1, "keeps " + state));
    for (PlanNode input : node.inputs()) {
      node(text, depth + 1, input, shared);
    }
  }

  private static void commit(StringBuilder text, Job job) {
    text.append("a commit holds\n");
    new TreeMap<>(job.sources()).keySet().forEach(name -> line(text, 1, "the position in " + name));
    line(text, 1, "what has changed, since the commit before, of what the steps keep");
    for (String sink : new TreeMap<>(job.sinks()).keySet()) {
      line(text, 1, "the new rows of " + sink);
    }
  }

  private static void line(StringBuilder text, int depth, String line) {
    text.append(INDENT.repeat(depth)).append(line).append('\n');
  }
}
