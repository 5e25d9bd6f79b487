package io.sedge.task;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Makes text from outside (payloads, topics, what a broker says) safe to show: nothing in it can
 * move a cursor, colour a screen, begin a line of its own or change the direction of writing.
 */
public final class Printable {
  private static final char DOT = '·';
  private static final int MOST_NAMED = 20;

  private Printable() {}

  /**
   * The text with a middle dot for each control character (C0, DEL, C1), line or paragraph
   * separator, and control of the direction of writing.
   */
  public static String text(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUnsafe(text.charAt(i))) {
        return replaced(text);
      }
    }
    return text;
  }

  /** What there is, with commas between: {@code a, b}; {@code none}; 20, and how many more. */
  public static String list(Collection<?> values) {
    if (values.isEmpty()) {
      return "none";
    }
    String named =
        values.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    int more = values.size() - MOST_NAMED;
    return more > 0 ? "%s and %,d more".formatted(named, more) : named;
  }

  /**
   * How many there are of something: {@code 1 row}, {@code 2,000 rows}.
   *
   * @param noun of one; more have an s
   */
  public static String count(long number, String noun) {
    return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }

  private static String replaced(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      safe.append(isUnsafe(c) ? DOT : c);
    }
    return safe.toString();
  }

  private static boolean isUnsafe(char c) {
    return Character.isISOControl(c)
        || (c >= '\u2028' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069');
  }
}
