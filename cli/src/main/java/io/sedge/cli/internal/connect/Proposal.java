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

  private static final String DELAY = "INTERVAL '2' SECOND";

  private final List<Sample> samples;
  private final Map<String, String> connection;
  private final Set<String> names = new HashSet<>();
  private final List<String> tables = new ArrayList<>();
  private final StringBuilder script = new StringBuilder();

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
  private record Reading(List<String> columns, String names, int leftOut) {}

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
   * @param connection the options that say how the broker is reached, as the script has them
   */
  public static String ofTopics(List<Sample> samples, Map<String, String> connection) {
    Proposal proposal = new Proposal(usable(samples), connection);
    List<Group> groups = Group.of(proposal.samples, new Topics());
    groups.stream().limit(MOST_TABLES).forEach(proposal::addTopics);
    return proposal.end(groups);
  }

  /** Tables of the connector {@code opc-ua}. */
  public static String ofNodes(List<Sample> samples, Map<String, String> connection) {
    Proposal proposal = new Proposal(usable(samples), connection);
    List<Group> groups = Group.of(proposal.samples, new Nodes());
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
    Set<String> payload = shape.columns().stream().map(Column::name).collect(Collectors.toSet());
    Reading reading = reading(group, "/", "topic", payload, true);
    List<String> columns = new ArrayList<>(reading.columns());
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
    options.put("topic", literal(reading.names()));
    options.put("format", format);
    addTable(group, "topics", reading, columns, options);
  }

  /** The first column that may be one is the time of the reading; else it is when it came. */
  private static void addTime(PayloadShape shape, Set<String> taken, List<String> columns) {
    Optional<Column> time =
        shape.columns().stream().filter(column -> column.timePrecision() >= 0).findFirst();
    String name = free("event_time", taken);
    columns.add(
        time.isPresent()
            ? name
                + " AS TO_TIMESTAMP_LTZ("
                + quoted(time.get().name())
                + ", "
                + time.get().timePrecision()
                + ")"
            : name + " TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'");
    columns.add("WATERMARK FOR %1$s AS %1$s - %2$s".formatted(name, DELAY));
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
    Pattern pattern =
        Pattern.compile(
            Stream.of(group.pattern().split("\\{[^}]*}", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(part)));
    long fit = samples.stream().filter(each -> pattern.matcher(each.name()).matches()).count();
    return fit > group.members().size();
  }

  private static String free(String wanted, Set<String> taken) {
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
    options.put("nodes", literal(reading.names()));
    columns.add("`value` " + valueType(group.members().getFirst().payload()));
    columns.add("status STRING METADATA");
    columns.add("event_time TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp'");
    columns.add("WATERMARK FOR event_time AS event_time - " + DELAY);
    addTable(group, "nodes", reading, columns, options);
  }

  private void addTable(
      Group group,
      String what,
      Reading reading,
      List<String> columns,
      Map<String, String> options) {
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
    if (reading.leftOut() > 0) {
      script.append(
          "-- The first %,d are listed; %,d are not%n".formatted(MOST_LISTED, reading.leftOut()));
    }
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
    // The first query runs, the others are there to be chosen.
    String begin = "";
    for (String table : tables) {
      script.append(begin).append("SELECT * FROM ").append(table).append(";\n");
      begin = "-- ";
    }
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
