package io.sedge.flink.cluster.internal;

import io.sedge.flink.cluster.FlinkScript;
import io.sedge.flink.cluster.FlinkScript.Setting;
import io.sedge.flink.cluster.internal.OwnOptions.Own;
import io.sedge.sql.Job;
import io.sedge.sql.ScriptStatement;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes of a script's settings those of Flink's, which hold for the whole job. Used once, by one
 * thread.
 */
public final class SettingTranslation {
  private static final String OWN = "sedge.";
  private static final String SECONDS = "is an offset with seconds, and those of Flink have none";
  private static final String ZONES = "a time zone such as Europe/Berlin, or GMT+02:30";

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

  private final Map<String, String> given;
  private final Set<String> without;
  private final Findings findings;
  private final Map<String, Setting> settings = new TreeMap<>();

  /** Its key is Sedge's; without Flink's own key it says how often checkpoints are made. */
  private Optional<Setting> commitInterval = Optional.empty();

  /**
   * A translation.
   *
   * @param given settings that hold instead of the script's; none that {@link #refusals} names
   * @param without keys of Sedge's own that are left out
   */
  public SettingTranslation(Map<String, String> given, Set<String> without, Findings findings) {
    this.given = given;
    this.without = without;
    this.findings = findings;
  }

  /**
   * What is wrong with settings that are to hold instead of a script's: a line for each.
   *
   * @param option that gave them: {@code --set}
   * @param without keys of Sedge's own that are left out
   */
  public static List<String> refusals(
      String option, Map<String, String> given, Set<String> without) {
    List<String> refusals = new ArrayList<>();
    new TreeMap<>(given)
        .forEach(
            (key, value) -> {
              String what = "%s %s=%s".formatted(option, key, value);
              refusedOwn(key, value, without)
                  .ifPresent(
                      own ->
                          refusals.add(
                              "%s is Sedge's own; write %s"
                                  .formatted(
                                      what,
                                      own.instead()
                                          .replace("the script without", "the command without"))));
              if (isNoZone(key, value)) {
                refusals.add("%s %s; write %s".formatted(what, SECONDS, ZONES));
              }
            });
    return refusals;
  }

  private static Optional<Own> refusedOwn(String key, String value, Set<String> without) {
    return OwnOptions.setting(key).filter(own -> !without.contains(key) && !own.leavesOut(value));
  }

  private static boolean isNoZone(String key, String value) {
    return key.equals(Job.ZONE) && TimeZones.ofFlink(ZoneId.of(value)).isEmpty();
  }

  /**
   * {@code SET}.
   *
   * @param late whether it stands behind an INSERT
   */
  public void set(ScriptStatement.Setting setting, boolean late) {
    String key = setting.key();
    String value = setting.value();
    int line = setting.keyLine();
    int column = setting.keyColumn();
    if (given.containsKey(key)) {
      return;
    }
    Setting before = settings.get(key);
    Optional<Own> own = refusedOwn(key, value, without);
    if (own.isPresent()) {
      findings.refuseOwn("the setting", own.get(), value, line, column);
    } else if (isNoZone(key, value)) {
      findings.refuse(line, column, "'%s' = '%s' %s".formatted(key, value, SECONDS), ZONES);
    } else if (late && !key.startsWith(OWN) && (before == null || !before.value().equals(value))) {
      findings.refuse(
          line,
          column,
          "SET after an INSERT: on Flink a setting holds for all INSERTs of the script, which are"
              + " one job",
          "the SET before the first INSERT");
    } else {
      put(key, value, line);
    }
  }

  private void put(String key, String value, int line) {
    if (OwnOptions.setting(key).isPresent()) {
      return;
    }
    if (key.equals(Job.COMMIT_INTERVAL)) {
      commitInterval = Optional.of(new Setting(Job.commitInterval(value).toMillis() + " ms", line));
    } else if (OF_CLUSTERS.stream().anyMatch(key::startsWith)) {
      findings.note(
          "%s is for a cluster or its client, and left out"
              .formatted(line == 0 ? "--set " + key : "line %d: '%s'".formatted(line, key)));
    } else {
      settings.put(key, new Setting(value, line));
    }
  }

  /**
   * {@code RESET}.
   *
   * @param late whether it stands behind an INSERT
   */
  public void reset(ScriptStatement.Reset reset, boolean late) {
    Optional<String> key = reset.key();
    boolean changes = key.map(settings::containsKey).orElse(!settings.isEmpty());
    if (late && changes) {
      findings.refuse(
          reset.line(),
          reset.column(),
          "RESET after an INSERT: on Flink a setting holds for all INSERTs of the script",
          "the RESET before the first INSERT");
      return;
    }
    key.ifPresentOrElse(settings::remove, settings::clear);
    if (key.map(Job.COMMIT_INTERVAL::equals).orElse(true)) {
      commitInterval = Optional.empty();
    }
  }

  /** What holds in the end, by Flink's keys. */
  public Map<String, Setting> settings(Job job) {
    new TreeMap<>(given).forEach((key, value) -> put(key, value, 0));
    commitInterval.ifPresent(interval -> settings.putIfAbsent(FlinkScript.CHECKPOINTS, interval));
    settings.put("pipeline.name", new Setting(job.name(), 0));
    settings.put(Job.RUNTIME_MODE, new Setting(job.batch() ? Job.BATCH : "streaming", 0));
    Optional<String> zone = TimeZones.ofFlink(job.zone());
    if (zone.isPresent()) {
      Setting written = settings.get(Job.ZONE);
      settings.put(Job.ZONE, new Setting(zone.get(), written == null ? 0 : written.line()));
    } else if (!job.settings().containsKey(Job.ZONE)) { // Else that is refused already.
      findings.refuse(
          1,
          1,
          "the time zone of this machine, %s, %s".formatted(job.zone(), SECONDS),
          "SET '%s' = 'UTC', or another zone".formatted(Job.ZONE));
    }
    return settings;
  }
}
