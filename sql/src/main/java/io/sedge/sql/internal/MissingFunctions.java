package io.sedge.sql.internal;

import static java.util.Map.entry;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What is said of functions that there are not, and what does the same. */
final class MissingFunctions {
  /** Of other systems; none of them is in Flink either, or is supported here. */
  private static final Map<String, String> REMEDIES =
      Map.ofEntries(
          entry("LENGTH", "CHAR_LENGTH(…)"),
          entry("NVL", "COALESCE(…)"),
          entry("DAY", "DAYOFMONTH(…)"),
          entry("RLIKE", "REGEXP(text, 'pattern')"),
          entry("ILIKE", "LOWER(text) LIKE 'pattern'"),
          entry("UNNEST", "CROSS JOIN UNNEST(array) AS u (x) in FROM"));

  /** What the parser takes for the beginning of no expression. */
  private static final Set<String> KEYWORDS = Set.of("DAY", "CORR", "UNNEST");

  private static final Pattern LEGACY_TIME =
      Pattern.compile("(?i)(TUMBLE|HOP|SESSION)_(ROW|PROC)TIME");

  private MissingFunctions() {}

  /** Whether the parser gives up at its call. */
  static boolean isKeyword(String name) {
    return KEYWORDS.contains(name.toUpperCase(Locale.ROOT));
  }

  /**
   * In words.
   *
   * @param known what a misspelt one may have meant
   */
  static String text(String name, Collection<String> known) {
    String near = remedy(name).isPresent() ? "" : Names.didYouMean(name, known).replace("`", "");
    return "there is no function %s%s".formatted(name, near);
  }

  static Optional<String> remedy(String name) {
    return LEGACY_TIME.matcher(name).matches()
        ? Optional.of("window_time of TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL …) in FROM")
        : Optional.ofNullable(REMEDIES.get(name.toUpperCase(Locale.ROOT)));
  }
}
