package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RecordSplitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds the rows in a body. Stateless. */
final class Bodies {
  /** A row: where it is in the body. */
  record Span(int from, int to) {}

  private static final JsonFactory JSON = new JsonFactory();

  private Bodies() {}

  /** The beginning of a body as text. */
  static String text(byte[] body, int mostBytes) {
    return new String(body, 0, Math.min(body.length, mostBytes), UTF_8);
  }

  /** Records as they follow each other in a file; the last one may have no end. */
  static List<Span> records(byte[] body, int begin, RecordSplitter splitter) {
    List<Span> records = new ArrayList<>();
    for (int from = begin; from < body.length; ) {
      int end = splitter.end(body, from, body.length);
      int next = end < 0 ? body.length : end;
      int to = withoutLineEnd(body, from, next);
      if (splitter.holdsRow(body, from, to)) {
        records.add(new Span(from, to));
      }
      from = next;
    }
    return records;
  }

  private static int withoutLineEnd(byte[] body, int from, int end) {
    int to = end;
    if (to > from && body[to - 1] == '\n') {
      to--;
    }
    return to > from && body[to - 1] == '\r' ? to - 1 : to;
  }

  /**
   * The elements of the array at a place in the JSON; another value there is a row itself.
   *
   * @throws MalformedPayloadException if it is no JSON in UTF-8, or has nothing at the place
   */
  static List<Span> elements(byte[] body, JsonPointer place) throws MalformedPayloadException {
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() == null) {
        throw new MalformedPayloadException("the body is empty");
      }
      if (parser.currentTokenLocation().getByteOffset() < 0) {
        // The parser also takes UTF-16 and UTF-32, but knows then no places of bytes.
        throw new MalformedPayloadException("the body is not in UTF-8");
      }
      if (!goTo(parser, place)) {
        throw new MalformedPayloadException("the JSON has nothing at '%s'".formatted(place));
      }
      List<Span> rows = new ArrayList<>();
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          rows.add(value(parser));
        }
      } else {
        rows.add(value(parser));
      }
      while (parser.nextToken() != null) {} // What follows must be JSON too.
      return rows;
    } catch (IOException e) {
      throw new MalformedPayloadException(
          "the body is not JSON: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  /** Goes on from the value that a parser is at to one within. */
  private static boolean goTo(JsonParser parser, JsonPointer place) throws IOException {
    for (JsonPointer rest = place; !rest.matches(); rest = rest.tail()) {
      boolean found =
          switch (parser.currentToken()) {
            case START_OBJECT -> goToMember(parser, rest.getMatchingProperty());
            case START_ARRAY -> goToElement(parser, rest.getMatchingIndex());
            default -> false;
          };
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private static boolean goToMember(JsonParser parser, String name) throws IOException {
    for (String next = parser.nextFieldName(); next != null; next = parser.nextFieldName()) {
      parser.nextToken();
      if (next.equals(name)) {
        return true;
      }
      parser.skipChildren();
    }
    return false;
  }

  private static boolean goToElement(JsonParser parser, int index) throws IOException {
    if (index < 0) {
      return false;
    }
    for (int at = 0; parser.nextToken() != JsonToken.END_ARRAY; at++) {
      if (at == index) {
        return true;
      }
      parser.skipChildren();
    }
    return false;
  }

  /** Where the value is that a parser is at; it is at its end then. */
  private static Span value(JsonParser parser) throws IOException {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    parser.finishToken();
    return new Span(from, (int) parser.currentLocation().getByteOffset());
  }
}
