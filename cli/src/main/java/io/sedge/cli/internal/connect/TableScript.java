package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.connect.PayloadShape.Column;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Columns;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.Findings.Payload;
import io.sedge.connector.Findings.Records;
import io.sedge.connector.Findings.Unread;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A script that reads what an explorer has found: a table for each topic or table that was looked
 * at, and a query of the first.
 */
public final class TableScript {
  private static final int LONGEST_NAME = 128;

  /** Objects may have names without end, such as ids of machines. */
  private static final int MOST_COLUMNS = 200;

  private static final String REGISTRY = "'avro-confluent.url' = 'http://REGISTRY:8081'";

  private final Findings findings;
  private final Map<String, String> connection;
  private final Set<String> names = new HashSet<>();
  private final List<String> tables = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final StringBuilder statements = new StringBuilder();

  private TableScript(Findings findings, Map<String, String> connection) {
    this.findings = findings;
    this.connection = connection;
  }

  /**
   * @param connection options that all tables have, with {@code connector}
   */
  public static TableScript of(Findings findings, Map<String, String> connection) {
    TableScript script = new TableScript(findings, connection);
    findings.found().forEach(script::add);
    return script;
  }

  /** Whether there is any table. */
  public boolean hasTables() {
    return !tables.isEmpty();
  }

  /** What each has that was found, for people, in the order of the findings. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** The statements, and a query of each table: the first runs, the others are to be chosen. */
  public String text() {
    return Queries.after(statements.toString(), tables);
  }

  private void add(Found found) {
    switch (found.content()) {
      case Unread(String why) -> lines.add(why.isEmpty() ? "not looked at" : why);
      case Columns columns -> addColumns(found, columns);
      case Records records ->
          RecordFormats.of(records.records())
              .ifPresentOrElse(
                  format -> addRecords(found, records, format), () -> addEmpty(records));
    }
  }

  private void addEmpty(Records records) {
    lines.add(
        records.empty() == 0
            ? "no record came, so no columns are known"
            : "%,d records have no value, so no columns are known".formatted(records.empty()));
  }

  /** Whether a script can have the name, in which a variable would be replaced. */
  private static boolean isUsable(String name) {
    return !name.isBlank()
        && name.length() <= LONGEST_NAME
        && !name.contains("${")
        && Printable.text(name).equals(name);
  }

  private void addColumns(Found found, Columns content) {
    if (!isUsable(found.name())) {
      lines.add("its name cannot be written in a script");
      return;
    }
    List<String> notes = new ArrayList<>(content.leftOut());
    List<String> columns = new ArrayList<>();
    for (Findings.Column column : content.columns()) {
      if (isUsable(column.name())) {
        columns.add(Proposal.quoted(column.name()) + " " + column.type());
      } else {
        notes.add("a column whose name cannot be written");
      }
    }
    if (columns.isEmpty()) {
      lines.add("no column that can be read");
      return;
    }
    lines.add(notes.isEmpty() ? "" : "left out: " + String.join("; ", notes));
    if (!content.key().isEmpty() && content.key().stream().allMatch(TableScript::isUsable)) {
      columns.add(
          content.key().stream()
              .map(Proposal::quoted)
              .collect(Collectors.joining(", ", "PRIMARY KEY (", ") NOT ENFORCED")));
    }
    addTable(
        found,
        notes.stream().map("left out: "::concat).toList(),
        columns,
        options(found, Map.of()));
  }

  private void addRecords(Found found, Records records, RecordFormat format) {
    String seen = format.text();
    lines.add(seen);
    switch (format) {
      case RecordFormat.Text(PayloadShape shape, int _) -> addText(found, records, shape);
      case RecordFormat.Csv csv -> addCsv(found, records, csv);
      case RecordFormat.Framed(RecordFormat.Framed.Inner inner, String _) -> {
        addNote(found, seen);
        addNote(
            found,
            switch (inner) {
              case AVRO ->
                  "declare the columns of that schema, with 'format' = 'avro-confluent', "
                      + REGISTRY;
              case PROTOBUF, JSON ->
                  "no format takes such a frame off; have it written without a registry, or as"
                      + " Avro";
            });
        statements.append('\n');
      }
      case RecordFormat.Binary _ -> {
        addNote(found, seen);
        addNote(
            found,
            "declare the columns, with 'format' = 'avro', 'protobuf', 'cbor' or 'msgpack',"
                + " whichever it is");
        statements.append('\n');
      }
    }
  }

  private void addNote(Found found, String text) {
    statements
        .append("-- ")
        .append(Proposal.comment(found.name()))
        .append(": ")
        .append(text)
        .append('\n');
  }

  private void addText(Found found, Records records, PayloadShape all) {
    PayloadShape shape = all.first(MOST_COLUMNS);
    List<String> notes = new ArrayList<>(tombstones(records));
    if (all.columns().size() > MOST_COLUMNS) {
      notes.add(
          "left out: %,d columns more; names that are values belong into a value"
              .formatted(all.columns().size() - MOST_COLUMNS));
    }
    Set<String> taken = shape.columns().stream().map(Column::name).collect(Collectors.toSet());
    List<String> columns = new ArrayList<>();
    Optional<String> key = key(records, taken);
    key.ifPresent(name -> columns.add(name + " STRING"));
    shape.columns().forEach(column -> columns.add(declared(column)));
    String format = "raw";
    switch (shape.kind()) {
      case JSON -> format = "json";
      case NUMBER -> {
        columns.add("payload STRING");
        columns.add("`value` AS TRY_CAST(payload AS DOUBLE)");
      }
      case TEXT -> columns.add("payload STRING");
    }
    Proposal.addTime(shape, records.time(), taken, columns);
    addTable(found, notes, columns, options(found, formats(format, key, shape.formatOptions())));
  }

  private void addCsv(Found found, Records records, RecordFormat.Csv csv) {
    Set<String> taken = csv.columns().stream().map(Column::name).collect(Collectors.toSet());
    List<String> columns = new ArrayList<>();
    Optional<String> key = key(records, taken);
    key.ifPresent(name -> columns.add(name + " STRING"));
    csv.columns().forEach(column -> columns.add(declared(column)));
    Proposal.addTime(
        new PayloadShape(PayloadShape.Kind.TEXT, csv.columns()), records.time(), taken, columns);
    Map<String, String> delimiter =
        csv.delimiter() == ','
            ? Map.of()
            : Map.of("csv.field-delimiter", String.valueOf(csv.delimiter()));
    addTable(found, tombstones(records), columns, options(found, formats("csv", key, delimiter)));
  }

  private static String declared(Column column) {
    return Proposal.quoted(column.name()) + " " + column.type();
  }

  private static List<String> tombstones(Records records) {
    return records.empty() == 0
        ? List.of()
        : List.of(
            "%,d records of those looked at have no value (tombstones): they are no rows"
                .formatted(records.empty()));
  }

  /** A column for the keys, where all are text that values do not repeat. */
  private static Optional<String> key(Records records, Set<String> taken) {
    boolean says =
        records.records().stream().allMatch(TableScript::hasTextKey)
            && !records.records().stream().allMatch(TableScript::repeatsKey);
    return says ? Optional.of(Proposal.free("record_key", taken)) : Optional.empty();
  }

  private static boolean hasTextKey(Payload record) {
    return record.key().flatMap(RecordFormats::text).isPresent();
  }

  private static boolean repeatsKey(Payload record) {
    String key = record.key().flatMap(RecordFormats::text).orElse("");
    return RecordFormats.text(record.value()).filter(value -> value.contains(key)).isPresent();
  }

  private static Map<String, String> formats(
      String format, Optional<String> key, Map<String, String> more) {
    Map<String, String> options = new LinkedHashMap<>();
    if (key.isEmpty()) {
      options.put("format", format);
      options.putAll(more);
      return options;
    }
    options.put("key.format", "raw");
    options.put("key.fields", key.get());
    options.put("value.format", format);
    options.put("value.fields-include", "EXCEPT_KEY");
    more.forEach((name, value) -> options.put("value." + name, value));
    return options;
  }

  /** What was given stands before what is proposed. */
  private Map<String, String> options(Found found, Map<String, String> format) {
    Map<String, String> options = new LinkedHashMap<>(connection);
    new TreeMap<>(found.options()).descendingMap().forEach(options::putIfAbsent);
    options.putAll(format);
    return options;
  }

  private void addTable(
      Found found, List<String> notes, List<String> columns, Map<String, String> options) {
    String name = name(found.name());
    tables.add(name);
    statements.append("-- ").append(Proposal.comment(found.name()));
    for (int i = 0; i < found.facts().size(); i++) {
      statements
          .append(", ")
          .append(findings.headings().get(i + 1))
          .append(": ")
          .append(Proposal.comment(found.facts().get(i)));
    }
    statements.append('\n');
    notes.forEach(note -> statements.append("-- ").append(Proposal.comment(note)).append('\n'));
    statements.append("CREATE TABLE ").append(name).append(" (\n  ");
    statements.append(String.join(",\n  ", columns)).append("\n) ");
    statements.append(TableOptions.text(options)).append(";\n\n");
  }

  private String name(String found) {
    String kind = findings.headings().getFirst();
    String words = found.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    String plain = words.replaceAll("^[_0-9]+|_+$", "");
    String begin = plain.isEmpty() ? "found" : plain;
    String name = begin + "_" + kind;
    for (int i = 2; !names.add(name); i++) {
      name = begin + i + "_" + kind;
    }
    return name;
  }
}
