package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Our own parser is there because it is faster than a library; that it reads the same is shown
 * against Jackson, set up as Flink sets it up, on random texts and on texts with random damage.
 */
final class JsonAgainstJacksonTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("s", Type.STRING)
          .add("d", Type.DOUBLE)
          .add("l", Type.BIGINT)
          .add("b", Type.BOOLEAN)
          .add("a", Type.array(Type.DOUBLE))
          .add("long name with ü", Type.STRING)
          .build();

  private final JsonFactory jackson =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS).build();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void randomObjectsAreReadAlike() throws IOException, MalformedPayloadException {
    System.out.println("JsonAgainstJacksonTest seed " + seed);
    RowDecoder decoder = new JsonFormat().decoder(SCHEMA, List.of(0, 1, 2, 3, 4, 5), Map.of());
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int i = 0; i < 30_000; i++) {
      byte[] json = object().getBytes(UTF_8);
      decoder.decode(json, 0, json.length, builder);
      builder.endRow();
      List<Object> expected = expected(json);
      assertThat(builder.build().row(0)).as(new String(json, UTF_8)).isEqualTo(expected);
    }
  }

  @Test
  void damagedObjectsAreRefusedAlike() {
    System.out.println("JsonAgainstJacksonTest seed " + seed);
    Schema schema = Schema.builder().add("long name with ü", Type.STRING).build();
    RowDecoder decoder = new JsonFormat().decoder(schema, List.of(0), Map.of());
    BatchBuilder builder = new BatchBuilder(schema);
    int refused = 0;
    for (int i = 0; i < 60_000; i++) {
      byte[] json = damaged(object().getBytes(UTF_8));
      boolean taken = true;
      try {
        decoder.decode(json, 0, json.length, builder);
      } catch (MalformedPayloadException e) {
        taken = false;
        refused++;
      }
      builder.discardRow();
      assertThat(taken).as(new String(json, UTF_8)).isEqualTo(isOneObject(json));
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  private boolean isOneObject(byte[] json) {
    try (JsonParser parser = jackson.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      parser.skipChildren();
      return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private List<Object> expected(byte[] json) throws IOException {
    Object[] row = new Object[SCHEMA.size()];
    try (JsonParser parser = jackson.createParser(json)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        int column = SCHEMA.indexOf(parser.currentName());
        JsonToken token = parser.nextToken();
        if (column < 0) {
          parser.skipChildren();
        } else if (token == JsonToken.VALUE_NULL) {
          row[column] = null;
        } else {
          row[column] = value(parser, column);
        }
      }
    }
    return Arrays.asList(row);
  }

  private static Object value(JsonParser parser, int column) throws IOException {
    return switch (column) {
      case 1 -> parser.getDoubleValue();
      case 2 -> parser.getLongValue();
      case 3 -> parser.getBooleanValue();
      case 4 -> {
        List<Double> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(
              parser.currentToken() == JsonToken.VALUE_NULL ? null : parser.getDoubleValue());
        }
        yield elements;
      }
      default -> parser.getText();
    };
  }

  private String object() {
    StringBuilder json = new StringBuilder();
    blank(json).append('{');
    blank(json);
    int fields = random.nextInt(9);
    for (int i = 0; i < fields; i++) {
      int column = random.nextInt(SCHEMA.size() + 2);
      String name = column < SCHEMA.size() ? SCHEMA.name(column) : "other" + column;
      string(json.append(i == 0 ? "" : ","), name);
      blank(json).append(':');
      blank(json);
      if (random.nextInt(8) == 0) {
        json.append("null");
      } else {
        value(json, column, 0);
      }
      blank(json);
    }
    return blank(json.append('}')).toString();
  }

  private void value(StringBuilder json, int column, int depth) {
    switch (column) {
      case 0, 5 -> string(json, text());
      case 1 -> number(json);
      case 2 -> json.append(random.nextLong() >> random.nextInt(64));
      case 3 -> json.append(random.nextBoolean());
      case 4 -> {
        json.append('[');
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
          blank(json.append(i == 0 ? "" : ","));
          if (random.nextInt(5) == 0) {
            json.append("null");
          } else {
            number(json);
          }
        }
        blank(json).append(']');
      }
      default -> {
        if (depth > 3 || random.nextBoolean()) {
          value(json, random.nextInt(5), depth);
        } else {
          json.append("{\"s\":");
          value(json, 6, depth + 1);
          json.append(",\"x\":[");
          value(json, 6, depth + 1);
          json.append("]}");
        }
      }
    }
  }

  private void number(StringBuilder json) {
    switch (random.nextInt(4)) {
      case 0 -> json.append(random.nextInt(2_000) - 1_000);
      case 1 -> json.append(random.nextInt(1_000_000) / 1e3);
      case 2 -> json.append(random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
      default ->
          json.append(random.nextInt(100))
              .append('.')
              .append(random.nextLong() >>> 1)
              .append(random.nextBoolean() ? "e-" : "E+")
              .append(random.nextInt(30));
    }
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(20);
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(10)) {
        case 0 -> text.append("\"\\/\b\f\n\r\t".charAt(random.nextInt(8)));
        case 1 -> text.appendCodePoint(0x1F300 + random.nextInt(100));
        case 2 -> text.append((char) (0x80 + random.nextInt(0x700)));
        case 3 -> text.append((char) (0x4E00 + random.nextInt(0x1000)));
        case 4 -> text.append((char) random.nextInt(32));
        default -> text.append((char) (' ' + random.nextInt(95)));
      }
    }
    return text.toString();
  }

  private void string(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (random.nextInt(12) == 0 && !Character.isSurrogate(c)) {
        json.append("\\u%04x".formatted((int) c));
      } else if (Character.isHighSurrogate(c) && random.nextBoolean()) {
        json.append("\\u%04X\\u%04x".formatted((int) c, (int) text.charAt(++i)));
      } else if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c == '\n' && random.nextBoolean()) {
        json.append("\\n");
      } else if (c == '\t' && random.nextBoolean()) {
        json.append("\\t");
      } else if (c == '/' && random.nextBoolean()) {
        json.append("\\/");
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  private StringBuilder blank(StringBuilder json) {
    return random.nextInt(4) == 0 ? json.append(" \t\r\n".charAt(random.nextInt(4))) : json;
  }

  /** Changes one to three bytes, in the ASCII part only: we do not check UTF-8 where we skip. */
  private byte[] damaged(byte[] json) {
    byte[] damaged = json;
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && damaged.length > 0; i++) {
      int at = random.nextInt(damaged.length);
      if (damaged[at] < 0) {
        continue;
      }
      byte replacement = (byte) "{}[]:,\"\\ntf019.eE+- x\n".charAt(random.nextInt(22));
      switch (random.nextInt(3)) {
        case 0 -> {
          damaged = damaged.clone();
          damaged[at] = replacement;
        }
        case 1 -> damaged = Arrays.copyOf(damaged, at);
        default -> {
          byte[] longer = new byte[damaged.length + 1];
          System.arraycopy(damaged, 0, longer, 0, at);
          longer[at] = replacement;
          System.arraycopy(damaged, at, longer, at + 1, damaged.length - at);
          damaged = longer;
        }
      }
    }
    return damaged;
  }
}
