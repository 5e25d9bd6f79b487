package io.sedge.engine.expression.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The patterns that a function used last, at most {@value #CAPACITY}. */
final class PatternCache {
  private static final int CAPACITY = 64;

  private final Map<String, Optional<Pattern>> patterns =
      new LinkedHashMap<>(CAPACITY, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<Pattern>> eldest) {
          return size() > CAPACITY;
        }
      };

  /** The pattern of a regular expression, or null if it is malformed. */
  @Nullable Pattern get(String regex) {
    Optional<Pattern> known = patterns.get(regex);
    if (known == null) {
      known = Optional.ofNullable(RegexFunctions.compiled(regex, 0));
      patterns.put(regex, known);
    }
    return known.orElse(null);
  }

  /** The pattern of what is translated from another notation; what that throws is thrown. */
  Pattern get(String key, Supplier<Pattern> translated) {
    Optional<Pattern> known = patterns.get(key);
    if (known == null) {
      known = Optional.of(translated.get());
      patterns.put(key, known);
    }
    return known.orElseThrow();
  }
}
