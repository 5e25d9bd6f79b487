package io.sedge.engine.column;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The strings that the codes of {@link StringColumn}s stand for.
 *
 * <p>A dictionary only grows, so a code means the same string for as long as the dictionary lives
 * and an operator may cache what it knows by code, keyed by the dictionary's identity. It belongs
 * to the thread that grows it; batches carry it on within that thread. A source starts a new
 * dictionary when {@link #isFull()}, which bounds what it holds. Two codes may stand for equal
 * strings where {@link #append} was used (a column of computed strings is not worth hashing).
 */
public final class Dictionary {
  /** Above so many entries a source should start a new dictionary. */
  public static final int FULL_ENTRIES = 1 << 16;

  private String[] strings = new String[16];
  private int size;
  private @Nullable Map<String, Integer> codes;

  /** The number of codes in use: 0 to {@code size() - 1}. */
  public int size() {
    return size;
  }

  public boolean isFull() {
    return size >= FULL_ENTRIES;
  }

  public String get(int code) {
    return strings[code];
  }

  /** The code of a string, added if it is new. Not to be mixed with {@link #append}. */
  public int encode(String string) {
    if (codes == null) {
      codes = new HashMap<>();
    }
    Integer known = codes.get(string);
    if (known != null) {
      return known;
    }
    int code = append(string);
    codes.put(string, code);
    return code;
  }

  /** Adds a string under a new code without looking whether it is known. */
  public int append(String string) {
    if (size == strings.length) {
      strings = Arrays.copyOf(strings, size * 2);
    }
    strings[size] = string;
    return size++;
  }
}
