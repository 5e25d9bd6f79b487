package io.sedge.sql;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Keep;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.Plan;
import io.sedge.learning.DriftBoard;
import io.sedge.learning.ModelDescriptor;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A script, compiled: what to read, what to compute and where to write. Immutable.
 *
 * @param name of the script, without folder and ending, or what {@code SET 'pipeline.name'} says
 * @param settings what the script SET, by key
 * @param notes what people should know although the script is accepted: a line each
 * @param sources the source tables that the plan scans, by name
 * @param sinks the sink tables that the plan writes, by name; the result of a bare SELECT is a sink
 *     named {@link #QUERY_PREFIX} and a number, with the connector {@value #TERMINAL}
 * @param plan what is computed
 * @param functions the scalar functions that the plan calls, the user's own included
 * @param aggregates the aggregate functions that the plan calls, the user's own included
 * @param userFunctions what each function of the user's own is, by its name as calls have it: the
 *     class and the jars, or a model's identity
 * @param trainings of the models that are trained from what the device has kept
 * @param drifts what windows that end on this device show of models that are watched
 */
public record Job(
    String name,
    Map<String, String> settings,
    List<String> notes,
    Map<String, SourceTable> sources,
    Map<String, SinkTable> sinks,
    Plan plan,
    FunctionRegistry functions,
    AggregateRegistry aggregates,
    Map<String, String> userFunctions,
    List<Training> trainings,
    DriftBoard drifts) {

  /**
   * A model that is trained.
   *
   * @param model as it is declared
   * @param query its {@code AS SELECT}, as a job whose one sink is a bare SELECT, with the name of
   *     the job that has the model
   */
  public record Training(ModelDescriptor model, Job query) {
    /** The same, whose query has a name that was set after the model was declared. */
    public Training of(String job) {
      return new Training(
          model,
          new Job(
              job,
              query.settings,
              query.notes,
              query.sources,
              query.sinks,
              query.plan,
              query.functions,
              query.aggregates,
              query.userFunctions));
    }
  }

  /** One that trains no models. */
  public Job(
      String name,
      Map<String, String> settings,
      List<String> notes,
      Map<String, SourceTable> sources,
      Map<String, SinkTable> sinks,
      Plan plan,
      FunctionRegistry functions,
      AggregateRegistry aggregates,
      Map<String, String> userFunctions) {
    this(
        name,
        settings,
        notes,
        sources,
        sinks,
        plan,
        functions,
        aggregates,
        userFunctions,
        List.of(),
        new DriftBoard());
  }

  /** One that calls no functions of the user's own. */
  public Job(
      String name,
      Map<String, String> settings,
      List<String> notes,
      Map<String, SourceTable> sources,
      Map<String, SinkTable> sinks,
      Plan plan,
      FunctionRegistry functions,
      AggregateRegistry aggregates) {
    this(name, settings, notes, sources, sinks, plan, functions, aggregates, Map.of());
  }

  /** The setting that says which time zone the session has. */
  public static final String ZONE = "table.local-time-zone";

  /** The option of a source table that says how far ahead of the clock its readings may be. */
  public static final String MAX_AHEAD = "scan.watermark.max-ahead";

  /** The setting that says whether a job is over streams or over input that ends. */
  public static final String RUNTIME_MODE = "execution.runtime-mode";

  /** The value of {@link #RUNTIME_MODE} for input that ends. */
  public static final String BATCH = "batch";

  /** The setting that says what a row does that an expression fails for. */
  public static final String ON_ROW_FAILURE = "sedge.on-row-failure";

  /**
   * The value of {@link #ON_ROW_FAILURE} for leaving the row out, which is what holds by default.
   */
  public static final String SKIP = "skip";

  /** The value of {@link #ON_ROW_FAILURE} for ending the job. */
  public static final String FAIL = "fail";

  /**
   * The setting, and the option of a table, that says which labels a device of a site must have to
   * run the job, or to read or write the table.
   */
  public static final String LABELS = "sedge.labels";

  /** The setting that says how often the job's tasks commit on a site. */
  public static final String COMMIT_INTERVAL = "sedge.commit-interval";

  /**
   * Each commit is a write and a flush on every device. Flash lasts for years at this interval, and
   * results come soon enough for most.
   */
  public static final Duration DEFAULT_COMMIT_INTERVAL = Duration.ofSeconds(2);

  /** The setting that says where the windows of several sites are merged. */
  public static final String MERGE = "sedge.merge";

  /** The value of {@link #MERGE}: sites give parts of windows, and the center merges them. */
  public static final String CENTER = "center";

  /** The setting that says how long a site without parts of a window holds it back. */
  public static final String MERGE_WAIT = "sedge.merge.wait";

  private static final Duration DEFAULT_MERGE_WAIT = Duration.ofMinutes(1);
  private static final Duration SHORTEST_MERGE_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_MERGE_WAIT = Duration.ofDays(1);
  private static final Duration SHORTEST_COMMIT_INTERVAL = Duration.ofMillis(10);
  private static final Duration LONGEST_COMMIT_INTERVAL = Duration.ofMinutes(1);

  /**
   * The names of functions begin with this that score by a model which is watched for drift.
   * Without it they mean the same: so watching a model, or no longer, leaves a job's state what it
   * is.
   */
  public static final String WATCHED = "WATCHED ";

  /** The names of functions begin with this that score by the shadow of a model. */
  public static final String SHADOW = "SHADOW ";

  /** The names of bare SELECTs begin with this. */
  public static final String QUERY_PREFIX = "query-";

  /** The connector of a bare SELECT's sink; whoever runs the job shows its rows. */
  public static final String TERMINAL = "terminal";

  /**
   * A table that is read.
   *
   * @param connector the value of its option {@code connector}
   * @param malformedTable the sink table that takes payloads that cannot be decoded, and rows that
   *     an expression fails for (option {@code malformed.table}); it has the columns (origin
   *     STRING, payload STRING, reason STRING)
   * @param idleTimeout after how long without a reading the table no longer holds back the
   *     watermark ({@code scan.watermark.idle-timeout}, else {@code
   *     table.exec.source.idle-timeout})
   * @param maxAhead by how much the event time of a reading may be ahead of the device's clock; one
   *     that is further ahead is malformed ({@code scan.watermark.max-ahead}). Empty if all are
   *     taken
   * @param keep how its readings are kept on the device that reads them; empty if they are not
   * @param reloadInterval how long after a reading of it has ended the next one begins; empty if it
   *     is read once
   * @param labels what it demands of a device that reads it, as {@link #LABELS} of the table says
   * @param bounds of the rows that the plan needs, for its source to save reading; empty if that is
   *     all, or the source makes no use of them
   */
  public record SourceTable(
      TableDescriptor table,
      String connector,
      Optional<String> malformedTable,
      Optional<Duration> idleTimeout,
      Optional<Duration> maxAhead,
      Optional<Keep> keep,
      Optional<Duration> reloadInterval,
      Map<String, String> labels,
      List<TimeBounds> bounds) {
    public SourceTable {
      labels = Map.copyOf(labels);
      bounds = List.copyOf(bounds);
    }

    /** A table of any times, that is read once, not kept, and that any device may read, whole. */
    public SourceTable(
        TableDescriptor table,
        String connector,
        Optional<String> malformedTable,
        Optional<Duration> idleTimeout) {
      this(
          table,
          connector,
          malformedTable,
          idleTimeout,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          List.of());
    }

    /** The same with other bounds. */
    public SourceTable withBounds(List<TimeBounds> newBounds) {
      return new SourceTable(
          table,
          connector,
          malformedTable,
          idleTimeout,
          maxAhead,
          keep,
          reloadInterval,
          labels,
          newBounds);
    }
  }

  /**
   * A table that is written.
   *
   * @param connector the value of its option {@code connector}
   * @param updating whether updates and deletions go to it, not only insertions
   * @param labels what it demands of a device that writes it, as {@link #LABELS} of the table says
   */
  public record SinkTable(
      TableDescriptor table, String connector, boolean updating, Map<String, String> labels) {
    public SinkTable {
      labels = Map.copyOf(labels);
    }

    /** A table that any device may write. */
    public SinkTable(TableDescriptor table, String connector, boolean updating) {
      this(table, connector, updating, Map.of());
    }
  }

  public Job {
    settings = Map.copyOf(settings);
    notes = List.copyOf(notes);
    sources = Map.copyOf(sources);
    sinks = Map.copyOf(sinks);
    userFunctions = Map.copyOf(userFunctions);
    trainings = List.copyOf(trainings);
  }

  /**
   * What the job as such demands of a device: values by label; empty if any device will do. Its
   * tables may demand more of those that read or write them.
   */
  public Map<String, String> labels() {
    return labels(settings.getOrDefault(LABELS, ""));
  }

  /**
   * Reads a value of {@link #LABELS}: {@code zone=north,gpu=true}.
   *
   * @throws IllegalArgumentException if it is not of this form, or a label is there twice
   */
  public static Map<String, String> labels(String text) {
    Map<String, String> labels = new TreeMap<>();
    if (text.isBlank()) {
      return labels;
    }
    for (String label : text.split(",", -1)) {
      int equals = label.indexOf('=');
      String name = label.substring(0, Math.max(equals, 0)).strip();
      if (name.isEmpty() || labels.put(name, label.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException(text);
      }
    }
    return labels;
  }

  /** Whether a query takes the scores of what scores beside the live version of a model. */
  public boolean scoresByShadow(String model) {
    return userFunctions.containsKey(SHADOW + model);
  }

  /** Whether a query scores by a model that is watched for drift. */
  public boolean watchesModels() {
    return userFunctions.keySet().stream().anyMatch(name -> name.startsWith(WATCHED));
  }

  /** The session's time zone, which says what the clock shows where a TIMESTAMP is compared. */
  public ZoneId zone() {
    String zone = settings.get(ZONE);
    return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
  }

  /** Whether a row that an expression fails for is left out; else it ends the job. */
  public boolean skipsFailedRows() {
    return !FAIL.equalsIgnoreCase(settings.get(ON_ROW_FAILURE));
  }

  /**
   * How often its tasks commit on a site, at most, while they can go on without. What came in
   * between is read again if a device dies, and its results wait for it.
   */
  public Duration commitInterval() {
    String value = settings.get(COMMIT_INTERVAL);
    return value == null ? DEFAULT_COMMIT_INTERVAL : commitInterval(value);
  }

  /**
   * Reads a value of {@link #COMMIT_INTERVAL}.
   *
   * @throws IllegalArgumentException if it is not from 10 ms to 1 min
   * @throws ConnectorException if it is no duration
   */
  public static Duration commitInterval(String value) {
    return duration(COMMIT_INTERVAL, value, SHORTEST_COMMIT_INTERVAL, LONGEST_COMMIT_INTERVAL);
  }

  /** Whether sites compute parts of its windows alone, which the center merges. */
  public boolean mergesInCenter() {
    return CENTER.equalsIgnoreCase(settings.get(MERGE));
  }

  /** How long the center waits for a site that has given nothing of a window. */
  public Duration mergeWait() {
    String value = settings.get(MERGE_WAIT);
    return value == null ? DEFAULT_MERGE_WAIT : mergeWait(value);
  }

  /**
   * Reads a value of {@link #MERGE_WAIT}.
   *
   * @throws IllegalArgumentException if it is not from 1 s to 1 d
   * @throws ConnectorException if it is no duration
   */
  public static Duration mergeWait(String value) {
    return duration(MERGE_WAIT, value, SHORTEST_MERGE_WAIT, LONGEST_MERGE_WAIT);
  }

  private static Duration duration(String key, String value, Duration shortest, Duration longest) {
    Option option = Option.optional(key, Option.Kind.DURATION, key);
    Duration duration = Options.of("SET", List.of(option), Map.of(key, value)).duration(key);
    if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
      throw new IllegalArgumentException(value);
    }
    return duration;
  }

  /**
   * Whether all of its input ends, and its rows are those of all of it: none is late, and none is
   * taken back.
   */
  public boolean batch() {
    return BATCH.equalsIgnoreCase(settings.get(RUNTIME_MODE));
  }
}
