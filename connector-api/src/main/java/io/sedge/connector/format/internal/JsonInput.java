package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.format.MalformedPayloadException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A place in a JSON text (RFC 8259) in UTF-8, and what is read there. As Flink's parser it takes
 * control characters in strings; nothing else beyond the standard. One thread.
 */
final class JsonInput {
  /** Objects and arrays may stand so deep in each other; what is deeper is malformed. */
  static final int MAX_DEPTH = 500;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long QUOTES = LOW_BITS * '"';
  private static final long BACKSLASHES = LOW_BITS * '\\';

  private static final byte[] TRUE = "true".getBytes(UTF_8);
  private static final byte[] FALSE = "false".getBytes(UTF_8);
  private static final byte[] NULL = "null".getBytes(UTF_8);

  private byte[] bytes = new byte[0];
  private int start;
  private int position;
  private int end;

  /** The string read last: its bytes, either the input's or unescaped ones. */
  private byte[] textBytes = bytes;

  private int textFrom;
  private int textTo;
  private byte[] unescaped = new byte[64];

  void reset(byte[] source, int offset, int length) {
    bytes = source;
    start = offset;
    position = offset;
    end = offset + length;
  }

  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  void moveTo(int newPosition) {
    position = newPosition;
  }

  int end() {
    return end;
  }

  /** The byte after any blanks, which are passed; the place stays before it. */
  byte peek() throws MalformedPayloadException {
    int i = position;
    while (i < end) {
      byte b = bytes[i];
      if (b > ' ') {
        position = i;
        return b;
      }
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        position = i;
        if (b < 0) {
          return b;
        }
        throw malformed("a control character");
      }
      i++;
    }
    position = i;
    throw malformed("the end");
  }

  /** Passes the byte, which must be the next after any blanks. */
  void expect(char wanted) throws MalformedPayloadException {
    if (position < end && bytes[position] == wanted) {
      position++;
      return;
    }
    if (peek() != wanted) {
      throw malformed("'" + wanted + "' missing");
    }
    position++;
  }

  /** Passes the byte if it is the next after any blanks. */
  boolean accept(char wanted) throws MalformedPayloadException {
    if ((position < end && bytes[position] == wanted) || peek() == wanted) {
      position++;
      return true;
    }
    return false;
  }

  /** Fails unless nothing but blanks is left. */
  void expectEnd() throws MalformedPayloadException {
    for (int i = position; i < end; i++) {
      byte b = bytes[i];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        position = i;
        throw malformed("more after the object");
      }
    }
  }

  void expectNull() throws MalformedPayloadException {
    literal(NULL);
  }

  boolean expectBoolean() throws MalformedPayloadException {
    boolean value = bytes[position] == 't';
    literal(value ? TRUE : FALSE);
    return value;
  }

  private void literal(byte[] literal) throws MalformedPayloadException {
    int after = position + literal.length;
    if (after > end || !Arrays.equals(bytes, position, after, literal, 0, literal.length)) {
      throw malformed("neither a value nor null, true or false");
    }
    if (after < end && Character.isLetterOrDigit(bytes[after])) {
      throw malformed("neither a value nor null, true or false");
    }
    position = after;
  }

  /** Passes a number that the scanner has read up to {@code after}, or that it has not. */
  void number(int after) throws MalformedPayloadException {
    if (after < 0) {
      throw malformed("not a number");
    }
    position = after;
    if (after < end) {
      byte b = bytes[after];
      if (b != ',' && b != '}' && b != ']' && b > ' ') {
        throw malformed("more after a number");
      }
    }
  }

  /** Passes the bytes if they come next; for a name that is expected, with its quotes and colon. */
  boolean passes(byte[] expected, long expectedHead, long headMask) {
    int after = position + expected.length;
    if (after > end || position > end - 8) {
      return false;
    }
    if (((long) LONGS.get(bytes, position) & headMask) != expectedHead) {
      return false;
    }
    if (expected.length > 8
        && !Arrays.equals(bytes, position + 8, after, expected, 8, expected.length)) {
      return false;
    }
    position = after;
    return true;
  }

  /** The first eight bytes as {@link #passes} compares them; fewer are filled up with zeros. */
  static long head(byte[] bytes) {
    long head = 0;
    for (int i = 0; i < Math.min(8, bytes.length); i++) {
      head |= (bytes[i] & 0xFFL) << (8 * i);
    }
    return head;
  }

  /** Passes a string and keeps its text; its opening quote comes next. */
  void string() throws MalformedPayloadException {
    int from = position + 1;
    int i = quoteOrBackslash(from);
    textBytes = bytes;
    textFrom = from;
    textTo = i;
    position = i + 1;
    if (bytes[i] == '\\') {
      unescape(from, i);
    }
  }

  byte[] textBytes() {
    return textBytes;
  }

  int textFrom() {
    return textFrom;
  }

  int textTo() {
    return textTo;
  }

  /** The string read last. */
  String text() throws MalformedPayloadException {
    return ValueParser.utf8(textBytes, textFrom, textTo);
  }

  boolean textEquals(byte[] other) {
    return Arrays.equals(textBytes, textFrom, textTo, other, 0, other.length);
  }

  /** The index of the next quote or backslash. Looks at eight bytes at a time. */
  private int quoteOrBackslash(int from) throws MalformedPayloadException {
    int i = from;
    while (i <= end - 8) {
      long word = (long) LONGS.get(bytes, i);
      long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      i += 8;
    }
    while (i < end) {
      if (bytes[i] == '"' || bytes[i] == '\\') {
        return i;
      }
      i++;
    }
    position = from - 1;
    throw malformed("a string without end");
  }

  /** Has the high bit of the lowest byte that is zero, and none below it. */
  private static long zeros(long word) {
    return (word - LOW_BITS) & ~word & HIGH_BITS;
  }

  /** Unescapes a string whose first backslash stands at {@code backslash}. */
  private void unescape(int from, int backslash) throws MalformedPayloadException {
    int length = 0;
    int copied = from;
    int i = backslash;
    while (bytes[i] == '\\') {
      length = append(copied, i, length);
      if (i + 1 >= end) {
        throw malformed("a string without end");
      }
      position = i;
      int character = escape(bytes[i + 1]);
      i += 2;
      if (character < 0) {
        character = hexadecimal(i);
        i += 4;
        if (Character.isHighSurrogate((char) character)
            && i + 6 <= end
            && bytes[i] == '\\'
            && bytes[i + 1] == 'u') {
          int low = hexadecimal(i + 2);
          if (Character.isLowSurrogate((char) low)) {
            character = Character.toCodePoint((char) character, (char) low);
            i += 6;
          }
        }
      }
      length = appendCharacter(character, length);
      copied = i;
      i = quoteOrBackslash(i);
    }
    length = append(copied, i, length);
    textBytes = unescaped;
    textFrom = 0;
    textTo = length;
    position = i + 1;
  }

  /** The character of an escape of one letter, or -1 for {@code \\u}. */
  private int escape(byte letter) throws MalformedPayloadException {
    return switch (letter) {
      case '"', '\\', '/' -> letter;
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> -1;
      default -> throw malformed("an escape that JSON does not have");
    };
  }

  private int hexadecimal(int from) throws MalformedPayloadException {
    int value = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = i < end ? Character.digit((char) bytes[i], 16) : -1;
      if (digit < 0) {
        throw malformed("an escape that is not four hexadecimal digits");
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private int append(int from, int to, int length) {
    ensure(length + to - from);
    System.arraycopy(bytes, from, unescaped, length, to - from);
    return length + to - from;
  }

  /** Half of a surrogate pair cannot be UTF-8; it becomes '?', as in Flink. */
  private int appendCharacter(int character, int length) {
    ensure(length + 4);
    boolean isHalf = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    int codePoint = isHalf ? '?' : character;
    int next = length;
    if (codePoint < 0x80) {
      unescaped[next++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      unescaped[next++] = (byte) (0xC0 | codePoint >> 6);
      unescaped[next++] = (byte) (0x80 | (codePoint & 0x3F));
    } else {
      if (codePoint < 0x10000) {
        unescaped[next++] = (byte) (0xE0 | codePoint >> 12);
      } else {
        unescaped[next++] = (byte) (0xF0 | codePoint >> 18);
        unescaped[next++] = (byte) (0x80 | (codePoint >> 12 & 0x3F));
      }
      unescaped[next++] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
      unescaped[next++] = (byte) (0x80 | (codePoint & 0x3F));
    }
    return next;
  }

  private void ensure(int length) {
    if (length > unescaped.length) {
      unescaped = Arrays.copyOf(unescaped, Math.max(length, unescaped.length * 2));
    }
  }

  /** Passes any value. */
  void skipValue(NumberScanner numbers, int depth) throws MalformedPayloadException {
    checkDepth(depth);
    switch (peek()) {
      case '"' -> string();
      case '{' -> {
        position++;
        if (accept('}')) {
          return;
        }
        do {
          if (peek() != '"') {
            throw malformed("a name missing");
          }
          string();
          expect(':');
          skipValue(numbers, depth + 1);
        } while (accept(','));
        expect('}');
      }
      case '[' -> {
        position++;
        if (accept(']')) {
          return;
        }
        do {
          skipValue(numbers, depth + 1);
        } while (accept(','));
        expect(']');
      }
      case 'n' -> expectNull();
      case 't', 'f' -> expectBoolean();
      default -> number(numbers.scan(bytes, position, end));
    }
  }

  void checkDepth(int depth) throws MalformedPayloadException {
    if (depth > MAX_DEPTH) {
      throw malformed("more than " + MAX_DEPTH + " levels");
    }
  }

  MalformedPayloadException malformed(String what) {
    return new MalformedPayloadException(
        "not JSON: %s at byte %d".formatted(what, position - start + 1));
  }
}
