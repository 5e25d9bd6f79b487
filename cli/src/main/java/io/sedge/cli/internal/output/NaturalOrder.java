package io.sedge.cli.internal.output;

/** Orders names as people do: {@code cpu2} before {@code cpu10}. */
final class NaturalOrder {
  private NaturalOrder() {}

  static int compare(String left, String right) {
    int i = 0;
    int j = 0;
    while (i < left.length() && j < right.length()) {
      int leftEnd = runEnd(left, i);
      int rightEnd = runEnd(right, j);
      int order = compareRuns(left.substring(i, leftEnd), right.substring(j, rightEnd));
      if (order != 0) {
        return order;
      }
      i = leftEnd;
      j = rightEnd;
    }
    int rest = Integer.compare(left.length() - i, right.length() - j);
    return rest != 0 ? rest : left.compareTo(right);
  }

  /** Where the run of digits, or of others, that begins at {@code from} ends. */
  private static int runEnd(String text, int from) {
    boolean digits = isDigit(text.charAt(from));
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end)) == digits) {
      end++;
    }
    return end;
  }

  private static int compareRuns(String left, String right) {
    if (!isDigit(left.charAt(0)) || !isDigit(right.charAt(0))) {
      return left.compareTo(right);
    }
    String leftDigits = withoutZeros(left);
    String rightDigits = withoutZeros(right);
    int order = Integer.compare(leftDigits.length(), rightDigits.length());
    return order != 0 ? order : leftDigits.compareTo(rightDigits);
  }

  private static String withoutZeros(String digits) {
    int from = 0;
    while (from < digits.length() - 1 && digits.charAt(from) == '0') {
      from++;
    }
    return digits.substring(from);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
