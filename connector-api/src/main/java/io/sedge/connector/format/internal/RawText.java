package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.time.LocalDate;
import java.time.LocalTime;

/** One value as text: {@code 21.5}, {@code true}, {@code 2026-01-31 12:00:00}. */
final class RawText {
  private RawText() {}

  static RowDecoder decoder(Type type, int column, Charset charset) {
    ValueParser parser = new ValueParser(type, TimestampText.SQL, false);
    return (payload, offset, length, builder) -> {
      if (charset.equals(UTF_8)) {
        parser.add(payload, offset, offset + length, builder.column(column));
      } else {
        String text = new String(payload, offset, length, charset);
        builder.column(column).add(parser.parse(text));
      }
    };
  }

  /** A text with a character that the character set lacks makes a row that cannot be written. */
  static RowEncoder encoder(Schema schema, int column, Charset charset) {
    Type type = schema.type(column);
    CharsetEncoder encoder = charset.newEncoder(); // One that reports and does not replace.
    return (batch, row, output) -> {
      Object value = batch.column(column).value(row);
      if (value == null) {
        return;
      }
      try {
        ByteBuffer bytes = encoder.encode(CharBuffer.wrap(text(type, value)));
        output.write(bytes.array(), bytes.arrayOffset(), bytes.remaining());
      } catch (CharacterCodingException e) {
        throw new MalformedRowException(
            "column `%s` has a character that %s ('raw.charset') lacks"
                .formatted(schema.name(column), charset));
      }
    };
  }

  private static String text(Type type, Object value) {
    Kind kind = type.kind();
    return switch (kind) {
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME -> TimestampText.TIME.format(LocalTime.ofNanoOfDay((Integer) value * 1_000_000L));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          TimestampText.SQL.format((Long) value, kind == Kind.TIMESTAMP_LTZ);
      default -> value.toString();
    };
  }
}
