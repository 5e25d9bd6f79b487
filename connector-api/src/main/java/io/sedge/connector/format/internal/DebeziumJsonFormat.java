package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/**
 * The format {@code debezium-json}: each change of a result as an object of {@code before}, {@code
 * after} and {@code op}, as Flink writes it: {@code +I} and {@code +U} are {@code "op":"c"} with
 * the row as {@code after}, {@code -U} and {@code -D} are {@code "op":"d"} with the row as {@code
 * before}. It is written, not read.
 */
public final class DebeziumJsonFormat implements FormatFactory {
  private static final String TIMESTAMPS = "debezium-json.timestamp-format.standard";
  private static final String SCHEMA_INCLUDE = "debezium-json.schema-include";
  private static final String PLAIN_DECIMALS = "debezium-json.encode.decimal-as-plain-number";
  private static final String IGNORE_NULLS = "debezium-json.encode.ignore-null-fields";

  private static final byte[] AFTER = "\"after\":".getBytes(UTF_8);
  private static final byte[] BEFORE = "{\"before\":".getBytes(UTF_8);
  private static final byte[] CREATED = ",\"op\":\"c\"}".getBytes(UTF_8);
  private static final byte[] DELETED = "\"op\":\"d\"}".getBytes(UTF_8);

  private static final List<Option> OPTIONS =
      List.of(
          Option.choice(
              TIMESTAMPS,
              "SQL",
              List.of("SQL", "ISO-8601"),
              "How timestamps are written: 2026-01-31 12:00:00.5 or 2026-01-31T12:00:00.5;"
                  + " TIMESTAMP_LTZ with a Z at the end."),
          Option.withDefault(
              PLAIN_DECIMALS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether DECIMAL values are written without an exponent."),
          Option.withDefault(
              IGNORE_NULLS,
              Option.Kind.BOOLEAN,
              "false",
              "Whether what is NULL is left out of what is written, before and after among it."),
          Option.choice(
              SCHEMA_INCLUDE,
              "false",
              List.of("false"),
              "As in Flink, what is written has no schema."));

  @Override
  public String name() {
    return "debezium-json";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    throw new ConnectorException(
        ConnectorException.Kind.USER,
        "'format' = 'debezium-json' is written, not read: no source gives updates; to read its"
            + " lines declare 'format' = 'json' with the columns before ROW<…>, after ROW<…>,"
            + " op STRING");
  }

  @Override
  public boolean writesChanges() {
    return true;
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    boolean ignoreNulls = given.bool(IGNORE_NULLS);
    RowEncoder rows =
        new JsonEncoder(
            schema,
            columns,
            TimestampText.of(given.choice(TIMESTAMPS)),
            given.bool(PLAIN_DECIMALS),
            ignoreNulls);
    byte[] nothingBefore = (ignoreNulls ? "{" : "{\"before\":null,").getBytes(UTF_8);
    byte[] nothingAfter = (ignoreNulls ? "," : ",\"after\":null,").getBytes(UTF_8);
    return (batch, row, output) -> {
      switch (batch.change(row)) {
        case INSERT, UPDATE_AFTER -> {
          output.writeBytes(nothingBefore);
          output.writeBytes(AFTER);
          rows.encode(batch, row, output);
          output.writeBytes(CREATED);
        }
        case UPDATE_BEFORE, DELETE -> {
          output.writeBytes(BEFORE);
          rows.encode(batch, row, output);
          output.writeBytes(nothingAfter);
          output.writeBytes(DELETED);
        }
      }
    };
  }
}
