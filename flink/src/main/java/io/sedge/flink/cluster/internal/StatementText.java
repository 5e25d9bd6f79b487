package io.sedge.flink.cluster.internal;

import io.sedge.sql.ScriptStatement;
import io.sedge.sql.SecretReferences;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The text of CREATE TABLE with other options, on as many lines as before. */
public final class StatementText {
  private StatementText() {}

  /**
   * Leaves options out, and adds some.
   *
   * @param options all of the statement, in their order
   * @param left those to be left out
   * @param more what is written behind those that stay
   */
  public static String of(
      String text,
      List<ScriptStatement.Option> options,
      Set<ScriptStatement.Option> left,
      Map<ScriptStatement.Option, String> more) {
    if (options.isEmpty()) {
      return text;
    }
    StringBuilder kept = new StringBuilder(text.substring(0, options.getFirst().begin()));
    int end = options.getFirst().begin();
    boolean first = true;
    for (ScriptStatement.Option option : options) {
      String gap = text.substring(end, option.begin());
      String written = text.substring(option.begin(), option.end());
      if (left.contains(option)) {
        kept.append(lineEnds(gap)).append(lineEnds(written));
      } else {
        kept.append(first ? lineEnds(gap) : gap).append(written);
        kept.append(more.getOrDefault(option, ""));
        first = false;
      }
      end = option.end();
    }
    return kept.append(text.substring(end)).toString();
  }

  private static String lineEnds(String text) {
    return "\n".repeat((int) text.chars().filter(c -> c == '\n').count());
  }

  /** Whether something outside of the options looks like the name of a secret. */
  public static boolean hasReferencesElsewhere(String text, List<ScriptStatement.Option> options) {
    StringBuilder rest = new StringBuilder();
    int end = 0;
    for (ScriptStatement.Option option : options) {
      rest.append(text, end, option.begin()).append('\n');
      end = option.end();
    }
    return !SecretReferences.names(rest.append(text.substring(end)).toString()).isEmpty();
  }
}
