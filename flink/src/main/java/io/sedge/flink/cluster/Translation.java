package io.sedge.flink.cluster;

import io.sedge.flink.cluster.internal.OwnOptions;
import io.sedge.flink.cluster.internal.OwnOptions.Own;
import io.sedge.flink.cluster.internal.StatementText;
import io.sedge.learning.Detectors;
import io.sedge.sql.Job;
import io.sedge.sql.Problem;
import io.sedge.sql.Remarks;
import io.sedge.sql.ScriptStatement;
import io.sedge.sql.SecretReferences;
import io.sedge.sql.SqlException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a script what Flink takes. What is Sedge's own is translated, left out where it changes
 * no row, or refused with its place. Used once, by one thread.
 */
public final class Translation {
  private static final String OWN = "sedge.";
  private static final String CONNECTOR = "connector";
  private static final String CHECKPOINTS = "execution.checkpointing.interval";
  private static final String TRANSACTIONS = "sink.transactional-id-prefix";
  private static final Set<String> FORMAT_KEYS = Set.of("format", "key.format", "value.format");

  /** What says how a cluster or a client is set up, by the beginning of the key. */
  private static final List<String> OF_CLUSTERS =
      List.of(
          "taskmanager.",
          "jobmanager.",
          "rest.",
          "metrics.",
          "sql-client.",
          "table.display.",
          "table.dml-sync",
          "execution.target",
          "execution.attached",
          "execution.shutdown-on-attached-exit",
          "pipeline.jars",
          "pipeline.classpaths");

  /** Functions that Flink lacks besides the detectors, and what to write instead. */
  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "APPROX_QUANTILE", "PERCENTILE(x, fraction)",
          "APPROX_COUNT_DISTINCT", "COUNT(DISTINCT x)");

  private final Job job;
  private final Set<String> without;
  private final Map<String, String> settings = new TreeMap<>();
  private final Map<String, String> connectors = new HashMap<>();
  private final Set<String> prefixed = new HashSet<>();
  private final Map<String, String> functions = new HashMap<>();
  private final List<FlinkScript.Step> steps = new ArrayList<>();
  private final List<FlinkScript.Step> inserts = new ArrayList<>();
  private final Set<String> jars = new TreeSet<>();
  private final Set<String> secrets = new TreeSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<Problem> problems = new ArrayList<>();

  private Translation(Job job, Set<String> without) {
    this.job = job;
    this.without = without;
  }

  /**
   * Translates a script.
   *
   * @param job what it compiles to
   * @param script its text
   * @param given settings that hold instead of its own
   * @param without keys of Sedge's own that are left out, which would be refused
   * @throws SqlException with all that Flink lacks
   */
  public static FlinkScript of(
      Job job, String script, Map<String, String> given, Set<String> without) throws SqlException {
    return new Translation(job, without).translate(ScriptStatement.of(script), given);
  }

  /** What {@code without} of {@link #of} may name. */
  public static Set<String> ownKeys() {
    return OwnOptions.keys();
  }

  private FlinkScript translate(List<ScriptStatement> statements, Map<String, String> given)
      throws SqlException {
    for (ScriptStatement statement : statements) {
      switch (statement) {
        case ScriptStatement.Setting setting -> set(setting, given);
        case ScriptStatement.Reset reset -> reset(reset);
        case ScriptStatement.Table table -> table(table);
        case ScriptStatement.Function function -> function(function);
        case ScriptStatement.View view -> {
          check(view.calls());
          step(view, view.text());
        }
        case ScriptStatement.Drop drop -> step(drop, drop.text());
        case ScriptStatement.Insert insert -> {
          check(insert.calls());
          inserts.add(new FlinkScript.Step(insert.line(), insert.text(), false));
        }
        case ScriptStatement.Model model ->
            refuse(
                model.line(),
                model.column(),
                "a model scores on Sedge alone: Flink has none of its providers",
                "the script without it, on what a site's job with the model writes to Kafka");
        case ScriptStatement.Query query ->
            refuse(
                query.line(),
                query.column(),
                "the rows of a bare SELECT are shown where it is typed, and a cluster shows nobody"
                    + " any",
                "INSERT INTO a table of kafka, or of print, whose rows are in the task managers'"
                    + " output");
      }
    }
    new TreeMap<>(given).forEach((key, value) -> set(key, value, 1, 1));
    if (!problems.isEmpty()) {
      throw new SqlException(
          problems.stream()
              .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
              .toList());
    }
    return script();
  }

  private FlinkScript script() {
    settings.put("pipeline.name", job.name());
    settings.put(Job.RUNTIME_MODE, job.batch() ? Job.BATCH : "streaming");
    String zone = job.zone().getId();
    settings.put(Job.ZONE, zone.equals("Z") ? "UTC" : zone);
    Remarks.casts(job).forEach(notes::add);
    return new FlinkScript(job.name(), settings, steps, inserts, jars, secrets, List.copyOf(notes));
  }

  private void set(ScriptStatement.Setting setting, Map<String, String> given) {
    if (given.containsKey(setting.key())) {
      return;
    }
    boolean changes = !setting.value().equals(settings.get(setting.key()));
    if (!inserts.isEmpty() && changes && !setting.key().startsWith(OWN)) {
      refuse(
          setting.keyLine(),
          setting.keyColumn(),
          "SET after an INSERT: on Flink a setting holds for all INSERTs of the script, which are"
              + " one job",
          "the SET before the first INSERT");
      return;
    }
    set(setting.key(), setting.value(), setting.keyLine(), setting.keyColumn());
  }

  private void set(String key, String value, int line, int column) {
    Own own = OwnOptions.setting(key).orElse(null);
    if (own != null) {
      if (!leavesOut(own, value)) {
        refuseOwn("the setting", own, value, line, column);
      }
    } else if (key.equals(Job.COMMIT_INTERVAL)) {
      Duration interval = Job.commitInterval(value);
      settings.putIfAbsent(CHECKPOINTS, interval.toMillis() + " ms");
    } else if (OF_CLUSTERS.stream().anyMatch(key::startsWith)) {
      notes.add("line %d: '%s' is for a cluster or its client, and left out".formatted(line, key));
    } else {
      settings.put(key, value);
    }
  }

  private void reset(ScriptStatement.Reset reset) {
    if (!inserts.isEmpty()) {
      refuse(
          reset.line(),
          reset.column(),
          "RESET after an INSERT: on Flink a setting holds for all INSERTs of the script",
          "the RESET before the first INSERT");
    } else {
      reset.key().ifPresentOrElse(settings::remove, settings::clear);
    }
  }

  private void table(ScriptStatement.Table table) {
    String connector =
        table.options().stream()
            .filter(option -> option.key().equals(CONNECTOR))
            .map(ScriptStatement.Option::value)
            .findFirst()
            .orElseGet(() -> table.like().map(connectors::get).orElse(""));
    connectors.put(table.name(), connector);
    Set<ScriptStatement.Option> left = new HashSet<>();
    Set<String> named = new LinkedHashSet<>();
    for (ScriptStatement.Option option : table.options()) {
      named.addAll(SecretReferences.names(option.value()));
      if (OwnOptions.CONNECTORS.contains(connector) || option.key().equals(CONNECTOR)) {
        option(table.name(), connector, option, left);
      }
    }
    if (!named.isEmpty() && StatementText.hasReferencesElsewhere(table.text(), table.options())) {
      refuse(
          table.line(),
          table.column(),
          "table %s has ${secret:…} in its options and elsewhere, where it is plain text"
              .formatted(table.name()),
          "it in its options alone");
    }
    secrets.addAll(named);
    Map<ScriptStatement.Option, String> prefixes = transactions(table, connector);
    if (!prefixes.isEmpty()) {
      prefixed.add(table.name());
    }
    if (table.like().filter(prefixed::contains).isPresent()
        && prefixes.isEmpty()
        && table.options().stream().noneMatch(option -> option.key().equals(TRANSACTIONS))) {
      refuse(
          table.line(),
          table.column(),
          "table %s would have the transactions of the table that it is LIKE, and the two would end each other's"
              .formatted(table.name()),
          "'%s' = '…' in its own WITH".formatted(TRANSACTIONS));
    }
    steps.add(
        new FlinkScript.Step(
            table.line(),
            StatementText.of(table.text(), table.options(), left, prefixes),
            !named.isEmpty()));
  }

  private void option(
      String table,
      String connector,
      ScriptStatement.Option option,
      Set<ScriptStatement.Option> left) {
    String key = option.key();
    String value = option.value();
    Own own = OwnOptions.option(connector, key).orElse(null);
    if (own != null) {
      left.add(option);
      if (!leavesOut(own, value)) {
        refuseOwn("table %s:".formatted(table), own, value, option.line(), option.column());
      }
      return;
    }
    String trouble = null;
    String instead = "";
    if (key.equals(CONNECTOR) && !OwnOptions.CONNECTORS.contains(value)) {
      trouble = "a cluster of Flink's does not have that connector";
      instead =
          "'connector' = 'kafka', and have a job of `sedge run` or a site carry the rows between"
              + " the two (docs/flink.md)";
    } else if (FORMAT_KEYS.contains(key) && !OwnOptions.FORMATS.contains(value)) {
      trouble = "a cluster of Flink's does not have that format";
      instead = "'%s' = 'json'".formatted(key);
    } else if (connector.equals("filesystem") && key.equals("path") && isRelative(value)) {
      trouble = "a relative path means another directory on each task manager";
      instead = "a path that all of them reach, such as s3://… or file:///shared/…";
    } else if (connector.equals("jdbc") && value.startsWith("jdbc:sqlite:")) {
      trouble = "Flink's connector does not know SQLite";
      instead = "a database of PostgreSQL, MariaDB or MySQL";
    }
    if (trouble != null) {
      refuse(
          option.line(),
          option.column(),
          "table %s: '%s' = '%s': %s".formatted(table, key, value, trouble),
          instead);
    }
  }

  /** Flink wants a name of the transactions of each table, where Sedge has one of its own. */
  private Map<ScriptStatement.Option, String> transactions(
      ScriptStatement.Table table, String connector) {
    if (!connector.endsWith("kafka")
        || table.options().stream().anyMatch(option -> option.key().equals(TRANSACTIONS))) {
      return Map.of();
    }
    return table.options().stream()
        .filter(option -> option.key().equals("sink.delivery-guarantee"))
        .filter(option -> option.value().equalsIgnoreCase("exactly-once"))
        .collect(
            Collectors.toMap(
                Function.identity(),
                _ ->
                    ", '%s' = '%s'"
                        .formatted(
                            TRANSACTIONS,
                            "%s-%s".formatted(job.name(), table.name()).replace("'", "''"))));
  }

  private static boolean isRelative(String path) {
    return !path.startsWith("/") && !path.contains(":/");
  }

  /** The class is in a jar that goes along, so the statement need not name it. */
  private void function(ScriptStatement.Function function) {
    String before = functions.put(function.name().toUpperCase(Locale.ROOT), function.className());
    if (before != null && !before.equals(function.className())) {
      refuse(
          function.line(),
          function.column(),
          "the function %s is declared twice, with other classes".formatted(function.name()),
          "another name");
    }
    jars.addAll(function.jars());
    step(
        function,
        "CREATE TEMPORARY FUNCTION IF NOT EXISTS `%s` AS '%s'"
            .formatted(
                function.name().replace("`", "``"), function.className().replace("'", "''")));
  }

  private void step(ScriptStatement statement, String sql) {
    steps.add(new FlinkScript.Step(statement.line(), sql, false));
  }

  private void check(List<ScriptStatement.Call> calls) {
    for (ScriptStatement.Call call : calls) {
      String function = call.function();
      boolean exact = function.equals("APPROX_COUNT_DISTINCT") && job.batch();
      String instead =
          Detectors.names().contains(function)
              ? "the script without it, on what a site's job with the detector writes to Kafka"
              : FUNCTIONS.get(function);
      if (instead != null && !exact && !functions.containsKey(function)) {
        refuse(
            call.line(),
            call.column(),
            "%s: Flink has no such function%s"
                .formatted(function, function.startsWith("APPROX_C") ? " over streams" : ""),
            instead);
      }
    }
  }

  private boolean leavesOut(Own own, String value) {
    return without.contains(own.key()) || own.leavesOut(value);
  }

  private void refuseOwn(String what, Own own, String value, int line, int column) {
    refuse(
        line,
        column,
        "%s '%s' = '%s' is Sedge's own".formatted(what, own.key(), value),
        "%s; or submit it with --without %s".formatted(own.instead(), own.key()));
  }

  private void refuse(int line, int column, String message, @Nullable String remedy) {
    problems.add(new Problem(line, column, message, Optional.ofNullable(remedy)));
  }
}
