package io.sedge.connector.format.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The format {@code influx-line}: the line protocol of InfluxDB, which VictoriaMetrics, QuestDB and
 * Telegraf take too. A column is a tag, the time, or else a field. It is written, not read.
 */
public final class LineProtocolFormat implements FormatFactory {
  private static final String MEASUREMENT = "influx-line.measurement";
  private static final String TAGS = "influx-line.tags";
  private static final String TIME = "influx-line.timestamp";
  private static final String PRECISION = "influx-line.precision";

  /** InfluxDB's own name of the time of a point. */
  private static final String RESERVED = "time";

  private static final List<Option> OPTIONS =
      List.of(
          Option.required(
              MEASUREMENT,
              Option.Kind.STRING,
              "The measurement (InfluxDB 3: table) of all rows, or {column} for one of each row."),
          Option.optional(
              TAGS,
              Option.Kind.STRING,
              "The columns that are tags, separated by ';': those that name a series."),
          Option.optional(
              TIME,
              Option.Kind.STRING,
              "The TIMESTAMP column that is the time of the point. Without it the server takes its"
                  + " own clock, and a row that comes again is another point."),
          Option.choice(
              PRECISION,
              "ns",
              List.of("ns", "us", "ms", "s"),
              "The unit of the time; the server must be told the same (InfluxDB:"
                  + " ?precision=ns)."));

  @Override
  public String name() {
    return "influx-line";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    throw new ConnectorException(
        ConnectorException.Kind.USER, "'format' = 'influx-line' is written, not read");
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    List<Integer> fields = new ArrayList<>(columns);
    Optional<Integer> measured = measurementColumn(schema, columns, given);
    measured.ifPresent(column -> fields.removeAll(List.of(column)));
    Optional<Integer> time =
        given.find(TIME).map(column -> column(schema, columns, given, TIME, column));
    if (time.filter(column -> !schema.type(column).kind().isTimestamp()).isPresent()) {
      throw given.wrong(TIME, "is no TIMESTAMP or TIMESTAMP_LTZ column");
    }
    time.ifPresent(column -> fields.removeAll(List.of(column)));
    List<Integer> tags = new ArrayList<>();
    for (String tag : given.find(TAGS).map(list -> list.split(";", -1)).orElse(new String[0])) {
      Integer column = column(schema, columns, given, TAGS, tag.strip());
      if (!fields.removeAll(List.of(column))) {
        throw given.wrong(TAGS, "has '%s', which is something else already".formatted(tag.strip()));
      }
      tags.add(column);
    }
    if (fields.isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "no column is left for a field; a point needs one beside tags and time");
    }
    for (int column : columns) {
      checkType(schema.name(column), schema.type(column));
    }
    checkNames(schema, tags);
    checkNames(schema, fields);
    return new LineProtocolEncoder(
        schema, given.string(MEASUREMENT), measured, tags, fields, time, given.choice(PRECISION));
  }

  private static Optional<Integer> measurementColumn(
      Schema schema, List<Integer> columns, Options given) {
    String measurement = given.string(MEASUREMENT);
    if (measurement.isBlank() || measurement.startsWith("#")) {
      throw given.wrong(MEASUREMENT, "is empty, or begins with #, which is a comment");
    }
    return measurement.startsWith("{") && measurement.endsWith("}")
        ? Optional.of(
            column(
                schema,
                columns,
                given,
                MEASUREMENT,
                measurement.substring(1, measurement.length() - 1)))
        : Optional.empty();
  }

  private static Integer column(
      Schema schema, List<Integer> columns, Options given, String option, String name) {
    int column = schema.indexOf(name);
    if (!columns.contains(column)) {
      throw given.wrong(
          option,
          "names '%s', but the columns are %s"
              .formatted(name, String.join(", ", columns.stream().map(schema::name).toList())));
    }
    return column;
  }

  /** Of tags and fields: InfluxDB drops or refuses a point that has the reserved one. */
  private static void checkNames(Schema schema, List<Integer> columns) {
    if (columns.stream().map(schema::name).anyMatch(RESERVED::equals)) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "column `%s` is a tag or a field, but InfluxDB keeps that name for the time of a point: name it in '%s' if it is that, or else name the column otherwise"
              .formatted(RESERVED, TIME));
    }
  }

  private static void checkType(String name, Type type) {
    if (!type.children().isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "column `%s` is %s: 'influx-line' takes no ARRAY or ROW".formatted(name, type));
    }
  }
}
