package io.sedge.connector.format.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/** The format {@code json}: one object per payload or line, with Flink's options. */
public final class JsonFormat implements FormatFactory {
  private static final String FAIL_ON_MISSING = "json.fail-on-missing-field";
  private static final String IGNORE_ERRORS = "json.ignore-parse-errors";
  private static final String TIMESTAMPS = "json.timestamp-format.standard";
  private static final String PLAIN_DECIMALS = "json.encode.decimal-as-plain-number";
  private static final String IGNORE_NULLS = "json.encode.ignore-null-fields";

  private static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              FAIL_ON_MISSING,
              Option.Kind.BOOLEAN,
              "false",
              "Whether a payload without one of the columns is malformed; else the column is"
                  + " NULL."),
          Option.withDefault(
              IGNORE_ERRORS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether a value that does not fit its column becomes NULL; else its payload is"
                  + " malformed."),
          Option.choice(
              TIMESTAMPS,
              "SQL",
              List.of("SQL", "ISO-8601"),
              "How timestamps are written: 2026-01-31 12:00:00.5 or 2026-01-31T12:00:00.5;"
                  + " TIMESTAMP_LTZ with a Z at the end; in ISO-8601 it is read with another offset"
                  + " too, such as +01:00."),
          Option.withDefault(
              PLAIN_DECIMALS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether DECIMAL values are written without an exponent."),
          Option.withDefault(
              IGNORE_NULLS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether columns that are NULL are left out of what is written."),
          Option.withDefault(
              "json.decode.json-parser.enabled",
              Option.Kind.BOOLEAN,
              "true",
              "Chooses between two of Flink's parsers; has no effect here."),
          Option.choice(
              "json.map-null-key.mode",
              "FAIL",
              List.of("FAIL", "DROP", "LITERAL"),
              "For Flink's MAP columns, which there are none of; has no effect here."),
          Option.withDefault(
              "json.map-null-key.literal",
              Option.Kind.STRING,
              "null",
              "For Flink's MAP columns, which there are none of; has no effect here."));

  @Override
  public String name() {
    return "json";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    boolean failOnMissing = given.bool(FAIL_ON_MISSING);
    boolean ignoreErrors = given.bool(IGNORE_ERRORS);
    if (failOnMissing && ignoreErrors) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "'%s' and '%s' are both true; only one can be".formatted(FAIL_ON_MISSING, IGNORE_ERRORS));
    }
    TimestampText timestamps = TimestampText.of(given.choice(TIMESTAMPS));
    List<JsonField> fields =
        columns.stream()
            .map(column -> new JsonField(schema.name(column), schema.type(column), timestamps))
            .toList();
    return new JsonDecoder(fields, columns, failOnMissing, ignoreErrors);
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    return new JsonEncoder(
        schema,
        columns,
        TimestampText.of(given.choice(TIMESTAMPS)),
        given.bool(PLAIN_DECIMALS),
        given.bool(IGNORE_NULLS));
  }
}
