package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import java.util.Locale;
import java.util.Map;

/** How rows stand in a body. */
enum BodyForm {
  /** In a JSON array. */
  ARRAY,
  /** Each on a line, or as its format divides a file. */
  LINES,
  /** One and nothing else. */
  ROW;

  private static final Map<String, BodyForm> OF_FORMATS =
      Map.of("json", ARRAY, "csv", LINES, "influx-line", LINES);

  private static final Map<String, String> TYPES =
      Map.of(
          "json", "application/json",
          "debezium-json", "application/json",
          "csv", "text/csv; charset=utf-8",
          "raw", "application/octet-stream",
          "cbor", "application/cbor",
          "msgpack", "application/vnd.msgpack",
          "avro", "application/avro",
          "protobuf", "application/x-protobuf",
          "influx-line", "text/plain; charset=utf-8");

  /** What a table says, or what its format is used to. */
  static BodyForm of(TableDescriptor table, ConnectorContext context, Options options) {
    String format = table.options().getOrDefault(Formats.FORMAT, "");
    if (!options.has(HttpOptions.BODY)) {
      return OF_FORMATS.getOrDefault(format, ROW);
    }
    BodyForm form = valueOf(options.choice(HttpOptions.BODY).toUpperCase(Locale.ROOT));
    if (form == ARRAY && !format.equals("json")) {
      throw options.wrong(HttpOptions.BODY, "needs 'format' = 'json'");
    }
    if (form == LINES && !context.formats().isText(table, Formats.payloadColumns(table))) {
      throw options.wrong(
          HttpOptions.BODY,
          "needs a format of text: a row of this '%s' may have line ends".formatted(format));
    }
    return form;
  }

  /** The media type of a body. */
  String mediaType(TableDescriptor table) {
    String type =
        TYPES.getOrDefault(
            table.options().getOrDefault(Formats.FORMAT, ""), "application/octet-stream");
    return this == LINES && type.equals("application/json") ? "application/x-ndjson" : type;
  }
}
