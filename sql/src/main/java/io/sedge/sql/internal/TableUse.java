package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Keep;
import io.sedge.connector.Options;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.sql.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Checks that a table can be read or written as a query wants. */
final class TableUse {
  private static final Duration DEFAULT_MAX_AHEAD = Duration.ofHours(1);

  /** A TIMESTAMP does not tell its zone: the clocks of two zones are up to a day apart. */
  private static final Duration DEFAULT_MAX_AHEAD_WITHOUT_ZONE = Duration.ofDays(1);

  private TableUse() {}

  /** The table as a source of the job. */
  static Job.SourceTable source(
      Surroundings surroundings,
      DeclaredTable table,
      Settings settings,
      @Nullable SqlParserPos position) {
    SqlParserPos place = position == null ? table.position() : position;
    ConnectorFactory factory = surroundings.connectors().named(table.name(), table.connector());
    Source source;
    try {
      source =
          factory
              .source(table.descriptor(), surroundings)
              .orElseThrow(
                  () ->
                      new UnsupportedException(
                          "table `%s` cannot be read: connector '%s' only writes"
                              .formatted(table.name(), table.connector()),
                          null,
                          place));
      if (settings.batch() && !source.bounded()) {
        throw new UnsupportedException(
            "table `%s` does not end, so it cannot be read with '%s' = '%s'"
                .formatted(table.name(), Job.RUNTIME_MODE, Job.BATCH),
            "SET '%s' = 'streaming', or a bounded table such as a file".formatted(Job.RUNTIME_MODE),
            place);
      }
    } catch (ConnectorException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null, table.position());
    }
    Optional<Duration> idle = duration(table, SourceOptions.IDLE_TIMEOUT).or(settings::idleTimeout);
    return new Job.SourceTable(
        table.descriptor(),
        table.connector(),
        Optional.ofNullable(table.allOptions().get(SourceOptions.MALFORMED_TABLE)),
        idle,
        maxAhead(table, source),
        keep(table),
        LookupCache.interval(table, source),
        labels(table),
        List.of());
  }

  /**
   * The table with what of its times the plan needs, where its source makes use of that. One that
   * is kept is read whole.
   */
  static Job.SourceTable withBounds(
      Surroundings surroundings, Job.SourceTable table, List<TimeBounds> bounds) {
    if (bounds.isEmpty() || table.keep().isPresent()) {
      return table;
    }
    Source source =
        surroundings
            .connectors()
            .named(table.table().name(), table.connector())
            .source(table.table(), surroundings)
            .orElseThrow();
    return table.withBounds(
        bounds.stream().filter(times -> source.between(times).isPresent()).toList());
  }

  /** What the table demands of a device. */
  static Map<String, String> labels(DeclaredTable table) {
    String value = table.allOptions().getOrDefault(Job.LABELS, "");
    try {
      return Job.labels(value);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedException(
          "table `%s`: '%s' = '%s' is not %s"
              .formatted(table.name(), Job.LABELS, value, Settings.LABELS_FORM),
          null,
          table.position());
    }
  }

  private static Optional<Duration> duration(DeclaredTable table, String key) {
    return duration(table.name(), table.allOptions(), key, table.position());
  }

  /** An option of a table that is one of those of {@link SourceOptions}. */
  static Optional<Duration> duration(
      String table, Map<String, String> options, String key, SqlParserPos position) {
    String value = options.get(key);
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Options.of(table, SourceOptions.ALL, Map.of(key, value)).duration(key));
    } catch (ConnectorException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null, position);
    }
  }

  /**
   * By how much a reading may be ahead of the clock. Input that ends is as old as it is, and nobody
   * waits for what follows it, so it is looked at only where the table says so.
   */
  private static Optional<Duration> maxAhead(DeclaredTable table, Source source) {
    if (table.timeColumn() < 0) {
      return Optional.empty();
    }
    Optional<Duration> given = duration(table, Job.MAX_AHEAD);
    if (given.isPresent()) {
      return given.filter(Duration::isPositive);
    }
    RelDataType time = table.rowType().getFieldList().get(table.timeColumn()).getType();
    boolean hasZone = Types.of(time).kind() == Kind.TIMESTAMP_LTZ;
    return source.bounded()
        ? Optional.empty()
        : Optional.of(hasZone ? DEFAULT_MAX_AHEAD : DEFAULT_MAX_AHEAD_WITHOUT_ZONE);
  }

  /** How the readings are kept, if the table says so. */
  private static Optional<Keep> keep(DeclaredTable table) {
    if (Keep.OPTIONS.stream().noneMatch(option -> table.allOptions().containsKey(option.key()))) {
      return Optional.empty();
    }
    int eventTime =
        table.timeColumn() >= 0
                && table.columns().get(table.timeColumn())
                    instanceof Expression.Input(int column, Type _)
            ? column
            : -1;
    try {
      return Optional.of(
          Keep.of(table.name(), table.allOptions(), table.descriptor().schema(), eventTime));
    } catch (ConnectorException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null, table.position());
    }
  }

  static boolean isBounded(Surroundings surroundings, DeclaredTable table) {
    return surroundings
        .connectors()
        .named(table.name(), table.connector())
        .source(table.descriptor(), surroundings)
        .map(Source::bounded)
        .orElse(true);
  }

  /**
   * Refuses a table that has no sink, or one that does not take the changes of a result.
   *
   * @param rows what is written to it; empty if they are new rows alone
   */
  static void requireSink(
      Surroundings surroundings,
      DeclaredTable table,
      Optional<PlanNode> rows,
      SqlParserPos position) {
    ConnectorFactory factory = surroundings.connectors().named(table.name(), table.connector());
    TableDescriptor descriptor = table.descriptor();
    try {
      SinkFactory sink =
          factory
              .sink(descriptor, surroundings)
              .orElseThrow(
                  () ->
                      new UnsupportedException(
                          "table `%s` cannot be written: connector '%s' only reads"
                              .formatted(table.name(), table.connector()),
                          null,
                          position));
      if (rows.isPresent()) {
        requireUpdates(sink, table, rows.get(), position);
      }
    } catch (ConnectorException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null, table.position());
    }
  }

  private static void requireUpdates(
      SinkFactory sink, DeclaredTable table, PlanNode rows, SqlParserPos position) {
    switch (sink.changelogMode()) {
      case ALL -> {}
      case UPSERT -> requireKey(table, rows, position);
      case INSERT_ONLY ->
          throw new UnsupportedException(
              ("table `%s` takes only new rows, but the query changes rows that it has given out"
                      + " (a GROUP BY without a window, or a Top-N without one)")
                  .formatted(table.name()),
              "GROUP BY window_start, window_end over TUMBLE, HOP or CUMULATE, or "
                  + sink.updatesRemedy()
                      .map("for this table "::concat)
                      .orElse("a table that takes updates, such as 'print'"),
              position);
    }
  }

  /** A row is found again by its key, so the result must change by columns of the key. */
  private static void requireKey(DeclaredTable table, PlanNode rows, SqlParserPos position) {
    Schema schema = table.descriptor().schema();
    List<Integer> key = table.descriptor().primaryKey();
    Optional<Set<Integer>> changing = UpsertKeys.of(rows);
    if (changing.isPresent() && key.containsAll(changing.get())) {
      return;
    }
    String names = String.join(", ", key.stream().map(schema::name).toList());
    throw new UnsupportedException(
        ("table `%s` has one row for each PRIMARY KEY (%s), but two rows of the query may have the"
                + " same")
            .formatted(table.name(), names),
        changing
            .map(
                columns ->
                    "PRIMARY KEY (%s) NOT ENFORCED"
                        .formatted(String.join(", ", columns.stream().map(schema::name).toList())))
            .orElse(
                "a query that gives all columns of its GROUP BY, or of PARTITION BY and"
                    + " ROW_NUMBER, as columns of the key"),
        position);
  }
}
