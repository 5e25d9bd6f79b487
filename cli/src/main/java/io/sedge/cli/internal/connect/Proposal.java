package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.connect.PayloadShape.Column;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A script that reads what was found: a table for each group, the largest first, and a query of the
 * first. Its names and its delays are to be changed by people.
 */
public final class Proposal {
  /** Groups beyond are named in a comment. */
  private static final int MOST_TABLES = 20;

  /** Nodes that have no pattern are listed. */
  private static final int MOST_LISTED = 100;

  private static final Pattern UNUSABLE = Pattern.compile("[{}*+;]|\\p{Cntrl}");
  private static final Pattern NAMESPACE = Pattern.compile("^nsu?=[^;]*;");

  private static final String DELAY = "INTERVAL '2' SECOND";

  private final Map<String, String> connection;
  private final Set<String> names = new HashSet<>();
  private final List<String> tables = new ArrayList<>();
  private final StringBuilder script = new StringBuilder();

  private Proposal(Map<String, String> connection) {
    this.connection = connection;
  }

  /** Topics are cut at slashes; those of a table have the same depth, beginning and payload. */
  private record Topics() implements Group.Cut {
    @Override
    public String prefix(String name) {
      return "";
    }

    @Override
    public String separator() {
      return "/";
    }

    @Override
    public String kind(Sample sample, List<String> parts) {
      return parts.getFirst() + " " + PayloadShape.of(sample.payload()).signature();
    }
  }

  /** Identifiers are cut at points and slashes; those of a table end alike, with like values. */
  private record Nodes() implements Group.Cut {
    @Override
    public String prefix(String name) {
      return name.substring(0, name.indexOf('=', Math.max(0, name.indexOf(';'))) + 1);
    }

    @Override
    public String separator() {
      return "[./]";
    }

    @Override
    public String kind(Sample sample, List<String> parts) {
      String last = parts.size() == 1 ? "" : parts.getLast();
      return last + " " + valueType(sample.payload());
    }
  }

  private static String valueType(String value) {
    if (value.equals("true") || value.equals("false")) {
      return "BOOLEAN";
    }
    return PayloadShape.isNumber(value.strip()) ? "DOUBLE" : "STRING";
  }

  /** Whether a pattern can have the name, in which some characters mean something. */
  public static boolean isUsable(Sample sample) {
    return !UNUSABLE.matcher(withoutNamespace(sample)).find();
  }

  private static String withoutNamespace(Sample sample) {
    return NAMESPACE.matcher(sample.name()).replaceFirst("");
  }

  /**
   * Tables of the connector {@code mqtt}.
   *
   * @param samples {@link #isUsable usable} ones are proposed
   * @param connection the options that say how the broker is reached, as the script has them
   */
  public static String ofTopics(List<Sample> samples, Map<String, String> connection) {
    Proposal proposal = new Proposal(connection);
    List<Group> groups = Group.of(usable(samples), new Topics());
    groups.stream().limit(MOST_TABLES).forEach(proposal::addTopics);
    return proposal.end(groups);
  }

  /** Tables of the connector {@code opc-ua}. */
  public static String ofNodes(List<Sample> samples, Map<String, String> connection) {
    Proposal proposal = new Proposal(connection);
    List<Group> groups = Group.of(usable(samples), new Nodes());
    groups.stream().limit(MOST_TABLES).forEach(proposal::addNodes);
    return proposal.end(groups);
  }

  private static List<Sample> usable(List<Sample> samples) {
    return samples.stream().filter(Proposal::isUsable).toList();
  }

  private void addTopics(Group group) {
    PayloadShape shape =
        group.members().stream()
            .map(member -> PayloadShape.of(member.payload()))
            .reduce(PayloadShape::with)
            .orElseThrow();
    List<String> columns = new ArrayList<>();
    Set<String> payload = shape.columns().stream().map(Column::name).collect(Collectors.toSet());
    Map<String, String> renamed = new LinkedHashMap<>();
    for (String level : group.columns()) {
      String name = level;
      while (payload.contains(name)) {
        name += "_";
      }
      renamed.put("{" + level + "}", "{" + name + "}");
      columns.add(name + " STRING");
    }
    String pattern = group.pattern();
    for (Map.Entry<String, String> name : renamed.entrySet()) {
      pattern = pattern.replace(name.getKey(), name.getValue());
    }
    shape.columns().forEach(column -> columns.add(quoted(column.name()) + " " + column.type()));
    String format = "raw";
    switch (shape.kind()) {
      case JSON -> format = "json";
      case NUMBER -> {
        columns.add("payload STRING");
        columns.add("`value` AS TRY_CAST(payload AS DOUBLE)");
      }
      case TEXT -> columns.add("payload STRING");
    }
    addTime(shape, payload, columns);
    Map<String, String> options = new LinkedHashMap<>(connection);
    options.put("topic", literal(pattern));
    options.put("format", format);
    addTable(group, "topics", columns, options);
  }

  /** The first column that may be one is the time of the reading; else it is when it came. */
  private static void addTime(PayloadShape shape, Set<String> taken, List<String> columns) {
    Optional<Column> time =
        shape.columns().stream().filter(column -> column.timePrecision() >= 0).findFirst();
    String name = "event_time";
    while (taken.contains(name)) {
      name += "_";
    }
    columns.add(
        time.map(
                column ->
                    "%s AS TO_TIMESTAMP_LTZ(%s, %d)"
                        .formatted("%s", quoted(column.name()), column.timePrecision()))
            .orElse("%s TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'")
            .formatted(name));
    columns.add("WATERMARK FOR %1$s AS %1$s - %2$s".formatted(name, DELAY));
  }

  private void addNodes(Group group) {
    List<String> columns = new ArrayList<>();
    Map<String, String> options = new LinkedHashMap<>(connection);
    boolean text = withoutNamespace(group.members().getFirst()).startsWith("s=");
    if (group.columns().isEmpty() || text) {
      group.columns().forEach(level -> columns.add(level + " STRING"));
      options.put("nodes", literal(group.pattern()));
    } else {
      columns.add("node STRING METADATA");
      options.put(
          "nodes",
          group.members().stream()
              .limit(MOST_LISTED)
              .map(sample -> literal(sample.name()))
              .collect(Collectors.joining(";")));
    }
    columns.add("`value` " + valueType(group.members().getFirst().payload()));
    columns.add("status STRING METADATA");
    columns.add("event_time TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp'");
    columns.add("WATERMARK FOR event_time AS event_time - " + DELAY);
    addTable(group, "nodes", columns, options);
  }

  private void addTable(
      Group group, String what, List<String> columns, Map<String, String> options) {
    String name = name(group.pattern()) + "_" + what;
    for (int i = 2; !names.add(name); i++) {
      name = name(group.pattern()) + i + "_" + what;
    }
    tables.add(name);
    int members = group.members().size();
    String first = comment(group.members().getFirst().name());
    script
        .append(members == 1 ? "-- " : "-- %,d %s, such as ".formatted(members, what))
        .append(first)
        .append('\n');
    script.append("CREATE TABLE ").append(name).append(" (\n  ");
    script.append(String.join(",\n  ", columns)).append("\n) WITH (\n  ");
    script.append(
        options.entrySet().stream()
            .map(option -> "'%s' = '%s'".formatted(option.getKey(), option.getValue()))
            .collect(Collectors.joining(",\n  ")));
    script.append("\n);\n\n");
  }

  private String end(List<Group> groups) {
    if (groups.size() > MOST_TABLES) {
      script.append("-- And %,d more:%n".formatted(groups.size() - MOST_TABLES));
      groups.stream()
          .skip(MOST_TABLES)
          .limit(MOST_LISTED)
          .forEach(group -> script.append("--   ").append(comment(group.pattern())).append('\n'));
      script.append('\n');
    }
    tables.stream()
        .findFirst()
        .ifPresent(table -> script.append("SELECT * FROM ").append(table).append(";\n"));
    return script.toString();
  }

  /** Of the last part that all members have in common, else the first. */
  private String name(String pattern) {
    List<String> words = new ArrayList<>();
    for (String part : pattern.replaceAll("\\{[^}]*\\}", "").split("[^A-Za-z0-9]+", -1)) {
      if (part.length() > 1 && Character.isLetter(part.charAt(0))) {
        words.add(part.toLowerCase(Locale.ROOT));
      }
    }
    return words.isEmpty() ? "found" : words.getLast();
  }

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private static String literal(String text) {
    return text.replace("'", "''");
  }

  /** In one line, so that a name cannot write on the script. */
  private static String comment(String text) {
    return Printable.text(text);
  }
}
