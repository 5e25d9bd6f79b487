package io.sedge.connector;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody may have meant by a misspelt name, for messages. */
public final class Suggestions {
  private Suggestions() {}

  /** The candidate that is nearest to the name, if one is near. */
  public static Optional<String> closest(String name, Collection<String> candidates) {
    String lower = name.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .filter(candidate -> isNear(lower, candidate.toLowerCase(Locale.ROOT)))
        .min(
            Comparator.comparingInt(
                    (String candidate) -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Near is: a third of the letters wrong at most, or a key without the head of its path. */
  private static boolean isNear(String name, String candidate) {
    return candidate.endsWith("." + name)
        || name.endsWith("." + candidate)
        || distance(name, candidate)
            <= Math.max(1, Math.min(name.length(), candidate.length()) / 3);
  }

  /** The edit distance, where swapping two neighbours is one edit (optimal string alignment). */
  static int distance(String left, String right) {
    int[] beforeLast = new int[right.length() + 1];
    int[] last = new int[right.length() + 1];
    int[] current = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int change = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
        current[j] = Math.min(Math.min(last[j], current[j - 1]) + 1, last[j - 1] + change);
        if (i > 1
            && j > 1
            && left.charAt(i - 1) == right.charAt(j - 2)
            && left.charAt(i - 2) == right.charAt(j - 1)) {
          current[j] = Math.min(current[j], beforeLast[j - 2] + 1);
        }
      }
      int[] free = beforeLast;
      beforeLast = last;
      last = current;
      current = free;
    }
    return last[right.length()];
  }
}
