package io.sedge.flink.cluster.internal;

import io.sedge.flink.cluster.internal.OwnOptions.Own;
import io.sedge.sql.Job;
import io.sedge.sql.ScriptStatement;
import io.sedge.sql.SecretReferences;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes of a script's tables those of Flink's. Used once, by one thread. */
public final class TableTranslation {
  private static final String CONNECTOR = "connector";
  private static final String JDBC = "jdbc";
  private static final String TRANSACTIONS = "sink.transactional-id-prefix";
  private static final String GUARANTEE = "sink.delivery-guarantee";
  private static final Set<String> FORMAT_KEYS = Set.of("format", "key.format", "value.format");

  private final String job;
  private final Set<String> without;
  private final Findings findings;
  private final Map<String, String> connectors = new HashMap<>();
  private final Set<String> prefixed = new HashSet<>();
  private final Set<String> secrets = new TreeSet<>();
  private final Set<String> lacked = new TreeSet<>();

  /**
   * A table as Flink takes it.
   *
   * @param hasSecrets whether its options name some
   */
  public record Text(String sql, boolean hasSecrets) {}

  /**
   * A translation.
   *
   * @param job its name
   * @param without keys of Sedge's own that are left out
   */
  public TableTranslation(String job, Set<String> without, Findings findings) {
    this.job = job;
    this.without = without;
    this.findings = findings;
  }

  /** The secrets that the tables name. */
  public Set<String> secrets() {
    return secrets;
  }

  /** Connectors and formats of the tables that Flink's distribution lacks. */
  public Set<String> lacked() {
    return lacked;
  }

  /** {@code CREATE TABLE}, on the lines where it stands. */
  public Text table(ScriptStatement.Table table) {
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
      findings.refuse(
          table.line(),
          table.column(),
          "table %s has ${secret:…} in its options and elsewhere, where it is plain text"
              .formatted(table.name()),
          "it in its options alone");
    }
    secrets.addAll(named);
    return new Text(
        StatementText.of(table.text(), table.options(), left, transactions(table, connector)),
        !named.isEmpty());
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
      if (!without.contains(own.key()) && !own.leavesOut(value)) {
        findings.refuseOwn(
            "table %s:".formatted(table), own, value, option.line(), option.column());
      }
      return;
    }
    if ((key.equals(CONNECTOR) || FORMAT_KEYS.contains(key))
        && OwnOptions.NOT_IN_DISTRIBUTION.contains(value)) {
      lacked.add(value);
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
    } else if (connector.equals(JDBC) && value.startsWith("jdbc:sqlite:")) {
      trouble = "Flink's connector does not know SQLite";
      instead = "a database of PostgreSQL, MariaDB or MySQL";
    }
    if (trouble != null) {
      findings.refuse(
          option.line(),
          option.column(),
          "table %s: '%s' = '%s': %s".formatted(table, key, value, trouble),
          instead);
    }
  }

  private static boolean isRelative(String path) {
    return !path.startsWith("/") && !path.contains(":/");
  }

  /** Flink wants a name of the transactions of each table, where Sedge has one of its own. */
  private Map<ScriptStatement.Option, String> transactions(
      ScriptStatement.Table table, String connector) {
    if (!connector.endsWith("kafka") || has(table, TRANSACTIONS)) {
      return Map.of();
    }
    Map<ScriptStatement.Option, String> prefixes =
        table.options().stream()
            .filter(option -> option.key().equals(GUARANTEE))
            .filter(option -> option.value().equalsIgnoreCase("exactly-once"))
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    _ ->
                        ", '%s' = '%s'"
                            .formatted(
                                TRANSACTIONS,
                                "%s-%s".formatted(job, table.name()).replace("'", "''"))));
    if (!prefixes.isEmpty()) {
      prefixed.add(table.name());
    } else if (table.like().filter(prefixed::contains).isPresent()) {
      findings.refuse(
          table.line(),
          table.column(),
          "table %s would have the transactions of the table that it is LIKE, and the two would end each other's"
              .formatted(table.name()),
          "'%s' = '…' in its own WITH".formatted(TRANSACTIONS));
    }
    return prefixes;
  }

  private static boolean has(ScriptStatement.Table table, String key) {
    return table.options().stream().anyMatch(option -> option.key().equals(key));
  }

  /**
   * Says which tables of databases may have rows twice. Flink writes a table with a key as an
   * upsert, which may come twice; without a key it inserts, and after a failure inserts again.
   */
  public void guarantees(Job compiled) {
    compiled.sinks().values().stream()
        .filter(sink -> sink.connector().equals(JDBC))
        .map(Job.SinkTable::table)
        .filter(table -> table.primaryKey().isEmpty() && !table.options().containsKey(GUARANTEE))
        .map(
            table ->
                "table %s: on Flink 'jdbc' without a PRIMARY KEY is at least once: after a failure rows may stand there twice"
                    .formatted(table.name()))
        .sorted()
        .forEach(findings::note);
  }
}
