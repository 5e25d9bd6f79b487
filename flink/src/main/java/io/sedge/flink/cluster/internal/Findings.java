package io.sedge.flink.cluster.internal;

import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is refused of a script, and what people should know of the rest. One thread. */
public final class Findings {
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();

  /**
   * Refuses something.
   *
   * @param remedy what to write instead
   */
  public void refuse(int line, int column, String message, String remedy) {
    problems.add(new Problem(line, column, message, Optional.of(remedy)));
  }

  /**
   * Refuses something of Sedge's own.
   *
   * @param what it is, before its key: {@code the setting}
   */
  void refuseOwn(String what, OwnOptions.Own own, String value, int line, int column) {
    refuse(
        line,
        column,
        "%s '%s' = '%s' is Sedge's own".formatted(what, own.key(), value),
        "%s; or submit it with --without %s".formatted(own.instead(), own.key()));
  }

  /** Says something, once. */
  public void note(String note) {
    notes.add(note);
  }

  /** What was said, in that order. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * Returns if nothing is refused.
   *
   * @throws SqlException with all that is, in the order of the script
   */
  public void check() throws SqlException {
    if (!problems.isEmpty()) {
      throw new SqlException(
          problems.stream()
              .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
              .toList());
    }
  }
}
