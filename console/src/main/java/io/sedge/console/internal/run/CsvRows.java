package io.sedge.console.internal.run;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sedge.console.internal.http.Json;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.StringWriter;
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

  private static final long MILLIS_PER_DAY = 86_400_000;

  private CsvRows() {}

  static String text(TableInfo table, List<Tap.Row> rows) {
    StringBuilder csv = new StringBuilder();
    line(csv, table.schema().names().stream().map(CsvRows::cell).toList());
    for (Tap.Row row : rows) {
      line(csv, cells(table, row.json()));
    }
    return csv.toString();
  }

  private static void line(StringBuilder csv, List<String> cells) {
    csv.append(String.join(",", cells)).append("\r\n");
  }

  private static List<String> cells(TableInfo table, String row) {
    List<String> cells = new ArrayList<>();
    try (JsonParser json = Json.FACTORY.createParser(row)) {
      JsonToken array = json.nextToken();
      for (Type type : array == null ? List.<Type>of() : table.schema().types()) {
        cells.add(json.nextToken() == JsonToken.VALUE_NULL ? "" : cell(type, json));
      }
    } catch (IOException e) {
      throw new IllegalStateException("a row that was made here", e);
    }
    return cells;
  }

  private static String cell(Type type, JsonParser json) throws IOException {
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(json.getLongValue() / MILLIS_PER_DAY).toString();
      case TIMESTAMP -> LocalDateTime.ofInstant(instant(json), ZoneOffset.UTC).toString();
      case TIMESTAMP_LTZ -> instant(json).toString();
      case ARRAY, ROW -> cell(nested(json));
      default -> type.kind().isNumeric() ? json.getText() : cell(json.getText());
    };
  }

  private static String nested(JsonParser json) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator copy = Json.FACTORY.createGenerator(text)) {
      copy.copyCurrentStructure(json);
    }
    return text.toString();
  }

  private static Instant instant(JsonParser json) throws IOException {
    BigDecimal micros = json.getDecimalValue().movePointRight(3);
    return Instant.EPOCH.plus(micros.longValueExact(), ChronoUnit.MICROS);
  }

  private static String cell(String text) {
    String safe = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    return safe.matches("(?s).*[\",\r\n].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }
}
