package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.internal.RowFunctions.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** LIKE, SIMILAR TO and the functions of Java's regular expressions. */
public final class RegexFunctions {
  private RegexFunctions() {}

  public static void register(FunctionTable table) {
    pattern(table, "LIKE", RegexFunctions::like);
    pattern(table, "SIMILAR TO", SimilarPatterns::translate);
    with(table, "REGEXP", "ss", RegexFunctions::find);
    with(table, "REGEXP_EXTRACT", "ss[i]", RegexFunctions::extract);
    with(table, "REGEXP_EXTRACT_ALL", "ss[i]", RegexFunctions::extractAll);
    with(table, "REGEXP_REPLACE", "sss", RegexFunctions::replace);
    with(table, "REGEXP_COUNT", "ss", RegexFunctions::count);
    with(table, "REGEXP_INSTR", "ss", RegexFunctions::position);
    with(table, "REGEXP_SUBSTR", "ss", RegexFunctions::first);
  }

  private interface RegexBody {
    @Nullable Object apply(Row row, PatternCache cache);
  }

  private interface Translation {
    String toRegex(String pattern, @Nullable String escape);
  }

  private static void with(FunctionTable table, String name, String signature, RegexBody body) {
    RowFunctions.add(
        table,
        name,
        signature,
        true,
        (types, result) -> {
          PatternCache cache = new PatternCache();
          return row -> body.apply(row, cache);
        });
  }

  private static void pattern(FunctionTable table, String name, Translation translation) {
    RowFunctions.add(
        table,
        name,
        "ss[s]",
        true,
        constants -> {
          if (constants.size() == 2 || constants.has(2)) {
            String pattern = constants.has(1) ? constants.text(1) : "";
            compiled(name, pattern, escape(constants), translation);
          }
        },
        (types, result) -> {
          PatternCache cache = new PatternCache();
          return row -> {
            String escape = escape(row);
            return cache
                .get(
                    escape == null ? row.text(1) : row.text(1) + '\u0000' + escape,
                    () -> compiled(name, row.text(1), escape, translation))
                .matcher(row.text(0))
                .matches();
          };
        });
  }

  private static @Nullable String escape(Row row) {
    return row.has(2) ? row.text(2) : null;
  }

  private static Pattern compiled(
      String name, String pattern, @Nullable String escape, Translation translation) {
    Pattern compiled = compiled(translation.toRegex(pattern, escape), Pattern.DOTALL);
    if (compiled == null) {
      throw new EvaluationException("%s '%s' is not a pattern".formatted(name, pattern));
    }
    return compiled;
  }

  /** A LIKE pattern as a regular expression. */
  private static String like(String pattern, @Nullable String escape) {
    if (escape != null && escape.length() != 1) {
      throw new EvaluationException("ESCAPE '%s': one character is allowed".formatted(escape));
    }
    char escapeChar = escape == null ? 0 : escape.charAt(0);
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (escape != null && c == escapeChar) {
        i++;
        char next = i < pattern.length() ? pattern.charAt(i) : 0;
        if (next != '_' && next != '%' && next != escapeChar) {
          throw new EvaluationException(
              "LIKE '%s' ESCAPE '%s': after the escape character come _, %% or itself"
                  .formatted(pattern, escape));
        }
        regex.append(Pattern.quote(String.valueOf(next)));
      } else if (c == '_') {
        regex.append('.');
      } else if (c == '%') {
        regex.append(".*");
      } else if ("\\.[]{}()*+-?^$|&#".indexOf(c) >= 0) {
        regex.append('\\').append(c);
      } else {
        regex.append(c);
      }
    }
    return regex.toString();
  }

  private static boolean find(Row row, PatternCache cache) {
    Pattern pattern = cache.get(row.text(1));
    return pattern != null && !row.text(1).isEmpty() && pattern.matcher(row.text(0)).find();
  }

  private static @Nullable String extract(Row row, PatternCache cache) {
    int group = row.size() > 2 ? row.integer(2) : 0;
    Pattern pattern = cache.get(row.text(1));
    if (pattern == null || group < 0) {
      return null;
    }
    Matcher matcher = pattern.matcher(row.text(0));
    return matcher.find() && group <= matcher.groupCount() ? matcher.group(group) : null;
  }

  private static @Nullable List<@Nullable Object> extractAll(Row row, PatternCache cache) {
    int group = row.size() > 2 ? row.integer(2) : 1;
    Pattern pattern = cache.get(row.text(1));
    if (pattern == null || group < 0 || group > pattern.matcher("").groupCount()) {
      return null;
    }
    Matcher matcher = pattern.matcher(row.text(0));
    List<@Nullable Object> found = new ArrayList<>();
    while (matcher.find()) {
      found.add(matcher.group(group));
    }
    return found;
  }

  /** The replacement is taken as it is: $1 is no group. */
  private static @Nullable String replace(Row row, PatternCache cache) {
    Pattern pattern = cache.get(row.text(1));
    return pattern == null
        ? null
        : pattern.matcher(row.text(0)).replaceAll(Matcher.quoteReplacement(row.text(2)));
  }

  private static @Nullable Integer count(Row row, PatternCache cache) {
    Pattern pattern = cache.get(row.text(1));
    return pattern == null ? null : (int) pattern.matcher(row.text(0)).results().count();
  }

  private static @Nullable Integer position(Row row, PatternCache cache) {
    Pattern pattern = cache.get(row.text(1));
    if (pattern == null) {
      return null;
    }
    Matcher matcher = pattern.matcher(row.text(0));
    return matcher.find() ? matcher.start() + 1 : 0;
  }

  private static @Nullable String first(Row row, PatternCache cache) {
    Pattern pattern = cache.get(row.text(1));
    if (pattern == null) {
      return null;
    }
    Matcher matcher = pattern.matcher(row.text(0));
    return matcher.find() ? matcher.group() : null;
  }

  /** A compiled pattern, or null if it is not one. */
  static @Nullable Pattern compiled(String regex, int flags) {
    try {
      return Pattern.compile(regex, flags);
    } catch (PatternSyntaxException malformed) {
      return null;
    }
  }
}
