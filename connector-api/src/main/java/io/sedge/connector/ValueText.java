package io.sedge.connector;

import java.util.regex.Pattern;

/**
 * An option's value as messages have it. A login that stands in an address is not shown, nor what
 * follows the {@code ?} of an address of the web or of a database: messages go to logs, and other
 * people read those.
 */
final class ValueText {
  private static final String HIDDEN = "…";
  private static final Pattern HAS_QUERY = Pattern.compile("(?i)(https?:|jdbc:).*\\?.*");

  /** What stands before the {@code @} and may end with a password. */
  private static final Pattern LOGIN = Pattern.compile(".*(//|:).*[^:/]");

  private ValueText() {}

  static String of(String value) {
    String shown = withoutLogin(value);
    return HAS_QUERY.matcher(shown).matches()
        ? shown.substring(0, shown.indexOf('?') + 1) + HIDDEN
        : shown;
  }

  /** A password may have any character, so the last {@code @} ends it. */
  private static String withoutLogin(String value) {
    int end = value.lastIndexOf('@');
    if (end < 0 || !LOGIN.matcher(value.substring(0, end)).matches()) {
      return value;
    }
    int slashes = value.indexOf("//");
    int begin = slashes < 0 || slashes > end ? 0 : slashes + 2;
    return value.substring(0, begin) + HIDDEN + value.substring(end);
  }
}
