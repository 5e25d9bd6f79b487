package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.connect.PayloadShape.Column;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A script that reads what was found: a table for each group, the largest first, and a query of the
 * first. Its names and its delays are to be changed by people.
 */
public final class Proposal {
  /** Groups beyond are named in a comment. */
  private static final int MOST_TABLES = 20;

  /** Nodes that have no pattern are listed. */
  private static final int MOST_LISTED = 100;

  private static final Pattern UNUSABLE = Pattern.compile("[{}*+;]");
  private static final Pattern NAMESPACE = Pattern.compile("^nsu?=[^;{}*]*;");

  private static final String VALUE = "`value`";
  private static final String DELAY = "INTERVAL '2' SECOND";

  private final List<Sample> samples;
  private final Map<String, String> connection;
  private final Set<String> names = new HashSet<>();
  private final List<Found> tables = new ArrayList<>();
  private final StringBuilder statements = new StringBuilder();

  /**
   * A table that is proposed. Names are as statements have them.
   *
   * @param names what it reads: names with {@code ;} between them, in which {@code {…}} is a part
   * @param keys text by which its rows differ
   * @param values the types of its other columns, by their names, but of one that is the time
   * @param time the time of a row, along which windows go
   * @param members how many names were found that it reads
   */
  public record Found(
      String name,
      String names,
      List<String> keys,
      Map<String, String> values,
      String time,
      int members) {
    public Found {
      keys = List.copyOf(keys);
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The columns that are numbers. */
    public List<String> numbers() {
      return values.entrySet().stream()
          .filter(value -> value.getValue().equals("DOUBLE"))
          .map(Map.Entry::getKey)
          .toList();
    }

    /** Whether it would read what goes to a topic. */
    public boolean reads(String topic) {
      return Stream.of(names.split(";", -1)).anyMatch(name -> matches(name, "[^/]*", topic));
    }
  }

  /** Whether a name is one of a pattern whose braces stand for a part. */
  private static boolean matches(String pattern, String part, String name) {
    return Stream.of(pattern.split("\\{[^}]*}", -1))
        .map(Pattern::quote)
        .collect(Collectors.collectingAndThen(Collectors.joining(part), name::matches));
  }

  private Proposal(List<Sample> samples, Map<String, String> connection) {
    this.samples = samples;
    this.connection = connection;
  }

  /**
   * How a table says which names it reads.
   *
   * @param columns that have the names, or parts of them
   * @param names the option's value
   * @param leftOut names that are not in it
   */
  private record Reading(List<String> columns, String names, int leftOut) {
    /** The names of the columns. */
    List<String> keys() {
      return columns.stream().map(column -> column.substring(0, column.indexOf(' '))).toList();
    }
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
    return !UNUSABLE.matcher(withoutNamespace(sample)).find()
        && Printable.text(sample.name()).equals(sample.name());
  }

  private static String withoutNamespace(Sample sample) {
    return NAMESPACE.matcher(sample.name()).replaceFirst("");
  }

  /**
   * Tables of the connector {@code mqtt}.
   *
   * @param samples {@link #isUsable usable} ones are proposed
   * @param connection the options that say how the broker is reached
   */
  public static Proposal ofTopics(List<Sample> samples, Map<String, String> connection) {
    Proposal proposal = new Proposal(usable(samples), connection);
    List<Group> groups = Group.of(proposal.samples, new Topics());
    groups.stream().limit(MOST_TABLES).forEach(proposal::addTopics);
    proposal.end(groups);
    return proposal;
  }

  /** Tables of the connector {@code opc-ua}. */
  public static Proposal ofNodes(List<Sample> samples, Map<String, String> connection) {
    Proposal proposal = new Proposal(usable(samples), connection);
    List<Group> groups = Group.of(proposal.samples, new Nodes());
    groups.stream().limit(MOST_TABLES).forEach(proposal::addNodes);
    proposal.end(groups);
    return proposal;
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
    Set<String> payload = shape.columns().stream().map(Column::name).collect(Collectors.toSet());
    Reading reading = reading(group, "/", "topic", payload, true);
    List<String> columns = new ArrayList<>(reading.columns());
    Map<String, String> values = new LinkedHashMap<>();
    for (Column column : shape.columns()) {
      columns.add(quoted(column.name()) + " " + column.type());
      values.put(quoted(column.name()), column.type());
    }
    String format = "raw";
    switch (shape.kind()) {
      case JSON -> format = "json";
      case NUMBER -> {
        columns.add("payload STRING");
        columns.add(VALUE + " AS TRY_CAST(payload AS DOUBLE)");
        values.put(VALUE, "DOUBLE");
      }
      case TEXT -> {
        columns.add("payload STRING");
        values.put("payload", "STRING");
      }
    }
    timeIn(shape).ifPresent(column -> values.remove(quoted(column.name())));
    String time = addTime(shape, "timestamp", payload, columns);
    Map<String, String> options = new LinkedHashMap<>(connection);
    options.put("topic", reading.names());
    options.put("format", format);
    options.putAll(shape.formatOptions());
    addTable(group, "topics", reading, columns, options, values, time);
  }

  private static Optional<Column> timeIn(PayloadShape shape) {
    return shape.columns().stream().filter(Column::isTime).findFirst();
  }

  /**
   * The first column that may be one is the time of the reading; else it is when it came.
   *
   * @param metadata the key of the metadata that says when it came
   * @return the column's name
   */
  static String addTime(
      PayloadShape shape, String metadata, Set<String> taken, List<String> columns) {
    Optional<Column> time = timeIn(shape);
    String name = free("event_time", taken);
    columns.add(
        name
            + time.flatMap(column -> column.time().expression(quoted(column.name())))
                .map(" AS "::concat)
                .orElse(" TIMESTAMP_LTZ(3) METADATA FROM '%s'".formatted(metadata)));
    columns.add("WATERMARK FOR %1$s AS %1$s - %2$s".formatted(name, DELAY));
    return name;
  }

  /**
   * By the pattern of the group, with columns for what differs; or, where others fit it too or
   * there can be none, by the names themselves.
   *
   * @param separator a regular expression of what a part does not have
   * @param metadata the column that has the name
   * @param taken names that a column cannot have
   */
  private Reading reading(
      Group group, String separator, String metadata, Set<String> taken, boolean patterns) {
    if (group.columns().isEmpty() || (patterns && !isAmbiguous(group, separator))) {
      String pattern = group.pattern();
      List<String> columns = new ArrayList<>();
      for (String level : group.columns()) {
        String name = free(level, taken);
        pattern = pattern.replace("{" + level + "}", "{" + name + "}");
        columns.add(name + " STRING");
      }
      return new Reading(columns, pattern, 0);
    }
    String name = free(metadata, taken);
    List<Sample> members = group.members();
    return new Reading(
        List.of(
            name
                + " STRING METADATA"
                + (name.equals(metadata) ? "" : " FROM '%s'".formatted(metadata))),
        members.stream().limit(MOST_LISTED).map(Sample::name).collect(Collectors.joining(";")),
        Math.max(0, members.size() - MOST_LISTED));
  }

  private boolean isAmbiguous(Group group, String separator) {
    String part = "[^" + separator.replace("[", "").replace("]", "") + "]*";
    long fit = samples.stream().filter(each -> matches(group.pattern(), part, each.name())).count();
    return fit > group.members().size();
  }

  static String free(String wanted, Set<String> taken) {
    String name = wanted;
    while (taken.contains(name)) {
      name += "_";
    }
    return name;
  }

  private void addNodes(Group group) {
    boolean text = withoutNamespace(group.members().getFirst()).startsWith("s=");
    Reading reading = reading(group, "[./]", "node", Set.of("value", "status"), text);
    List<String> columns = new ArrayList<>(reading.columns());
    Map<String, String> options = new LinkedHashMap<>(connection);
    options.put("nodes", reading.names());
    String type = valueType(group.members().getFirst().payload());
    columns.add(VALUE + " " + type);
    columns.add("status STRING METADATA");
    columns.add("event_time TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp'");
    columns.add("WATERMARK FOR event_time AS event_time - " + DELAY);
    addTable(group, "nodes", reading, columns, options, Map.of(VALUE, type), "event_time");
  }

  private void addTable(
      Group group,
      String what,
      Reading reading,
      List<String> columns,
      Map<String, String> options,
      Map<String, String> values,
      String time) {
    String name = name(group.pattern()) + "_" + what;
    for (int i = 2; !names.add(name); i++) {
      name = name(group.pattern()) + i + "_" + what;
    }
    int members = group.members().size();
    tables.add(new Found(name, reading.names(), reading.keys(), values, time, members));
    String first = comment(group.members().getFirst().name());
    statements
        .append(members == 1 ? "-- " : "-- %,d %s, such as ".formatted(members, what))
        .append(first)
        .append('\n');
    if (reading.leftOut() > 0) {
      statements.append(
          "-- The first %,d are listed; %,d are not%n".formatted(MOST_LISTED, reading.leftOut()));
    }
    statements.append("CREATE TABLE ").append(name).append(" (\n  ");
    statements.append(String.join(",\n  ", columns)).append("\n) ");
    statements.append(TableOptions.text(options)).append(";\n\n");
  }

  private void end(List<Group> groups) {
    if (groups.size() > MOST_TABLES) {
      statements.append("-- And %,d more:%n".formatted(groups.size() - MOST_TABLES));
      groups.stream()
          .skip(MOST_TABLES)
          .limit(MOST_LISTED)
          .forEach(
              group -> statements.append("--   ").append(comment(group.pattern())).append('\n'));
      statements.append('\n');
    }
  }

  /** Whether there is any table. */
  public boolean hasTables() {
    return !tables.isEmpty();
  }

  /** The statements that declare the tables, with what was found as comments. */
  public String statements() {
    return statements.toString();
  }

  /** The table of the largest group; of those with numbers if there are any and they are wanted. */
  public Found largest(boolean wantsNumbers) {
    return tables.stream()
        .filter(table -> !wantsNumbers || !table.numbers().isEmpty())
        .findFirst()
        .orElse(tables.getFirst());
  }

  /** All tables, that of the largest group first. */
  public List<Found> tables() {
    return List.copyOf(tables);
  }

  /** The statements, and a query of each table: the first runs, the others are to be chosen. */
  public String script() {
    return Queries.after(statements.toString(), tables.stream().map(Found::name).toList());
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

  /** In one line, so that a name cannot write on the script. */
  static String comment(String text) {
    return Printable.text(text);
  }
}
