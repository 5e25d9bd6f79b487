package io.sedge.engine.column;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The strings that the codes of {@link StringColumn}s stand for.
 *
 * <p>A dictionary only grows, so a code means the same string for as long as the dictionary lives
 * and an operator may cache what it knows by code, keyed by the dictionary's identity. It belongs
 * to the thread that grows it; batches carry it on within that thread. Another thread that was
 * handed a batch may read the codes of its rows meanwhile. A source starts a new dictionary when
 * {@link #isFull()}, which bounds what it holds. Two codes may stand for equal strings where {@link
 * #append} was used (a column of computed strings is not worth hashing).
 */
public final class Dictionary {
  /** Above so many entries a source should start a new dictionary. */
  public static final int FULL_ENTRIES = 1 << 16;

  /** Above so many characters in all a source should start a new dictionary. */
  public static final int FULL_CHARACTERS = 1 << 20;

  private String[] strings = new String[16];
  private int size;
  private long characters;

  /** Which codes strings have; made when {@link #encode} first needs it. */
  private @Nullable Map<String, Integer> codes;

  /** Which codes byte sequences have; made when {@link #encodeUtf8} first needs it. */
  private @Nullable Utf8Index utf8;

  /** The number of codes in use: 0 to {@code size() - 1}. */
  public int size() {
    return size;
  }

  public boolean isFull() {
    return size >= FULL_ENTRIES || characters >= FULL_CHARACTERS;
  }

  public String get(int code) {
    return strings[code];
  }

  /** The code of a string, added if it is new. Not to be mixed with {@link #append}. */
  public int encode(String string) {
    if (codes == null) {
      codes = new HashMap<>();
      for (int code = 0; code < size; code++) {
        codes.put(strings[code], code);
      }
    }
    Integer known = codes.get(string);
    if (known != null) {
      return known;
    }
    int code = append(string);
    codes.put(string, code);
    return code;
  }

  /**
   * The code of a string that is given as UTF-8, added if it is new; the same that {@link #encode}
   * gives. Not to be mixed with {@link #append}.
   *
   * @param to exclusive
   * @return -1 if the bytes are not UTF-8
   */
  public int encodeUtf8(byte[] bytes, int from, int to) {
    if (utf8 == null) {
      utf8 = new Utf8Index();
    }
    int hash = Utf8Index.hash(bytes, from, to);
    int known = utf8.find(bytes, from, to, hash);
    if (known >= 0) {
      return known;
    }
    String string;
    try {
      string = decode(bytes, from, to);
    } catch (CharacterCodingException e) {
      return -1;
    }
    int code = codes == null ? append(string) : encode(string);
    utf8.put(bytes, from, to, hash, code);
    return code;
  }

  /** Adds a string under a new code without looking whether it is known. */
  public int append(String string) {
    if (size == strings.length) {
      String[] grown = Arrays.copyOf(strings, size * 2);
      VarHandle.releaseFence(); // Who reads the codes of a batch in another thread sees them whole.
      strings = grown;
    }
    strings[size] = string;
    characters += string.length();
    return size++;
  }

  /** Strict, unlike {@code new String}, which puts a replacement for what is not UTF-8. */
  private static String decode(byte[] bytes, int from, int to) throws CharacterCodingException {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes, from, to - from))
            .toString();
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
