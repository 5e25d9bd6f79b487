package io.sedge.connector.host;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Suggestions;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a table of readings, found by their names. */
final class HostColumns {
  static final String QUANTITY = "quantity";
  static final String KIND = "kind";
  static final String DEVICE = "device";
  static final String UNIT = "unit";
  static final String READING = "reading";
  static final String TIME = "ts";
  static final String HOST = "host";
  static final String RATE = "sampling_rate_hz";
  static final String REASON = "reason";

  /** What a table that is read may have. */
  static final Map<String, Type> READ =
      ordered(
          List.of(QUANTITY, KIND, DEVICE, UNIT, READING, TIME, HOST),
          List.of(
              Type.STRING,
              Type.STRING,
              Type.STRING,
              Type.STRING,
              Type.DOUBLE,
              Type.timestampLtz(3),
              Type.STRING));

  /** What a table that is written may have. */
  static final Map<String, Type> WRITTEN =
      ordered(List.of(QUANTITY, RATE, REASON), List.of(Type.STRING, Type.DOUBLE, Type.STRING));

  /** One of the columns above, as a table orders them. */
  private enum Content {
    QUANTITY,
    KIND,
    DEVICE,
    UNIT,
    READING,
    TS,
    HOST
  }

  private final List<Content> contents;
  private final long timeUnit;
  private final String host;

  HostColumns(Schema schema, String host) {
    this.host = host;
    this.contents =
        schema.names().stream()
            .map(name -> Content.valueOf(name.toUpperCase(Locale.ROOT)))
            .toList();
    int time = schema.indexOf(TIME);
    this.timeUnit = time < 0 ? 1 : Math.round(Math.pow(10, 6 - schema.type(time).precision()));
  }

  void add(BatchBuilder builder, Quantity quantity, long micros, double value) {
    for (int i = 0; i < contents.size(); i++) {
      ColumnBuilder column = builder.column(i);
      switch (contents.get(i)) {
        case QUANTITY -> column.addString(quantity.name());
        case KIND -> column.addString(quantity.kind());
        case DEVICE -> addNullable(column, quantity.device());
        case UNIT -> column.addString(quantity.unit());
        case READING -> column.addDouble(value);
        case TS -> column.addLong(micros - Math.floorMod(micros, timeUnit));
        case HOST -> column.addString(host);
      }
    }
    builder.endRow();
  }

  private static void addNullable(ColumnBuilder column, @Nullable String value) {
    if (value == null) {
      column.addNull();
    } else {
      column.addString(value);
    }
  }

  /**
   * Checks a table against what there is.
   *
   * @param use what the table is to be, for the message
   * @throws ConnectorException of kind USER that names all that is wrong
   */
  static void check(TableDescriptor table, Map<String, Type> known, String use) {
    List<String> problems = new ArrayList<>();
    for (Schema.Field field : table.schema().fields()) {
      Type type = known.get(field.name());
      if (type == null) {
        problems.add(
            "column `%s` is unknown; %s"
                .formatted(
                    field.name(),
                    Suggestions.closest(field.name(), known.keySet())
                        .map("did you mean `%s`?"::formatted)
                        .orElse("known are " + show(known))));
      } else if (!isLike(type, field.type())) {
        problems.add(
            "column `%s` is %s and has to be %s".formatted(field.name(), field.type(), type));
      } else if (!field.type().nullable() && field.name().equals(DEVICE)) {
        problems.add("column `device` cannot be NOT NULL: `memory.used` has none");
      }
    }
    if (!problems.isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s, %s: %s".formatted(table.name(), use, String.join("; ", problems)));
    }
  }

  /** Whether a type is the one wanted, in any precision of the time and whether nullable or not. */
  private static boolean isLike(Type wanted, Type given) {
    return wanted.kind() == Kind.TIMESTAMP_LTZ
        ? given.kind() == Kind.TIMESTAMP_LTZ
        : given.withNullable(true).equals(wanted);
  }

  private static String show(Map<String, Type> known) {
    List<String> shown = new ArrayList<>();
    known.forEach((name, type) -> shown.add(name + " " + type));
    return String.join(", ", shown);
  }

  private static Map<String, Type> ordered(List<String> names, List<Type> types) {
    Map<String, Type> map = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      map.put(names.get(i), types.get(i));
    }
    return Collections.unmodifiableMap(map);
  }
}
