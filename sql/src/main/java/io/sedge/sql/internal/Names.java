package io.sedge.sql.internal;

import io.sedge.connector.Suggestions;
import java.util.Collection;

/** Nearest names, for messages. */
final class Names {
  private Names() {}

  /** {@code ; did you mean `x`?} or nothing. */
  static String didYouMean(String name, Collection<String> known) {
    return Suggestions.closest(name, known).map("; did you mean `%s`?"::formatted).orElse("");
  }
}
