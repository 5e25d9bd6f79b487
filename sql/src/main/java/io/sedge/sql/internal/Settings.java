package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.sql.Job;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What SET has set, as it stands at a statement. */
final class Settings {
  static final String NAME = "pipeline.name";
  static final String IDLE_TIMEOUT = "table.exec.source.idle-timeout";

  /** What a value of {@link Job#LABELS} is. */
  static final String LABELS_FORM = "labels of devices such as zone=north,gpu=true";

  static final String ALLOWED_LATENESS = "sedge.allowed-lateness";
  static final String STATE_TTL = "table.exec.state.ttl";
  static final String LATE_TABLE = "sedge.late-table";
  private static final Set<String> MODES = Set.of("streaming", Job.BATCH);
  private static final Set<String> ON_ROW_FAILURE = Set.of(Job.SKIP, Job.FAIL);

  /** The settings that have an effect, with the kind of their values in words. */
  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry(Job.ZONE, "a time zone such as UTC or Europe/Berlin"),
          Map.entry(NAME, "a name"),
          Map.entry(IDLE_TIMEOUT, "a duration such as 10 s"),
          Map.entry(ALLOWED_LATENESS, "a duration such as 5 s"),
          Map.entry(LATE_TABLE, "the name of a table"),
          Map.entry(
              Job.ON_ROW_FAILURE,
              "skip (the row is left out and counted) or fail (the job ends, as in Flink)"),
          Map.entry(Job.LABELS, LABELS_FORM),
          Map.entry(Job.COMMIT_INTERVAL, "a duration from 10 ms to 1 min"),
          Map.entry(Job.MERGE, "center: where the windows of several sites are merged"),
          Map.entry(Job.MERGE_WAIT, "a duration from 1 s to 1 d"),
          Map.entry(STATE_TTL, "0: state is not forgotten by its age; bound it with windows"),
          Map.entry(Job.RUNTIME_MODE, "streaming or batch"));

  /**
   * Flink's settings, by the beginning of their key, that say how to run and have no effect here.
   */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "parallelism.",
          "execution.",
          "state.",
          "restart-strategy",
          "taskmanager.",
          "jobmanager.",
          "rest.",
          "metrics.",
          "pipeline.",
          "sql-client.",
          "table.dml-sync",
          "table.optimizer.",
          "table.exec.mini-batch.",
          "table.exec.resource.",
          "table.exec.sink.",
          "table.exec.async-",
          "table.exec.shuffle-",
          "table.exec.spill-",
          "table.exec.disabled-",
          "table.plan.",
          "table.display.");

  private final Map<String, String> fixed;
  private final Map<String, String> values;
  private final List<String> notes = new ArrayList<>();
  private List<String> lateColumns = List.of();

  /**
   * Settings.
   *
   * @param fixed what holds whatever the script sets; {@link #refusal refused} if it is wrong
   */
  Settings(Map<String, String> fixed) {
    this.fixed = Map.copyOf(fixed);
    this.values = new TreeMap<>(fixed);
    for (Map.Entry<String, String> setting : values.entrySet()) {
      refuse(setting.getKey(), setting.getValue());
      if (!KNOWN.containsKey(setting.getKey())) {
        notes.add("the setting '%s' has no effect in Sedge".formatted(setting.getKey()));
      }
    }
  }

  /** What is wrong with settings, in words. */
  static Optional<String> refusal(Map<String, String> settings) {
    for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
      try {
        refuse(setting.getKey(), setting.getValue());
      } catch (UnsupportedException e) {
        String remedy = e.remedy();
        return Optional.of(e.getMessage() + (remedy == null ? "" : "; write " + remedy));
      }
    }
    return Optional.empty();
  }

  /**
   * Sets a value; refuses an unknown key and a wrong value.
   *
   * @param line of the script, for a note
   */
  void set(String key, String value, int line) {
    refuse(key, value);
    if (!KNOWN.containsKey(key)) {
      notes.add(
          "line %d: SET '%s' has no effect in Sedge%s"
              .formatted(line, key, Names.didYouMean(key, KNOWN.keySet()).replace('`', '\'')));
    }
    values.put(key, fixed.getOrDefault(key, value));
  }

  private static void refuse(String key, String value) {
    if (!KNOWN.containsKey(key) && WITHOUT_EFFECT.stream().noneMatch(key::startsWith)) {
      throw new UnsupportedException(
          "the setting '%s' is unknown%s"
              .formatted(key, Names.didYouMean(key, KNOWN.keySet()).replace('`', '\'')),
          Names.didYouMean(key, KNOWN.keySet()).isEmpty()
              ? "one of " + String.join(", ", new TreeSet<>(KNOWN.keySet()))
              : null);
    }
    try {
      switch (key) {
        case Job.ZONE -> ZoneId.of(value);
        case IDLE_TIMEOUT, ALLOWED_LATENESS -> parseDuration(key, value);
        case Job.LABELS -> Job.labels(value);
        case Job.COMMIT_INTERVAL -> Job.commitInterval(value);
        case Job.MERGE_WAIT -> Job.mergeWait(value);
        case Job.MERGE -> {
          if (!Job.CENTER.equalsIgnoreCase(value)) {
            throw new IllegalArgumentException(value);
          }
        }
        case STATE_TTL -> {
          if (!parseDuration(key, value).isZero()) {
            throw new IllegalArgumentException(value);
          }
        }
        case Job.RUNTIME_MODE -> {
          if (!MODES.contains(value.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(value);
          }
        }
        case Job.ON_ROW_FAILURE -> {
          if (!ON_ROW_FAILURE.contains(value.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(value);
          }
        }
        default -> {}
      }
    } catch (IllegalArgumentException | ConnectorException | DateTimeException e) {
      throw new UnsupportedException(
          "'%s' = '%s' is not %s".formatted(key, value, KNOWN.get(key)), null);
    }
  }

  void reset(String key) {
    values.remove(key);
    values.putAll(fixed);
  }

  void resetAll() {
    values.clear();
    values.putAll(fixed);
  }

  Map<String, String> values() {
    return values;
  }

  /** What people should know about settings that were accepted. */
  List<String> notes() {
    return notes;
  }

  /** The session's time zone. */
  ZoneId zone() {
    String zone = values.get(Job.ZONE);
    return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
  }

  /** Whether queries are over input that ends, and give final rows only. */
  boolean batch() {
    return Job.BATCH.equalsIgnoreCase(values.get(Job.RUNTIME_MODE));
  }

  Duration allowedLateness() {
    return duration(ALLOWED_LATENESS).orElse(Duration.ZERO);
  }

  Optional<Duration> idleTimeout() {
    return duration(IDLE_TIMEOUT).filter(timeout -> !timeout.isZero());
  }

  Optional<String> lateTable() {
    return Optional.ofNullable(values.get(LATE_TABLE)).filter(name -> !name.isBlank());
  }

  private Optional<Duration> duration(String key) {
    return Optional.ofNullable(values.get(key)).map(value -> parseDuration(key, value));
  }

  /** A duration as options of tables are written. */
  static Duration parseDuration(String key, String value) {
    Option option = Option.optional(key, Option.Kind.DURATION, key);
    return Options.of("SET", List.of(option), Map.of(key, value)).duration(key);
  }

  /** The columns of late rows that are wanted, for the query being compiled. */
  List<String> lateColumns() {
    return lateColumns;
  }

  void lateColumns(List<String> columns) {
    lateColumns = List.copyOf(columns);
  }
}
