package io.sedge.format.avro.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.AvroTypeException;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.jspecify.annotations.Nullable;

/**
 * What the columns of a table are in Avro.
 *
 * <p>A schema that is made of columns is the one that Flink makes: with Flink's names, a union with
 * null for what may be NULL. Avro resolves the schema of whoever wrote a record against that of
 * whoever reads it, but knows nothing of logical types then: a column would take microseconds for
 * milliseconds. So the reader's schema is fitted to the writer's: a time has the writer's unit, a
 * decimal the writer's scale, and a text may be an enum. Values are converted as they are read.
 * What Avro would promote although it means something else, such as a text to a decimal, is
 * refused.
 */
public final class SchemaMapping {
  /** The name of the record that Flink makes. */
  private static final String ROOT = "org.apache.flink.avro.generated.record";

  /** What Flink's TIMESTAMP(3) and TIME(3) have. */
  private static final int MILLIS = 3;

  private final io.sedge.engine.type.Schema table;
  private final List<Integer> columns;
  private final boolean legacyTimestamps;
  private final String legacyOption;
  private final String schemaOption;

  /**
   * @param legacyTimestamps whether TIMESTAMP is an instant of Avro
   * @param legacyOption the option that says so, for messages
   * @param schemaOption the option that has a schema, for messages
   */
  public SchemaMapping(
      io.sedge.engine.type.Schema table,
      List<Integer> columns,
      boolean legacyTimestamps,
      String legacyOption,
      String schemaOption) {
    this.table = table;
    this.columns = List.copyOf(columns);
    this.legacyTimestamps = legacyTimestamps;
    this.legacyOption = legacyOption;
    this.schemaOption = schemaOption;
  }

  io.sedge.engine.type.Schema table() {
    return table;
  }

  List<Integer> columns() {
    return columns;
  }

  /**
   * The schema that records to be read are written with, if it is one that is given.
   *
   * @param given as JSON; empty: it is made of the columns
   * @throws ConnectorException of kind USER if it is no schema of a record, or the columns cannot
   *     be read from such records
   */
  public Schema writer(Optional<String> given) {
    Schema made = made();
    if (given.isEmpty()) {
      return made;
    }
    Schema writer = parse(given.get());
    Schema reader;
    try {
      reader = reader(writer);
    } catch (AvroTypeException e) {
      throw user("the columns cannot be read from '%s': %s".formatted(schemaOption, firstLine(e)));
    }
    SchemaCompatibility.SchemaCompatibilityResult fit =
        SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getResult();
    if (fit.getCompatibility() != SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE) {
      SchemaCompatibility.Incompatibility first = fit.getIncompatibilities().getFirst();
      throw user(
          "the columns cannot be read from '%s': %s at %s"
              .formatted(schemaOption, first.getMessage(), first.getLocation()));
    }
    return writer;
  }

  /**
   * The schema that rows are written with.
   *
   * @throws ConnectorException of kind USER if they do not fit the schema given, or have none
   */
  public Schema written(Optional<String> given) {
    if (given.isEmpty()) {
      return made();
    }
    Schema schema = parse(given.get());
    for (int column : columns) {
      if (schema.getField(table.name(column)) == null) {
        throw user(
            "column `%s` is no field of '%s', which has %s"
                .formatted(
                    table.name(column),
                    schemaOption,
                    schema.getFields().stream()
                        .map(Schema.Field::name)
                        .collect(Collectors.joining(", "))));
      }
    }
    return schema;
  }

  private Schema parse(String json) {
    Schema schema;
    try {
      schema = new Schema.Parser().parse(json);
    } catch (AvroRuntimeException e) {
      throw user("'%s' is no schema of Avro: %s".formatted(schemaOption, firstLine(e)));
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw user("'%s' is no record, but %s".formatted(schemaOption, schema.getType().getName()));
    }
    return schema;
  }

  private Schema made() {
    return record(names(), types(), ROOT, null);
  }

  /**
   * The reader's schema for records of a writer.
   *
   * @throws AvroTypeException if what the writer has is something else than a column is, or could
   *     have elements without end
   */
  Schema reader(Schema writer) {
    EmptyElements.refuse(writer);
    Schema its = branch(writer, Schema.Type.RECORD);
    return record(names(), types(), ROOT, its);
  }

  private List<String> names() {
    return columns.stream().map(table::name).toList();
  }

  private List<Type> types() {
    return columns.stream().map(table::type).toList();
  }

  private Schema record(
      List<String> names, List<Type> types, String name, @Nullable Schema writer) {
    List<Schema.Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String field = names.get(i);
      Schema.Field its = writer == null ? null : writer.getField(field);
      Schema schema =
          schema(types.get(i), name + "_" + field, field, its == null ? null : its.schema());
      try {
        fields.add(
            types.get(i).nullable()
                ? new Schema.Field(field, schema, null, Schema.Field.NULL_DEFAULT_VALUE)
                : new Schema.Field(field, schema));
      } catch (AvroRuntimeException e) {
        throw user(
            "column `%s` cannot be a field of Avro, whose names are letters, digits and _"
                .formatted(field));
      }
    }
    String full = writer == null ? name : writer.getFullName();
    return Schema.createRecord(full, null, null, false, fields);
  }

  /**
   * What a value is in Avro.
   *
   * @param name of a record, if it is one
   * @param column that it is in, for messages
   * @param writer what the writer has there; null if that is nothing, or is not known
   */
  private Schema schema(Type type, String name, String column, @Nullable Schema writer) {
    Schema schema =
        switch (type.kind()) {
          case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
          case TINYINT, SMALLINT, INT -> Schema.create(Schema.Type.INT);
          case BIGINT -> Schema.create(Schema.Type.LONG);
          case FLOAT -> Schema.create(Schema.Type.FLOAT);
          case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
          case CHAR, VARCHAR -> text(writer);
          case DATE -> LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
          case TIME -> time(type, column, writer);
          case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(type, column, writer);
          case DECIMAL -> decimal(type, writer);
          case ARRAY -> {
            Schema its = branch(writer, Schema.Type.ARRAY);
            yield Schema.createArray(
                schema(
                    type.children().getFirst(),
                    name,
                    column,
                    its == null ? null : its.getElementType()));
          }
          case ROW ->
              record(type.names(), type.children(), name, branch(writer, Schema.Type.RECORD));
          case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL ->
              throw user("column `%s` has %s, which Avro has not".formatted(column, type));
        };
    if (writer != null) {
      checkMeaning(type, column, schema, writer);
    }
    return type.nullable() ? Schema.createUnion(Schema.create(Schema.Type.NULL), schema) : schema;
  }

  /** Avro promotes an int to a long, and a text to bytes and back, whatever they mean. */
  private static void checkMeaning(Type type, String column, Schema reader, Schema writer) {
    List<Schema> values =
        branches(writer).stream().filter(branch -> branch.getType() != Schema.Type.NULL).toList();
    List<Schema> others =
        values.stream().filter(value -> !means(type, reader.getType(), value)).toList();
    boolean promoted =
        others.stream()
            .anyMatch(
                other ->
                    SchemaCompatibility.checkReaderWriterCompatibility(reader, other).getType()
                        == SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE);
    if (promoted || (!values.isEmpty() && others.size() == values.size())) {
      throw new AvroTypeException(
          "column `%s` is %s, which is not read from %s"
              .formatted(
                  column,
                  type,
                  others.stream().map(SchemaMapping::named).collect(Collectors.joining(" or "))));
    }
  }

  /** Whether a value of the writer is what a column of the type is. */
  private static boolean means(Type type, Schema.Type reader, Schema value) {
    Schema.Type its = value.getType();
    LogicalType logical = value.getLogicalType();
    boolean plain = value.getProp(LogicalType.LOGICAL_TYPE_PROP) == null;
    return switch (type.kind()) {
      case CHAR, VARCHAR -> its == Schema.Type.STRING || its == Schema.Type.ENUM;
      case DATE -> its == Schema.Type.INT && (plain || logical instanceof LogicalTypes.Date);
      case TIME ->
          its == reader
              && (logical instanceof LogicalTypes.TimeMicros
                  || logical instanceof LogicalTypes.TimeMillis
                  || (plain && its == Schema.Type.INT));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          its == Schema.Type.LONG && (plain || TimeUnits.isTimestamp(value));
      case DECIMAL -> logical instanceof LogicalTypes.Decimal;
      default -> true; // Numbers are promoted by their value; else Avro compares the types.
    };
  }

  private static String named(Schema schema) {
    String logical = schema.getProp(LogicalType.LOGICAL_TYPE_PROP);
    String type = schema.getType().getName();
    return logical == null ? type : "%s (%s)".formatted(type, logical);
  }

  private static Schema text(@Nullable Schema writer) {
    Schema symbols = branch(writer, Schema.Type.ENUM);
    return symbols == null || branch(writer, Schema.Type.STRING) != null
        ? Schema.create(Schema.Type.STRING)
        : symbols;
  }

  private Schema time(Type type, String column, @Nullable Schema writer) {
    Schema its = branch(writer, Schema.Type.LONG);
    if (its != null && its.getLogicalType() instanceof LogicalTypes.TimeMicros) {
      return its;
    }
    if (type.precision() > MILLIS) {
      throw user("column `%s` is %s: use TIME(3)".formatted(column, type));
    }
    return LogicalTypes.timeMillis().addToSchema(Schema.create(Schema.Type.INT));
  }

  private Schema timestamp(Type type, String column, @Nullable Schema writer) {
    Schema its = branch(writer, Schema.Type.LONG);
    if (its != null && TimeUnits.isTimestamp(its)) {
      return its;
    }
    return made(type, column).addToSchema(Schema.create(Schema.Type.LONG));
  }

  private LogicalType made(Type type, String column) {
    boolean local = type.kind() == Kind.TIMESTAMP;
    boolean millis = type.precision() <= MILLIS;
    if (legacyTimestamps) {
      if (!local || !millis) {
        throw user("column `%s` is %s: set '%s' = 'false'".formatted(column, type, legacyOption));
      }
      return LogicalTypes.timestampMillis();
    }
    if (local) {
      return millis ? LogicalTypes.localTimestampMillis() : LogicalTypes.localTimestampMicros();
    }
    return millis ? LogicalTypes.timestampMillis() : LogicalTypes.timestampMicros();
  }

  private static Schema decimal(Type type, @Nullable Schema writer) {
    Schema its = branch(writer, Schema.Type.BYTES, Schema.Type.FIXED);
    return its != null && its.getLogicalType() instanceof LogicalTypes.Decimal
        ? its
        : LogicalTypes.decimal(type.precision(), type.scale())
            .addToSchema(Schema.create(Schema.Type.BYTES));
  }

  /** The schema, or the first of a union, that has one of the types; null if there is none. */
  private static @Nullable Schema branch(@Nullable Schema schema, Schema.Type... types) {
    if (schema == null) {
      return null;
    }
    return branches(schema).stream()
        .filter(branch -> Arrays.asList(types).contains(branch.getType()))
        .findFirst()
        .orElse(null);
  }

  private static List<Schema> branches(Schema schema) {
    return schema.getType() == Schema.Type.UNION ? schema.getTypes() : List.of(schema);
  }

  static ConnectorException user(String message) {
    return new ConnectorException(ConnectorException.Kind.USER, message);
  }

  static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("it is malformed");
  }
}
