package io.sedge.console.internal.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.console.internal.http.Json;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Rows as CSV (RFC 4180), times as ISO 8601 writes them. */
final class CsvRows {
  /** What spreadsheets take for the begin of a formula; a number may begin so, a text may not. */
  private static final String FORMULA = "=+-@\t\r";

  private CsvRows() {}

  static String text(TableInfo table, List<Tap.Row> rows) {
    StringBuilder csv = new StringBuilder();
    line(csv, table.schema().names().stream().map(CsvRows::cell).toList());
    for (Tap.Row row : rows) {
      JsonNode values = parse(row.json());
      List<String> cells = new ArrayList<>(values.size());
      for (int column = 0; column < values.size(); column++) {
        cells.add(cell(table.schema().type(column), values.get(column)));
      }
      line(csv, cells);
    }
    return csv.toString();
  }

  private static void line(StringBuilder csv, List<String> cells) {
    csv.append(String.join(",", cells)).append("\r\n");
  }

  private static JsonNode parse(String row) {
    try {
      return Json.EXACT.readTree(row);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a row that was made here", e);
    }
  }

  private static String cell(Type type, JsonNode value) {
    if (value.isNull()) {
      return "";
    }
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(value.longValue() / 86_400_000).toString();
      case TIMESTAMP -> LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC).toString();
      case TIMESTAMP_LTZ -> instant(value).toString();
      default -> type.kind().isNumeric() ? value.asText() : cell(text(type, value));
    };
  }

  private static String text(Type type, JsonNode value) {
    return type.kind() == Kind.ARRAY || type.kind() == Kind.ROW
        ? value.toString()
        : value.asText();
  }

  private static Instant instant(JsonNode millis) {
    BigDecimal micros = millis.decimalValue().movePointRight(3);
    return Instant.EPOCH.plus(micros.longValueExact(), ChronoUnit.MICROS);
  }

  private static String cell(String text) {
    String safe = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    return safe.matches("(?s).*[\",\r\n].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }
}
