package io.sedge.cli.internal;

import io.sedge.cli.internal.connect.TableScript;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.Explorer;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.sql.SecretReferences;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import io.sedge.task.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Looks at what there is at a far end whose connector can list it: topics of Kafka, tables of a
 * database. What was found goes to standard error. Nothing there is changed.
 */
final class Exploring {
  /** What messages of connectors call the table that is not there yet. */
  static final String TABLE = "found";

  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int MOST_TABLES = 20;
  private static final int SHOWN = 40;
  private static final int SHOWN_CHARACTERS = 100;

  private final Surroundings surroundings;
  private final RunSecrets secrets;

  /**
   * @param secrets that options may name
   */
  Exploring(Surroundings surroundings, RunSecrets secrets) {
    this.surroundings = surroundings;
    this.secrets = secrets;
  }

  /** What people may write for what can be looked at so. */
  static List<String> addresses() {
    return explorers().values().stream()
        .flatMap(explorer -> explorer.addresses().stream())
        .toList();
  }

  /** Whether an address is one that some connector can look at. */
  static boolean isFor(String url) {
    return explorers().values().stream().anyMatch(explorer -> explorer.isFor(url));
  }

  private static Map<ConnectorFactory, Explorer> explorers() {
    Map<ConnectorFactory, Explorer> all = new LinkedHashMap<>();
    for (ConnectorFactory connector :
        Connectors.installed(Exploring.class.getClassLoader()).byName().values()) {
      connector.explorer().ifPresent(explorer -> all.put(connector, explorer));
    }
    return all;
  }

  /**
   * The options of a table that reach an address.
   *
   * @throws JobException USAGE for one that is none
   */
  static Map<String, String> connection(String url) throws JobException {
    try {
      return explorer(url).getValue().connection(url);
    } catch (ConnectorException e) {
      throw failure(e, List.of());
    }
  }

  /**
   * Looks whether what is written to a table could get to its far end; waits for as long as the far
   * end takes to answer. Nothing is written.
   *
   * @param table called {@link #TABLE}, with the values of secrets
   * @param hidden what is not to be said
   * @throws JobException USAGE for an option that cannot be; of what failed there
   */
  static void reach(
      String url, TableDescriptor table, Surroundings surroundings, List<String> hidden)
      throws JobException {
    Map.Entry<ConnectorFactory, Explorer> of = explorer(url);
    Context context = new Context(surroundings, hidden);
    surroundings.err().printf("looking at %s …%n", Printable.text(shown(url)));
    try {
      var _ = of.getKey().sink(table, context);
      var _ =
          of.getValue().explore(new Explorer.Search(table, Optional.empty(), 0, LONGEST), context);
    } catch (ConnectorException e) {
      throw failure(e, hidden);
    }
  }

  private static Map.Entry<ConnectorFactory, Explorer> explorer(String url) {
    return explorers().entrySet().stream()
        .filter(entry -> entry.getValue().isFor(url))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The script that reads what is there; waits as long as it looks.
   *
   * @param name of the only topic or table that is looked at
   * @return empty if nothing was found that a table can read, which has been said
   * @throws JobException USAGE for an address or an option that cannot be; of what failed there
   */
  Optional<String> script(
      String url, Optional<String> name, Map<String, String> given, Optional<Duration> time)
      throws JobException {
    Browsing.refuseLogin(url);
    Browsing.checkOptions(given);
    Map.Entry<ConnectorFactory, Explorer> of = explorer(url);
    try {
      Map<String, String> connection = new LinkedHashMap<>();
      connection.put("connector", of.getKey().name());
      connection.putAll(of.getValue().connection(url));
      checkOptions(of.getKey(), given);
      connection.putAll(given);
      surroundings.err().printf("looking at %s …%n", Printable.text(shown(url)));
      Findings findings = explore(of.getValue(), connection, name, time.orElse(LONGEST));
      TableScript script = TableScript.of(findings, connection);
      show(findings, script);
      if (!script.hasTables()) {
        script.text().lines().map(Printable::text).forEach(surroundings.err()::println);
        return Optional.empty();
      }
      return Optional.of(script.text());
    } catch (ConnectorException e) {
      throw failure(e, List.of());
    }
  }

  /** Without parameters, in which somebody may have written a password. */
  private static String shown(String url) {
    return url.replaceFirst("(?s)[?;].*", "");
  }

  private static void checkOptions(ConnectorFactory connector, Map<String, String> given)
      throws JobException {
    List<Option> declared =
        connector.options().stream().filter(option -> !option.required()).toList();
    List<String> problems = Options.problems(TABLE, declared, given);
    if (!problems.isEmpty()) {
      throw new JobException(FailureCode.USAGE, withoutTable(problems.getFirst()));
    }
  }

  private static String withoutTable(String message) {
    return message.replace("table " + TABLE + ": ", "");
  }

  private Findings explore(
      Explorer explorer, Map<String, String> connection, Optional<String> name, Duration time)
      throws JobException {
    Map<String, String> options = new LinkedHashMap<>(connection);
    options.remove("connector");
    Set<String> names = new TreeSet<>();
    options.values().forEach(value -> names.addAll(SecretReferences.names(value)));
    Secrets values = secrets.read(names, surroundings);
    List<String> hidden = new ArrayList<>();
    TableDescriptor table =
        SecretReferences.<JobException>resolve(
            new TableDescriptor(
                TABLE, Schema.builder().build(), Map.of(), List.of(), List.of(), options, ""),
            secret -> {
              String value = values.value(secret);
              hidden.add(value);
              return value;
            });
    try {
      return explorer.explore(
          new Explorer.Search(table, name, MOST_TABLES, time), new Context(surroundings, hidden));
    } catch (ConnectorException e) {
      throw failure(e, hidden);
    }
  }

  /** What the far end says is made printable, and has no secret in it. */
  private static JobException failure(ConnectorException e, List<String> hidden) {
    FailureCode code =
        switch (e.kind()) {
          case USER -> FailureCode.USAGE;
          case EXTERNAL -> FailureCode.CONNECTION_FAILED;
          case FILE -> FailureCode.FILE_FAILED;
        };
    String message = withoutTable(String.valueOf(e.getMessage()));
    return new JobException(code, Printable.text(without(message, hidden)), e);
  }

  private static String without(String text, List<String> hidden) {
    // The longest first: one may be a part of another.
    return hidden.stream()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .reduce(text, (clean, value) -> clean.replace(value, "***"));
  }

  private void show(Findings findings, TableScript script) {
    surroundings.err().println(Printable.text(findings.title()));
    if (findings.found().isEmpty()) {
      surroundings
          .err()
          .printf(
              "there is no %s that this user may see%n",
              Printable.text(findings.headings().getFirst()));
      return;
    }
    List<String> header = new ArrayList<>(List.of(findings.headings().getFirst()));
    findings.headings().stream().skip(1).map(">"::concat).forEach(header::add);
    header.add("");
    TextTable table = new TextTable(header.toArray(String[]::new));
    for (int i = 0; i < Math.min(SHOWN, findings.found().size()); i++) {
      Found found = findings.found().get(i);
      table.add(
          Stream.of(
                  Stream.of(found.name()),
                  found.facts().stream().map(Exploring::number),
                  Stream.of(script.lines().get(i)))
              .flatMap(cells -> cells)
              .map(cell -> TextTable.shortened(Printable.text(cell), SHOWN_CHARACTERS))
              .toArray(String[]::new));
    }
    table.lines().forEach(surroundings.err()::println);
    long more = findings.found().size() - SHOWN + findings.leftOut();
    if (more > 0) {
      surroundings
          .err()
          .printf("and %,d more; --topic NAME (or --table NAME) looks at one%n", more);
    }
    surroundings.err().println();
  }

  private static String number(String fact) {
    return fact.matches("\\d{1,18}") ? "%,d".formatted(Long.parseLong(fact)) : fact;
  }

  /** Of somebody who looks and runs nothing. */
  private record Context(Surroundings surroundings, List<String> hidden)
      implements ConnectorContext {
    @Override
    public InstantSource clock() {
      return surroundings.clock();
    }

    @Override
    public long nanoTime() {
      return surroundings.nanoClock().getAsLong();
    }

    @Override
    public Path directory() {
      return surroundings.directory();
    }

    @Override
    public String withoutSecrets(String text) {
      return without(text, hidden);
    }

    @Override
    public void wakeUp() {
      // Nobody waits.
    }

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {
      // Nothing is decoded.
    }

    @Override
    public void report(Severity severity, String message) {
      surroundings.err().println(Printable.text(withoutTable(withoutSecrets(message))));
    }
  }
}
