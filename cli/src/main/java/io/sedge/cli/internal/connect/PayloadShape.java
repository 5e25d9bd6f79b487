package io.sedge.cli.internal.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a payload is.
 *
 * @param kind how it is written
 * @param columns of a JSON object, in its order; else empty
 */
record PayloadShape(Kind kind, List<Column> columns) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Of a JSON object deeper than this a part is one text. */
  private static final int DEEPEST = 3;

  private static final int LONGEST_NAME = 128;

  /** Of digits; what is longer is no number that anybody sends. */
  private static final int LONGEST_NUMBER = 64;

  /** Milliseconds and seconds since 1970, of the years 2001 to 2286. */
  private static final long LEAST_SECONDS = 1_000_000_000L;

  private static final long MOST_SECONDS = 9_999_999_999L;
  private static final long MILLIS = 1_000;

  private static final Pattern INSTANT =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");

  /** How payloads are written. */
  enum Kind {
    JSON,
    NUMBER,
    TEXT
  }

  /** Which time the values of a column may be. */
  enum Time {
    /** None. */
    NONE,
    /** No value has told what it is. */
    UNTOLD,
    /** Seconds since 1970. */
    SECONDS,
    /** Milliseconds since 1970. */
    MILLIS,
    /** A text of ISO-8601 with an offset. */
    TEXT;

    /** The time in SQL; empty if it is none. */
    Optional<String> expression(String column) {
      return switch (this) {
        case NONE, UNTOLD -> Optional.empty();
        case SECONDS -> Optional.of("TO_TIMESTAMP_LTZ(%s, 0)".formatted(column));
        case MILLIS -> Optional.of("TO_TIMESTAMP_LTZ(%s, 3)".formatted(column));
        case TEXT -> Optional.of(column);
      };
    }
  }

  /**
   * A column.
   *
   * @param type in SQL
   */
  record Column(String name, String type, Time time) {
    boolean isTime() {
      return time.expression(name).isPresent();
    }
  }

  PayloadShape {
    columns = List.copyOf(columns);
  }

  /** The shape of one payload. */
  static PayloadShape of(String payload) {
    String text = payload.strip();
    if (text.startsWith("{")) {
      Optional<List<Column>> columns = columns(text);
      if (columns.isPresent()) {
        return new PayloadShape(Kind.JSON, columns.get());
      }
    }
    return new PayloadShape(isNumber(text) ? Kind.NUMBER : Kind.TEXT, List.of());
  }

  static boolean isNumber(String text) {
    return text.length() <= LONGEST_NUMBER
        && text.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  }

  private static Optional<List<Column>> columns(String json) {
    try {
      List<Column> columns = new ArrayList<>();
      for (Map.Entry<String, JsonNode> field : named(MAPPER.readTree(json))) {
        columns.add(column(field.getKey(), field.getValue()));
      }
      return columns.isEmpty() ? Optional.empty() : Optional.of(columns);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** Those of an object's parts whose names can be columns: others come from nobody's hand. */
  private static List<Map.Entry<String, JsonNode>> named(JsonNode object) {
    return object.properties().stream()
        .filter(
            field -> {
              String name = field.getKey();
              return !name.isBlank()
                  && name.length() <= LONGEST_NAME
                  && Printable.text(name).equals(name);
            })
        .toList();
  }

  private static Column column(String name, JsonNode value) {
    if (value.isTextual() && INSTANT.matcher(value.textValue()).matches()) {
      return new Column(name, "TIMESTAMP_LTZ(3)", Time.TEXT);
    }
    Time time =
        value.isIntegralNumber() && value.canConvertToLong()
            ? time(value.longValue())
            : value.isNull() ? Time.UNTOLD : Time.NONE;
    return new Column(name, type(value, 0), time);
  }

  private static Time time(long number) {
    if (number >= LEAST_SECONDS * MILLIS && number <= MOST_SECONDS * MILLIS) {
      return Time.MILLIS;
    }
    return number >= LEAST_SECONDS && number <= MOST_SECONDS ? Time.SECONDS : Time.NONE;
  }

  private static String type(JsonNode value, int depth) {
    if (value.isBoolean()) {
      return "BOOLEAN";
    }
    if (value.isNumber()) {
      // Whoever sends 20 today may send 20.5 tomorrow; what is a time or a count stays whole.
      return value.isIntegralNumber() && Math.abs(value.asDouble()) >= LEAST_SECONDS
          ? "BIGINT"
          : "DOUBLE";
    }
    if (value.isArray() && !value.isEmpty() && depth < DEEPEST) {
      return "ARRAY<%s>".formatted(type(value.get(0), depth + 1));
    }
    if (value.isObject() && !value.isEmpty() && depth < DEEPEST) {
      List<String> fields = new ArrayList<>();
      for (Map.Entry<String, JsonNode> field : named(value)) {
        fields.add(Proposal.quoted(field.getKey()) + " " + type(field.getValue(), depth + 1));
      }
      if (!fields.isEmpty()) {
        return "ROW<%s>".formatted(String.join(", ", fields));
      }
    }
    return "STRING";
  }

  /**
   * What both have: a column whose type differs is a text, one that only one of them has is there.
   */
  PayloadShape with(PayloadShape other) {
    if (kind != other.kind) {
      return new PayloadShape(Kind.TEXT, List.of());
    }
    Map<String, Column> all = new LinkedHashMap<>();
    columns.forEach(column -> all.put(column.name(), column));
    other.columns.forEach(column -> all.merge(column.name(), column, PayloadShape::common));
    return new PayloadShape(kind, List.copyOf(all.values()));
  }

  /** A column that holds the values of both, which have one name. */
  static Column common(Column one, Column other) {
    if (one.time() == Time.UNTOLD || other.time() == Time.UNTOLD) {
      return one.time() == Time.UNTOLD ? other : one;
    }
    String type = one.type().equals(other.type()) ? one.type() : common(one.type(), other.type());
    return new Column(one.name(), type, one.time() == other.time() ? one.time() : Time.NONE);
  }

  /** A column for a cell of CSV. */
  static Column ofCell(String name, String cell) {
    if (!isNumber(cell)) {
      return new Column(name, "STRING", Time.NONE);
    }
    return cell.matches("\\d{10,13}")
        ? new Column(name, "BIGINT", time(Long.parseLong(cell)))
        : new Column(name, "DOUBLE", Time.NONE);
  }

  private static String common(String one, String other) {
    boolean numbers =
        List.of("BIGINT", "DOUBLE").contains(one) && List.of("BIGINT", "DOUBLE").contains(other);
    return numbers ? "DOUBLE" : "STRING";
  }

  /** The options of the format that its columns need. */
  Map<String, String> formatOptions() {
    return columns.stream().anyMatch(column -> column.time() == Time.TEXT)
        ? Map.of("json.timestamp-format.standard", "ISO-8601")
        : Map.of();
  }

  /** The same with its first columns alone. */
  PayloadShape first(int most) {
    return new PayloadShape(kind, columns.stream().limit(most).toList());
  }

  /** The names of a JSON object's parts, or the kind: what payloads of one table have in common. */
  String signature() {
    return kind == Kind.JSON
        ? columns.stream().map(Column::name).sorted().toList().toString()
        : kind.toString();
  }
}
