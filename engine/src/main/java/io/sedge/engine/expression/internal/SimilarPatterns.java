package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.EvaluationException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The patterns of SIMILAR TO as regular expressions. */
final class SimilarPatterns {
  private static final String SPECIAL = "[]()|^-+*_%?{}";

  private SimilarPatterns() {}

  static String translate(String pattern, @Nullable String escape) {
    if (escape != null && escape.length() != 1) {
      throw new EvaluationException("ESCAPE '%s': one character is allowed".formatted(escape));
    }
    StringBuilder regex = new StringBuilder();
    boolean inSet = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (escape != null && c == escape.charAt(0)) {
        i++;
        char next = i < pattern.length() ? pattern.charAt(i) : 0;
        if (SPECIAL.indexOf(next) < 0 && next != c) {
          throw new EvaluationException(
              "SIMILAR TO '%s' ESCAPE '%s': after the escape character come %s or itself"
                  .formatted(pattern, escape, SPECIAL));
        }
        regex.append('\\').append(next);
      } else if (inSet && pattern.startsWith("[:", i) && pattern.indexOf(":]", i) > 0) {
        int end = pattern.indexOf(":]", i);
        regex.append(posix(pattern.substring(i + 2, end), pattern));
        i = end + 1;
      } else if (inSet) {
        regex.append(c == '\\' || c == '[' || c == '&' ? "\\" : "").append(c);
        inSet = c != ']';
      } else {
        outside(c, regex);
        inSet = c == '[';
      }
    }
    return regex.toString();
  }

  private static void outside(char c, StringBuilder regex) {
    switch (c) {
      case '_' -> regex.append('.');
      case '%' -> regex.append(".*");
      default -> regex.append(c);
    }
  }

  private static String posix(String name, String pattern) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "ALPHA" -> "\\p{Alpha}";
      case "UPPER" -> "\\p{Upper}";
      case "LOWER" -> "\\p{Lower}";
      case "DIGIT" -> "\\d";
      case "SPACE" -> " ";
      case "WHITESPACE" -> "\\s";
      case "ALNUM" -> "\\p{Alnum}";
      default ->
          throw new EvaluationException(
              "SIMILAR TO '%s': [:%s:] is not one of ALPHA, UPPER, LOWER, DIGIT, SPACE, WHITESPACE, ALNUM"
                  .formatted(pattern, name));
    };
  }
}
