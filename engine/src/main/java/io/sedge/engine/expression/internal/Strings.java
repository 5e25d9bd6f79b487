package io.sedge.engine.expression.internal;

/** Strings as Flink sees them: UTF-8 bytes, compared byte by byte without sign. */
final class Strings {
  private Strings() {}

  /** The order of the strings' UTF-8 bytes, which is the order of their code points. */
  static int compare(String left, String right) {
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
}
