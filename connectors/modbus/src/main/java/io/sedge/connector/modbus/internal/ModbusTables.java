package io.sedge.connector.modbus.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.Suggestions;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the declaration of a table and makes its source or sink. */
public final class ModbusTables {
  static final String UNIT = "unit";
  static final String ADDRESS = "address";
  static final String TIMESTAMP = "timestamp";

  public static final Map<String, Type> METADATA =
      Map.of(
          UNIT, Type.INT.notNull(),
          ADDRESS, Type.STRING.notNull(),
          TIMESTAMP, Type.timestampLtz(3).notNull());

  private ModbusTables() {}

  /**
   * The source of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    ModbusOptions options = new ModbusOptions(table);
    TableShape shape = shape(table, options);
    if (shape.fields().isEmpty()) {
      throw wrong(
          table, "no column has a register; write 'fields.COLUMN.register' = 'holding:0:uint16'");
    }
    for (String sinkOnly : List.of("sink.max-age")) {
      if (options.has(sinkOnly)) {
        throw options.wrong(sinkOnly, "is for a table that is written, and this one is read");
      }
    }
    List<Endpoint> endpoints = options.endpoints();
    List<Integer> units = options.units(endpoints);
    int maxRegisters = maxRegisters(options, shape);
    PollSettings settings =
        new PollSettings(
            endpoints,
            units,
            options.pollInterval(),
            ReadPlan.of(shape.fields(), options.maxGap(), maxRegisters),
            ReadPlan.of(shape.fields(), 0, maxRegisters),
            options.link());
    return new ModbusSource(
        table.name(), context, shape, settings, shardColumn(options, shape, endpoints));
  }

  /** How many registers a request may have; a field is never divided. */
  private static int maxRegisters(ModbusOptions options, TableShape shape) {
    int most = options.maxRegisters();
    for (Field field : shape.fields()) {
      if (!field.register().span().kind().isBits() && field.register().span().count() > most) {
        throw options.wrong(
            "max-registers",
            "is less than the %d registers of column `%s`, which are read at once"
                .formatted(field.register().span().count(), field.name()));
      }
    }
    return most;
  }

  private static int shardColumn(
      ModbusOptions options, TableShape shape, List<Endpoint> endpoints) {
    Optional<String> named = options.shardBy();
    if (named.isEmpty()) {
      return -1;
    }
    int column = shape.schema().indexOf(named.get());
    if (column < 0 || (column != shape.unit() && column != shape.address())) {
      throw options.wrong(
          "shard.by", "is no column that is METADATA FROM 'unit' or METADATA FROM 'address'");
    }
    if (!shape.schema().type(column).kind().isString()) {
      throw options.wrong(
          "shard.by",
          "is %s; declare it as `%s` STRING METADATA FROM '%s'"
              .formatted(
                  shape.schema().type(column),
                  named.get(),
                  column == shape.unit() ? UNIT : ADDRESS));
    }
    for (Endpoint endpoint : endpoints) {
      if (column == shape.unit() && endpoint instanceof Endpoint.Serial) {
        throw options.wrong(
            "shard.by",
            "makes each unit a shard that opens %s itself, but only one can; use a column METADATA"
                    .formatted(endpoint.name())
                + " FROM 'address'");
      }
    }
    return column;
  }

  /**
   * The sink of a table.
   *
   * @throws ConnectorException of kind USER if its options or columns do not fit
   */
  public static SinkFactory sink(TableDescriptor table, ConnectorContext context) {
    ModbusOptions options = new ModbusOptions(table);
    TableShape shape = shape(table, options);
    List<Endpoint> endpoints = options.endpoints();
    List<Integer> units = options.units(endpoints);
    if (endpoints.size() != 1) {
      throw options.wrong("url", "has several addresses; a sink writes to one");
    }
    if (shape.address() >= 0) {
      throw wrong(
          table,
          "column `%s` is METADATA FROM 'address', which cannot be written: 'url' says it"
              .formatted(table.schema().name(shape.address())));
    }
    if (!table.primaryKey().isEmpty()) {
      throw wrong(table, "each row is a command, which has no key; leave out the PRIMARY KEY");
    }
    if (shape.unit() < 0 && units.size() > 1) {
      throw options.wrong(
          "units",
          "are several; add a column `unit` INT METADATA that says which one a row is for");
    }
    if (options.has("shard.by")) {
      throw options.wrong("shard.by", "is for a table that is read, and this one is written");
    }
    if (options.maxAge().isPresent() && shape.time() < 0) {
      throw options.wrong(
          "sink.max-age",
          "needs a column TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' that says when a command was"
              + " given");
    }
    checkWritable(table, shape);
    return new ModbusSinkFactory(
        table.name(),
        context,
        new RegisterCommands(shape, Set.copyOf(units), options.maxAge().isPresent()),
        new ModbusSinkFactory.Settings(
            endpoints.getFirst(),
            options.link(),
            options.readBack(),
            options.maxRetries(),
            options.maxAge()));
  }

  private static void checkWritable(TableDescriptor table, TableShape shape) {
    if (shape.fields().isEmpty()) {
      throw wrong(
          table, "no column has a register; write 'fields.COLUMN.register' = 'holding:0:uint16'");
    }
    Set<List<Object>> taken = new HashSet<>();
    for (Field field : shape.fields()) {
      Span span = field.register().span();
      if (!span.kind().isWritable()) {
        throw wrong(
            table,
            "column `%s` is %s, which cannot be written; coil and holding can"
                .formatted(field.name(), span));
      }
      if (field.register().isBitOfRegister()) {
        throw wrong(
            table,
            "column `%s` is a bit of %s, which cannot be written alone; write the register"
                .formatted(field.name(), span));
      }
      if (!span.kind().isBits() && span.count() > RegisterCommands.MAX_REGISTERS) {
        throw wrong(
            table,
            "column `%s` is %s, %d registers, but a request writes at most %d"
                .formatted(field.name(), span, span.count(), RegisterCommands.MAX_REGISTERS));
      }
      for (int address = span.address(); address < span.end(); address++) {
        if (!taken.add(List.of(span.kind(), address))) {
          throw wrong(
              table,
              "column `%s` and another one both write %s %d"
                  .formatted(field.name(), span.kind(), address));
        }
      }
    }
  }

  private static TableShape shape(TableDescriptor table, ModbusOptions options) {
    Schema schema = table.schema();
    checkNames(table);
    List<Field> fields = new ArrayList<>();
    int[] positions = {-1, -1, -1};
    for (int column = 0; column < schema.size(); column++) {
      String key = table.metadata().get(column);
      if (key == null) {
        fields.add(field(table, options, column));
      } else {
        positions[checkMetadata(table, column, key)] = column;
      }
    }
    return new TableShape(schema, fields, positions[0], positions[1], positions[2]);
  }

  /** Every option of a field names a column that is one. */
  private static void checkNames(TableDescriptor table) {
    List<String> columns = new ArrayList<>();
    for (int column = 0; column < table.schema().size(); column++) {
      if (!table.metadata().containsKey(column)) {
        columns.add(table.schema().name(column));
      }
    }
    for (String key : table.options().keySet().stream().sorted().toList()) {
      if (key.startsWith("fields.")) {
        String name = key.substring("fields.".length(), key.lastIndexOf('.'));
        if (!columns.contains(name)) {
          throw wrong(
              table,
              "option '%s' is for a column `%s`, which is none that may have a register%s"
                  .formatted(
                      key,
                      name,
                      Suggestions.closest(name, columns)
                          .map("; did you mean `%s`?"::formatted)
                          .orElse("")));
        }
      }
    }
  }

  private static Field field(TableDescriptor table, ModbusOptions options, int column) {
    String name = table.schema().name(column);
    Type type = table.schema().type(column);
    Register register =
        options
            .register(name)
            .orElseThrow(
                () ->
                    wrong(
                        table,
                        ("column `%s` has no register; write 'fields.%s.register' ="
                                + " 'holding:0:uint16', or declare it METADATA FROM 'unit',"
                                + " 'address' or 'timestamp'")
                            .formatted(name, name)));
    Scaling scaling = options.scaling(name);
    ColumnTypes.problem(type, register, scaling)
        .ifPresent(
            problem -> {
              throw wrong(table, "column `%s` is %s, but %s".formatted(name, type, problem));
            });
    return new Field(name, column, type, register, scaling);
  }

  /** Which of unit, address and time it is. */
  private static int checkMetadata(TableDescriptor table, int column, String key) {
    Kind kind = table.schema().type(column).kind();
    return switch (key) {
      case UNIT -> {
        if (kind != Kind.INT && kind != Kind.VARCHAR) {
          throw metadataType(table, column, key, "INT or STRING");
        }
        yield 0;
      }
      case ADDRESS -> {
        if (kind != Kind.VARCHAR) {
          throw metadataType(table, column, key, "STRING");
        }
        yield 1;
      }
      default -> {
        if (kind != Kind.TIMESTAMP_LTZ) {
          throw metadataType(table, column, key, "TIMESTAMP_LTZ(3)");
        }
        yield 2;
      }
    };
  }

  private static ConnectorException metadataType(
      TableDescriptor table, int column, String key, String wanted) {
    return wrong(
        table,
        "column `%s` is %s, but METADATA FROM '%s' is %s"
            .formatted(table.schema().name(column), table.schema().type(column), key, wanted));
  }

  private static ConnectorException wrong(TableDescriptor table, String why) {
    return new ConnectorException(
        ConnectorException.Kind.USER, "table %s: %s".formatted(table.name(), why));
  }
}
