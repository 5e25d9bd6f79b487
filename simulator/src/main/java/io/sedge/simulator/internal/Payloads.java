package io.sedge.simulator.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sedge.simulator.SensorReading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;

/** What goes over the wire. */
public final class Payloads {
  private static final JsonFactory JSON = new JsonFactory();

  private Payloads() {}

  public static byte[] of(SensorReading reading) {
    return ("{\"ts\":"
            + reading.timeMillis()
            + ",\"value\":"
            + reading.value()
            + ",\"seq\":"
            + reading.sequence()
            + "}")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The number of a command: bare, or {@code on} for 1 and {@code off} for 0, or the member {@code
   * value} of a JSON object. Empty if it is none of these.
   */
  static OptionalDouble number(byte[] payload) {
    String text = new String(payload, StandardCharsets.UTF_8).trim();
    return text.startsWith("{") ? member(text) : bare(text);
  }

  private static OptionalDouble bare(String text) {
    return switch (text) {
      case "on", "true" -> OptionalDouble.of(1);
      case "off", "false" -> OptionalDouble.of(0);
      default -> {
        try {
          yield OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
          yield OptionalDouble.empty();
        }
      }
    };
  }

  private static OptionalDouble member(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      OptionalDouble value = OptionalDouble.empty();
      for (JsonToken token = parser.nextToken();
          token == JsonToken.FIELD_NAME;
          token = parser.nextToken()) {
        boolean wanted = parser.currentName().equals("value");
        JsonToken found = parser.nextToken();
        if (wanted && found.isScalarValue()) {
          value = bare(parser.getText());
        }
        parser.skipChildren();
      }
      return value;
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }
}
