package io.sedge.format.avro;

import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import io.sedge.format.avro.internal.PlainDecoder;
import io.sedge.format.avro.internal.PlainEncoder;
import io.sedge.format.avro.internal.SchemaMapping;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The format {@code avro}: a record of Avro for each row, without its schema, as in Flink. */
public final class AvroFormat implements FormatFactory {
  private static final String ENCODING = "avro.encoding";
  private static final String SCHEMA = "avro.schema";
  private static final String LEGACY = "avro.timestamp_mapping.legacy";
  private static final String JSON = "json";

  private static final List<Option> OPTIONS =
      List.of(
          Option.choice(
              ENCODING,
              "binary",
              List.of("binary", JSON),
              "How a record is written: in Avro's binary form, or as JSON."),
          Option.withDefault(
              LEGACY,
              Option.Kind.BOOLEAN,
              "true",
              "Whether TIMESTAMP is timestamp-millis, as in Flink before 1.19, and TIMESTAMP_LTZ is"
                  + " refused; else TIMESTAMP is local-timestamp-millis or -micros and"
                  + " TIMESTAMP_LTZ timestamp-millis or -micros."),
          Option.optional(
              SCHEMA,
              Option.Kind.STRING,
              "The schema that records are written with, as JSON; else it is made of the columns."
                  + " Columns are found in it by name. Sedge's own."));

  @Override
  public String name() {
    return "avro";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return isJson(Options.of(name(), OPTIONS, options));
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    SchemaMapping mapping = mapping(schema, columns, given);
    return new PlainDecoder(mapping, mapping.writer(schemaOf(given)), isJson(given));
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    SchemaMapping mapping = mapping(schema, columns, given);
    return new PlainEncoder(mapping, mapping.written(schemaOf(given)), isJson(given));
  }

  private static SchemaMapping mapping(Schema schema, List<Integer> columns, Options given) {
    return new SchemaMapping(schema, columns, given.bool(LEGACY), LEGACY, SCHEMA);
  }

  private static Optional<String> schemaOf(Options given) {
    return given.find(SCHEMA);
  }

  private static boolean isJson(Options given) {
    return given.choice(ENCODING).equals(JSON);
  }
}
