package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of CHAR, VARCHAR or STRING values as codes of a {@link Dictionary}. */
public final class StringColumn extends Column {
  private final int[] codes;
  private final Dictionary dictionary;

  public StringColumn(int[] codes, Dictionary dictionary, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.codes = codes;
    this.dictionary = dictionary;
  }

  /** A column with a dictionary of its own, one code per row; null entries are null rows. */
  public static StringColumn of(@Nullable String[] strings, int size) {
    Dictionary dictionary = new Dictionary();
    int[] codes = new int[size];
    boolean[] nulls = new boolean[size];
    boolean any = false;
    for (int i = 0; i < size; i++) {
      String string = strings[i];
      if (string == null) {
        nulls[i] = true;
        any = true;
      } else {
        codes[i] = dictionary.append(string);
      }
    }
    return new StringColumn(codes, dictionary, any ? nulls : null, size);
  }

  /** The order of strings: that of their code points, which is that of their UTF-8 bytes. */
  public static int compare(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean aSurrogate = Character.isSurrogate(a);
        boolean bSurrogate = Character.isSurrogate(b);
        // Surrogates stand for code points above all others, though their chars are not the
        // highest.
        return aSurrogate == bSurrogate ? a - b : aSurrogate ? 1 : -1;
      }
    }
    return left.length() - right.length();
  }

  /** The codes; the code of a null row is 0 and may be unknown to the dictionary. */
  public int[] codes() {
    return codes;
  }

  public Dictionary dictionary() {
    return dictionary;
  }

  /** The string of a row that is not null. */
  public String string(int row) {
    return dictionary.get(codes[row]);
  }

  @Override
  public StringColumn gather(int[] rows, int count) {
    int[] gathered = new int[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = codes[rows[i]];
    }
    return new StringColumn(gathered, dictionary, gatherNulls(rows, count), count);
  }

  @Override
  public StringColumn slice(int from, int to) {
    return new StringColumn(
        Arrays.copyOfRange(codes, from, to), dictionary, sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable String value(int row) {
    return isNull(row) ? null : string(row);
  }
}
