package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.connect.Proposal.Found;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A script that runs: the table of a source, a query of it, and where its rows go. */
public final class FirstScript {
  private static final long MOST_UNITS = 99;

  /** Names of columns that only number readings. */
  private static final Set<String> COUNTERS =
      Set.of("seq", "sequence", "count", "counter", "id", "nr", "no", "number");

  private final Found table;
  private final List<String> names = new ArrayList<>();
  private final List<String> types = new ArrayList<>();
  private final List<String> expressions = new ArrayList<>();
  private String end = "";

  private FirstScript(Found table) {
    this.table = table;
    table.keys().forEach(key -> add(key, "STRING", key));
  }

  /** What is wanted of readings. */
  public sealed interface Goal {}

  /** Each one. */
  public record Readings() implements Goal {}

  /**
   * Their number, and the mean, lowest and highest value, in one window after the other.
   *
   * @param length that {@link #canBe can be}
   */
  public record Windows(Duration length) implements Goal {
    /** Whether SQL can say it as an interval of one unit with two digits. */
    public static boolean canBe(Duration length) {
      return !interval(length).isEmpty();
    }
  }

  /** Each whose number is above a limit, of a table that has numbers; of its first one. */
  public record Above(double limit) implements Goal {}

  /** The interval in SQL; empty if there is none with two digits. */
  private static String interval(Duration length) {
    for (Map.Entry<String, Long> unit :
        List.of(Map.entry("HOUR", 3_600L), Map.entry("MINUTE", 60L), Map.entry("SECOND", 1L))) {
      long units = length.toSeconds() / unit.getValue();
      if (units >= 1
          && units <= MOST_UNITS
          && Duration.ofSeconds(units * unit.getValue()).equals(length)) {
        return "INTERVAL '%d' %s".formatted(units, unit.getKey());
      }
    }
    return "";
  }

  /**
   * The query and its sink.
   *
   * @param sink the options of the table of results; empty for the terminal
   */
  public static String of(Found table, Goal goal, Map<String, String> sink) {
    FirstScript script = new FirstScript(table);
    switch (goal) {
      case Readings() -> script.rows("");
      case Above(double limit) -> script.rows(script.above(limit));
      case Windows(Duration length) -> script.windows(interval(length));
    }
    return script.text(sink);
  }

  private void add(String name, String type, String expression) {
    names.add(name);
    types.add(type);
    expressions.add(expression.equals(name) ? name : expression + " AS " + name);
  }

  /** One limit is that of one column, of one that does not only count; the others are named. */
  private String above(double limit) {
    List<String> numbers = new ArrayList<>(table.numbers());
    numbers.sort(Comparator.comparing(FirstScript::isCounter));
    return numbers.stream()
        .map(value -> value + " > " + limit)
        .collect(Collectors.joining("\n-- OR ", "\nWHERE ", "\n"));
  }

  private static boolean isCounter(String column) {
    return COUNTERS.contains(column.replace("`", "").toLowerCase(Locale.ROOT));
  }

  private void rows(String where) {
    add(table.time(), "TIMESTAMP_LTZ(3)", table.time());
    table.values().forEach((value, type) -> add(value, type, value));
    end = "FROM " + table.name() + where;
  }

  /** Whether windows would have columns of the same name. */
  public static boolean hasNamesOfWindows(Found table) {
    return table.values().keySet().stream()
        .anyMatch(name -> name.toLowerCase(Locale.ROOT).matches("`window_(start|end|time)`"));
  }

  private void windows(String interval) {
    add("window_end", "TIMESTAMP(3)", "window_end");
    add("readings", "BIGINT", "COUNT(*)");
    boolean only = table.numbers().size() == 1;
    for (String value : table.numbers()) {
      String of = only ? "" : "_" + value.substring(1, value.length() - 1).replace("``", "`");
      add(Proposal.quoted("mean" + of), "DOUBLE", "AVG(%s)".formatted(value));
      add(Proposal.quoted("lowest" + of), "DOUBLE", "MIN(%s)".formatted(value));
      add(Proposal.quoted("highest" + of), "DOUBLE", "MAX(%s)".formatted(value));
    }
    List<String> groups = new ArrayList<>(table.keys());
    groups.addAll(List.of("window_start", "window_end"));
    end =
        "FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(%s), %s))\nGROUP BY %s"
            .formatted(table.name(), table.time(), interval, String.join(", ", groups));
  }

  private String text(Map<String, String> sink) {
    StringBuilder text = new StringBuilder();
    if (!sink.isEmpty()) {
      List<String> columns = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        columns.add(names.get(i) + " " + types.get(i));
      }
      text.append("CREATE TABLE results (\n  ").append(String.join(",\n  ", columns));
      text.append("\n) ").append(TableOptions.text(sink)).append(";\n\nINSERT INTO results\n");
    }
    text.append("SELECT\n  ").append(String.join(",\n  ", expressions)).append('\n');
    return text.append(end).append(";\n").toString();
  }
}
