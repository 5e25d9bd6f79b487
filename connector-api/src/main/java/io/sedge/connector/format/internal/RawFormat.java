package io.sedge.connector.format.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;

/**
 * The format {@code raw}: a payload is one value of one column. As in Flink numbers are binary;
 * {@code 'raw.encoding' = 'text'}, which is Sedge's own, is for the many devices that publish a
 * number as text.
 */
public final class RawFormat implements FormatFactory {
  private static final String CHARSET = "raw.charset";
  private static final String ENDIANNESS = "raw.endianness";
  private static final String ENCODING = "raw.encoding";

  private static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              CHARSET,
              Option.Kind.STRING,
              "UTF-8",
              "The character set of text. A row with a character that it lacks is not written, and"
                  + " said."),
          Option.choice(
              ENDIANNESS,
              "big-endian",
              List.of("big-endian", "little-endian"),
              "The order of the bytes of binary numbers."),
          Option.choice(
              ENCODING,
              "binary",
              List.of("binary", "text"),
              "Whether a number or boolean is binary (INT takes 4 bytes, DOUBLE 8) or text such as"
                  + " 21.5. Sedge's own; Flink has binary only."));

  @Override
  public String name() {
    return "raw";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return isText(schema.type(only(schema, columns)), Options.of(name(), OPTIONS, options));
  }

  private static boolean isText(Type type, Options options) {
    return type.kind().isString() || options.choice(ENCODING).equals("text");
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    int column = only(schema, columns);
    Type type = schema.type(column);
    Charset charset = charset(given);
    if (isText(type, given)) {
      return RawText.decoder(type, column, charset);
    }
    checkBinary(schema, column);
    return new RawBinary(type, column, order(given))::decode;
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    Options given = Options.of(name(), OPTIONS, options);
    int column = only(schema, columns);
    Type type = schema.type(column);
    Charset charset = charset(given);
    if (!charset.canEncode()) {
      throw given.wrong(CHARSET, "can only be read");
    }
    if (isText(type, given)) {
      return RawText.encoder(schema, column, charset);
    }
    checkBinary(schema, column);
    return new RawBinary(type, column, order(given))::encode;
  }

  private static ByteOrder order(Options options) {
    return options.choice(ENDIANNESS).equals("big-endian")
        ? ByteOrder.BIG_ENDIAN
        : ByteOrder.LITTLE_ENDIAN;
  }

  private static Charset charset(Options options) {
    try {
      return Charset.forName(options.string(CHARSET));
    } catch (IllegalArgumentException e) {
      throw options.wrong(CHARSET, "is not a character set");
    }
  }

  private static int only(Schema schema, List<Integer> columns) {
    if (columns.size() != 1) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "'format' = 'raw' fills one column, but the payload would fill %d: %s"
              .formatted(
                  columns.size(), String.join(", ", columns.stream().map(schema::name).toList())));
    }
    Type type = schema.type(columns.getFirst());
    if (!type.children().isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "column `%s` is %s: 'format' = 'raw' takes no ARRAY or ROW"
              .formatted(schema.name(columns.getFirst()), type));
    }
    return columns.getFirst();
  }

  private static void checkBinary(Schema schema, int column) {
    if (!RawBinary.takes(schema.type(column).kind())) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "column `%s` is %s: binary 'raw' takes BOOLEAN, numbers but DECIMAL, and strings; for"
                  .formatted(schema.name(column), schema.type(column))
              + " others set 'raw.encoding' = 'text'");
    }
  }
}
