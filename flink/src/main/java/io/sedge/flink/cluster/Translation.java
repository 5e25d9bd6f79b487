package io.sedge.flink.cluster;

import io.sedge.flink.cluster.internal.Findings;
import io.sedge.flink.cluster.internal.OwnOptions;
import io.sedge.flink.cluster.internal.SettingTranslation;
import io.sedge.flink.cluster.internal.TableTranslation;
import io.sedge.learning.Detectors;
import io.sedge.sql.Job;
import io.sedge.sql.Remarks;
import io.sedge.sql.ScriptStatement;
import io.sedge.sql.SqlException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes of a script what Flink takes. What is Sedge's own is translated, left out where it changes
 * no row, or refused with its place. Used once, by one thread.
 */
public final class Translation {
  /** Functions that Flink lacks besides the detectors, and what to write instead. */
  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "APPROX_QUANTILE", "PERCENTILE(x, fraction)",
          "APPROX_COUNT_DISTINCT", "COUNT(DISTINCT x)");

  private final Job job;
  private final Findings findings = new Findings();
  private final SettingTranslation settings;
  private final TableTranslation tables;
  private final Map<String, String> functions = new HashMap<>();
  private final List<FlinkScript.Step> steps = new ArrayList<>();
  private final List<FlinkScript.Step> inserts = new ArrayList<>();
  private final Set<String> jars = new TreeSet<>();

  private Translation(Job job, Map<String, String> given, Set<String> without) {
    this.job = job;
    this.settings = new SettingTranslation(given, without, findings);
    this.tables = new TableTranslation(job.name(), without, findings);
  }

  /**
   * Translates a script.
   *
   * @param job what it compiles to
   * @param script its text
   * @param given settings that hold instead of its own; none that {@link #refusals} names
   * @param without keys of Sedge's own that are left out, which would be refused
   * @throws SqlException with all that Flink lacks
   */
  public static FlinkScript of(
      Job job, String script, Map<String, String> given, Set<String> without) throws SqlException {
    return new Translation(job, given, without).translate(ScriptStatement.of(script));
  }

  /**
   * Why settings cannot hold instead of a script's: a line for each.
   *
   * @param option that gave them: {@code --set}
   * @param given which {@link io.sedge.sql.SqlCompiler#refusal} has nothing against
   * @param without as in {@link #of}
   */
  public static List<String> refusals(
      String option, Map<String, String> given, Set<String> without) {
    return SettingTranslation.refusals(option, given, without);
  }

  /** What {@code without} of {@link #of} may name. */
  public static Set<String> ownKeys() {
    return OwnOptions.keys();
  }

  private FlinkScript translate(List<ScriptStatement> statements) throws SqlException {
    statements.forEach(this::add);
    Map<String, FlinkScript.Setting> settled = settings.settings(job);
    findings.check();
    tables.guarantees(job);
    Remarks.casts(job).forEach(findings::note);
    return new FlinkScript(
        job.name(),
        settled,
        steps,
        inserts,
        jars,
        tables.secrets(),
        tables.lacked(),
        findings.notes());
  }

  private void add(ScriptStatement statement) {
    switch (statement) {
      case ScriptStatement.Setting setting -> settings.set(setting, !inserts.isEmpty());
      case ScriptStatement.Reset reset -> settings.reset(reset, !inserts.isEmpty());
      case ScriptStatement.Table table -> {
        TableTranslation.Text text = tables.table(table);
        steps.add(new FlinkScript.Step(table.line(), text.sql(), text.hasSecrets()));
      }
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
          findings.refuse(
              model.line(),
              model.column(),
              "a model scores on Sedge alone: Flink has none of its providers",
              "the script without it, on what a site's job with the model writes to Kafka");
      case ScriptStatement.Query query ->
          findings.refuse(
              query.line(),
              query.column(),
              "the rows of a bare SELECT are shown where it is typed, and a cluster shows nobody"
                  + " any",
              "INSERT INTO a table of kafka, or of print, whose rows are in the task managers'"
                  + " output");
    }
  }

  /** The class is in a jar that goes along, so the statement need not name it. */
  private void function(ScriptStatement.Function function) {
    String before = functions.put(function.name().toUpperCase(Locale.ROOT), function.className());
    if (before != null && !before.equals(function.className())) {
      findings.refuse(
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
        findings.refuse(
            call.line(),
            call.column(),
            "%s: Flink has no such function%s"
                .formatted(function, function.startsWith("APPROX_C") ? " over streams" : ""),
            instead);
      }
    }
  }
}
