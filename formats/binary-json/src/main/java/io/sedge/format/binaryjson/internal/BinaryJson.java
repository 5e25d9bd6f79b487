package io.sedge.format.binaryjson.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sedge.connector.Option;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A format that holds what JSON holds. A payload is turned into JSON, and that is decoded by the
 * format {@code json}, so that a value fits a column in one way in all of them; and the other way
 * round. Bytes are text in Base64. The row costs two passes.
 */
public abstract class BinaryJson implements FormatFactory {
  static final String MORE = "there is more after the first value";

  private static final String JSON = "json";
  private static final String ISO = "ISO-8601";
  private static final String IGNORE_ERRORS = ".ignore-parse-errors";
  private static final String TIMESTAMPS = ".timestamp-format.standard";
  private static final String IGNORE_NULLS = ".encode.ignore-null-fields";

  private final String name;
  private final Supplier<Dialect> dialects;

  /**
   * @param dialects makes one for each decoder and encoder
   */
  protected BinaryJson(String name, Supplier<Dialect> dialects) {
    this.name = name;
    this.dialects = dialects;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Those of {@code json} that have a meaning here. */
  @Override
  public final List<Option> options() {
    return List.of(
        Option.withDefault(
            name + IGNORE_ERRORS,
            Option.Kind.BOOLEAN,
            "false",
            "Whether a value that does not fit its column becomes NULL; else its payload is"
                + " malformed."),
        Option.choice(
            name + TIMESTAMPS,
            ISO,
            List.of("SQL", ISO),
            "How timestamps that are text are written: 2026-01-31 12:00:00.5 or"
                + " 2026-01-31T12:00:00.5; TIMESTAMP_LTZ with a Z at the end."),
        Option.withDefault(
            name + IGNORE_NULLS,
            Option.Kind.BOOLEAN,
            "false",
            "Whether columns that are NULL are left out of what is written."));
  }

  @Override
  public final boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return false;
  }

  @Override
  public final RowDecoder decoder(
      Schema schema, List<Integer> columns, Map<String, String> options) {
    return new Decoder(
        dialects.get(), json().decoder(schema, columns, jsonOptions(options)), separator(options));
  }

  @Override
  public final RowEncoder encoder(
      Schema schema, List<Integer> columns, Map<String, String> options) {
    return new Encoder(dialects.get(), json().encoder(schema, columns, jsonOptions(options)));
  }

  private static FormatFactory json() {
    FormatFactory json = Formats.installed(BinaryJson.class.getClassLoader()).byName().get(JSON);
    if (json == null) {
      throw new IllegalStateException("the format json is not in the class path");
    }
    return json;
  }

  private Map<String, String> jsonOptions(Map<String, String> options) {
    Map<String, String> json = new HashMap<>();
    json.put(JSON + TIMESTAMPS, ISO);
    for (String key : List.of(IGNORE_ERRORS, TIMESTAMPS, IGNORE_NULLS)) {
      String value = options.get(name + key);
      if (value != null) {
        json.put(JSON + key, value);
      }
    }
    return json;
  }

  /** What stands between the day and the time. */
  private char separator(Map<String, String> options) {
    return ISO.equalsIgnoreCase(options.getOrDefault(name + TIMESTAMPS, ISO)) ? 'T' : ' ';
  }

  private static final class Decoder implements RowDecoder {
    private final Dialect dialect;
    private final RowDecoder json;
    private final char separator;
    private final JsonFactory factory = new JsonFactory();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    Decoder(Dialect dialect, RowDecoder json, char separator) {
      this.dialect = dialect;
      this.json = json;
      this.separator = separator;
    }

    @Override
    public void decode(byte[] payload, int offset, int length, BatchBuilder builder)
        throws MalformedPayloadException {
      text.reset();
      try (JsonParser parser = dialect.parser(payload, offset, length);
          JsonGenerator generator = factory.createGenerator(text)) {
        int depth = 0;
        do {
          JsonToken token = parser.nextToken();
          if (token == null) {
            throw new MalformedPayloadException("it ends amid a value, or has no value");
          }
          copy(parser, generator);
          depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        } while (depth > 0);
        if (!dialect.isAtEnd(parser)) {
          throw new MalformedPayloadException(MORE);
        }
      } catch (IOException e) {
        throw new MalformedPayloadException(
            String.valueOf(e.getMessage()).lines().findFirst().orElse("it is malformed"));
      } catch (RuntimeException e) {
        // The libraries have exceptions of their own for what they cannot read.
        throw new MalformedPayloadException(String.valueOf(e.getMessage()));
      }
      byte[] bytes = text.toByteArray();
      json.decode(bytes, 0, bytes.length, builder);
    }

    private void copy(JsonParser parser, JsonGenerator generator) throws IOException {
      Optional<Instant> time = dialect.time(parser);
      if (time.isPresent()) {
        generator.writeString(time.get().toString().replace('T', separator));
      } else if (isBytes(parser)) {
        generator.writeBinary(parser.getBinaryValue());
      } else {
        generator.copyCurrentEvent(parser);
      }
    }

    private static boolean isBytes(JsonParser parser) throws IOException {
      return parser.currentToken() == JsonToken.VALUE_EMBEDDED_OBJECT
          && parser.getEmbeddedObject() instanceof byte[];
    }
  }

  private static final class Encoder implements RowEncoder {
    private final Dialect dialect;
    private final RowEncoder json;
    private final JsonFactory factory = new JsonFactory();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    Encoder(Dialect dialect, RowEncoder json) {
      this.dialect = dialect;
      this.json = json;
    }

    @Override
    public void encode(Batch batch, int row, ByteArrayOutputStream output)
        throws MalformedRowException {
      text.reset();
      json.encode(batch, row, text);
      try (JsonParser parser = factory.createParser(text.toByteArray());
          JsonGenerator generator = dialect.generator(output)) {
        while (parser.nextToken() != null) {
          if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
            write(parser, generator);
          } else {
            generator.copyCurrentEvent(parser);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e); // There is no input or output but arrays.
      }
    }

    /** A number that a double does not hold, a DECIMAL of many digits, is text. */
    private static void write(JsonParser parser, JsonGenerator generator) throws IOException {
      double value = parser.getDoubleValue();
      boolean held =
          Double.isFinite(value)
              && new BigDecimal(parser.getText()).compareTo(new BigDecimal(Double.toString(value)))
                  == 0;
      if (held) {
        generator.writeNumber(value);
      } else {
        generator.writeString(parser.getText());
      }
    }
  }
}
