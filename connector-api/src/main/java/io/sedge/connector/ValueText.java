package io.sedge.connector;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An option's value as messages have it. Messages go to logs, and other people read those. So an
 * address is shown without its login and without its parameters.
 *
 * <p>A password may have any character. Hence the last {@code @} ends the login. Where parameters
 * begin before that, nothing tells the two apart, and only the scheme is shown.
 */
final class ValueText {
  private static final String HIDDEN = "…";

  /** What is wrong with an address is mostly how it begins: any colon will do. */
  private static final Pattern MAY_BE_ADDRESS =
      Pattern.compile("://|:.*[@?]|\\?.*=", Pattern.DOTALL);

  private static final Pattern QUERY = Pattern.compile("\\?");
  private static final Pattern PARAMETERS = Pattern.compile("[?;]");

  /** Its {@code @} has no login before it. */
  private static final String ORACLE = "jdbc:oracle:thin:";

  private ValueText() {}

  /** That of a value which may be an address, or a topic, a node or a number. */
  static String of(String value) {
    if (value.toLowerCase(Locale.ROOT).contains("jdbc:")) {
      return ofAddress(value);
    }
    return MAY_BE_ADDRESS.matcher(value).find() ? shown(value, QUERY) : value;
  }

  /** That of a value which is meant to be an address, however wrong it is. */
  static String ofAddress(String value) {
    return shown(value, PARAMETERS);
  }

  /** That of a secret: only whether there is one. */
  static String secret(String value) {
    return value.isBlank() ? value : HIDDEN;
  }

  private static String shown(String value, Pattern parameters) {
    Matcher matcher = parameters.matcher(value);
    int end = matcher.find() ? matcher.end() : value.length();
    String rest = end < value.length() ? HIDDEN : "";
    int login = endOfLogin(value);
    if (login < 0) {
      return value.substring(0, end) + rest;
    }
    String scheme = value.substring(0, Math.min(end, beginOfLogin(value, login)));
    return login < end ? scheme + HIDDEN + value.substring(login, end) + rest : scheme + HIDDEN;
  }

  private static int endOfLogin(String value) {
    int at = value.lastIndexOf('@');
    return at == ORACLE.length() && value.regionMatches(true, 0, ORACLE, 0, at) ? -1 : at;
  }

  private static int beginOfLogin(String value, int end) {
    String separator = "://";
    int scheme = value.substring(0, end).indexOf(separator);
    return scheme < 0 ? 0 : scheme + separator.length();
  }
}
