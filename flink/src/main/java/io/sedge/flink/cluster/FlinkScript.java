package io.sedge.flink.cluster;

import io.sedge.sql.Job;
import io.sedge.sql.SecretReferences;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * A script as Flink takes it. Immutable.
 *
 * @param name of the job
 * @param settings of Flink's, by key; they hold for the whole script
 * @param steps its statements but for inserts, in their order
 * @param inserts what is one job
 * @param jars that its functions need, as the script writes them
 * @param secrets that its tables name
 * @param lacked connectors and formats of its tables that Flink's distribution lacks
 * @param notes what is otherwise there than here, for people: a line each
 */
public record FlinkScript(
    String name,
    Map<String, Setting> settings,
    List<Step> steps,
    List<Step> inserts,
    Set<String> jars,
    Set<String> secrets,
    Set<String> lacked,
    List<String> notes) {
  /** The setting that says how often Flink makes checkpoints. */
  public static final String CHECKPOINTS = "execution.checkpointing.interval";

  /**
   * A setting.
   *
   * @param line where the script SETs it; 0 if the script does not
   */
  public record Setting(String value, int line) {}

  /**
   * A statement.
   *
   * @param line where it stands in the script
   * @param secrets whether its options name some
   */
  public record Step(int line, String sql, boolean secrets) {}

  public FlinkScript {
    settings = Map.copyOf(settings);
    steps = List.copyOf(steps);
    inserts = List.copyOf(inserts);
    jars = Set.copyOf(jars);
    secrets = Set.copyOf(secrets);
    lacked = Set.copyOf(lacked);
    notes = List.copyOf(notes);
  }

  /** The script for people, and for Flink's own client; secrets stay names. */
  public String text() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(settings)
        .forEach(
            (key, value) ->
                text.append("SET '%s' = '%s';%n".formatted(quoted(key), quoted(value.value()))));
    steps.forEach(step -> text.append('\n').append(ended(step.sql())));
    text.append("\nEXECUTE STATEMENT SET BEGIN\n");
    inserts.forEach(insert -> text.append(ended(insert.sql())));
    return text.append("END;\n").toString();
  }

  /** The semicolon is not to be in the comment of the last line. */
  private static String ended(String sql) {
    boolean comment = sql.indexOf("--", sql.lastIndexOf('\n') + 1) >= 0;
    return sql + (comment ? "\n;\n" : ";\n");
  }

  /** Whether its input ends, and so the job, whose operators run one after the other. */
  public boolean isBatch() {
    Setting mode = settings.get(Job.RUNTIME_MODE);
    return mode != null && mode.value().equals(Job.BATCH);
  }

  /** Whether it says how often checkpoints are made; else the cluster does, or nobody. */
  public boolean saysCheckpoints() {
    return settings.containsKey(CHECKPOINTS);
  }

  private static String quoted(String value) {
    return value.replace("'", "''");
  }

  /**
   * What the runner reads.
   *
   * @param values of secrets that are sent, by name
   */
  Properties properties(Map<String, String> values) {
    Properties job = new Properties();
    settings.forEach((key, value) -> job.setProperty("setting." + key, value.value()));
    values.forEach(
        (name, value) -> {
          if (secrets.contains(name)) {
            job.setProperty(SecretReferences.KIND + "." + name, value);
          }
        });
    int number = 0;
    for (Step step : steps) {
      put(job, number++, step, step.secrets() ? "secrets" : "");
    }
    for (Step insert : inserts) {
      put(job, number++, insert, "insert");
    }
    return job;
  }

  private static void put(Properties job, int number, Step step, String kind) {
    String prefix = "step.%d.".formatted(number);
    job.setProperty(prefix + "line", Integer.toString(step.line()));
    job.setProperty(prefix + "sql", step.sql());
    if (!kind.isEmpty()) {
      job.setProperty(prefix + "kind", kind);
    }
  }
}
