package io.sedge.engine.expression.internal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) into objects: {@code Map} in the order of the text, {@code List}, {@code
 * String}, {@code Integer}, {@code Long} or {@code BigInteger}, {@code BigDecimal}, {@code Boolean}
 * and null. Of two members of one name the last one counts. What follows the first value is left
 * aside.
 */
final class JsonReader {
  /** Arrays and objects may lie so deep within one another. */
  private static final int MOST_DEPTH = 1_000;

  /** The text is not JSON. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /** The value that the text begins with. */
  static @Nullable Object read(String text) throws MalformedException {
    return new JsonReader(text).value(0);
  }

  private @Nullable Object value(int depth) throws MalformedException {
    if (depth > MOST_DEPTH) {
      throw new MalformedException("more than %d levels deep".formatted(MOST_DEPTH));
    }
    char next = skipSpace();
    return switch (next) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number(depth);
    };
  }

  private Map<String, @Nullable Object> object(int depth) throws MalformedException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    at++;
    if (skipSpace() == '}') {
      at++;
      return members;
    }
    while (true) {
      if (skipSpace() != '"') {
        throw unexpected("a name in quotes");
      }
      String name = string();
      if (skipSpace() != ':') {
        throw unexpected("':'");
      }
      at++;
      members.put(name, value(depth + 1));
      if (ends('}')) {
        return members;
      }
    }
  }

  private List<@Nullable Object> array(int depth) throws MalformedException {
    List<@Nullable Object> elements = new ArrayList<>();
    at++;
    if (skipSpace() == ']') {
      at++;
      return elements;
    }
    while (true) {
      elements.add(value(depth + 1));
      if (ends(']')) {
        return elements;
      }
    }
  }

  private boolean ends(char end) throws MalformedException {
    char next = skipSpace();
    if (next != ',' && next != end) {
      throw unexpected("',' or '%c'".formatted(end));
    }
    at++;
    return next == end;
  }

  private String string() throws MalformedException {
    StringBuilder result = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return result.toString();
      }
      if (c < ' ') {
        throw new MalformedException("a control character in a string at " + at);
      }
      result.append(c == '\\' ? escaped() : c);
    }
    throw new MalformedException("a string without an end");
  }

  private char escaped() throws MalformedException {
    char c = at < text.length() ? text.charAt(at++) : 0;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw new MalformedException("an unknown escape at " + at);
    };
  }

  private char unicode() throws MalformedException {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < text.length() ? Character.digit(text.charAt(at++), 16) : -1;
      if (digit < 0) {
        throw new MalformedException("\\u without four hexadecimal digits at " + at);
      }
      code = code * 16 + digit;
    }
    return (char) code;
  }

  private @Nullable Object word(String word, @Nullable Object value) throws MalformedException {
    if (!text.startsWith(word, at)) {
      throw unexpected("a value");
    }
    at += word.length();
    if (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
      throw unexpected("the end of a value");
    }
    return value;
  }

  private Number number(int depth) throws MalformedException {
    int begin = at;
    at += at < text.length() && text.charAt(at) == '-' ? 1 : 0;
    int digits = at;
    skipDigits();
    boolean leadingZero = at - digits > 1 && text.charAt(digits) == '0';
    boolean whole = true;
    if (at < text.length() && text.charAt(at) == '.') {
      whole = false;
      at++;
      skipDigits();
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      whole = false;
      at++;
      at += at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+') ? 1 : 0;
      skipDigits();
    }
    if (leadingZero || at - begin > Texts.MAX_NUMBER_CHARS || !endsNumber(depth)) {
      throw unexpected("a number");
    }
    String found = text.substring(begin, at);
    return whole ? integer(found) : new BigDecimal(found);
  }

  /** What follows the first value is left aside, but a number ends with a space or the text. */
  private boolean endsNumber(int depth) {
    return at == text.length()
        || (depth == 0 ? isSpace(text.charAt(at)) : !Character.isLetterOrDigit(text.charAt(at)));
  }

  private static Number integer(String digits) {
    BigInteger value = new BigInteger(digits);
    if (value.bitLength() < Integer.SIZE) {
      return value.intValue();
    }
    return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
  }

  private void skipDigits() throws MalformedException {
    int begin = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == begin) {
      throw unexpected("a digit");
    }
  }

  /** The next character that is not space; 0 at the end. */
  private char skipSpace() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  private MalformedException unexpected(String expected) {
    return new MalformedException(
        at < text.length()
            ? "'%c' at %d, where %s should be".formatted(text.charAt(at), at, expected)
            : "the end, where %s should be".formatted(expected));
  }
}
