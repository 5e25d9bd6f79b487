package io.sedge.task.internal;

import io.sedge.task.JobException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the secrets that a job's tables were opened with out of whatever the job says: connectors
 * and libraries may quote an option. Any thread.
 */
public final class Redaction {
  private static final String BLANK = "***";

  /** A value that is shorter stands in many words. */
  private static final int LEAST_CHARACTERS = 4;

  /** Exceptions may name each other as causes in a circle. */
  private static final int MAX_CAUSES = 50;

  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private volatile List<String> longestFirst = List.of();

  /** Hides a value from now on. */
  void hide(String value) {
    if (value.length() >= LEAST_CHARACTERS && known.add(value)) {
      longestFirst =
          known.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
    }
  }

  /** A text without secrets. */
  public String text(String text) {
    String safe = text;
    for (String value : longestFirst) {
      safe = safe.replace(value, BLANK);
    }
    return safe;
  }

  /** The same failure; without its causes if one of them has a secret in what it says. */
  public JobException failure(JobException failure) {
    @Nullable Throwable thrown = failure;
    for (int i = 0; thrown != null && i < MAX_CAUSES; i++) {
      String said = String.valueOf(thrown);
      if (!text(said).equals(said)) {
        JobException safe =
            new JobException(failure.code(), text(String.valueOf(failure.getMessage())));
        safe.setStackTrace(failure.getStackTrace());
        return safe;
      }
      thrown = thrown.getCause();
    }
    return failure;
  }
}
