package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sessions are found within the values of PARTITION BY, and the engine finds them per group. */
final class SessionKeys {
  private SessionKeys() {}

  /** Refuses a grouping by other columns than those within which sessions are found. */
  static void check(AssignedInput assigned, WindowCall window, List<Integer> keys) {
    Set<Integer> grouped = new HashSet<>();
    for (int key : keys) {
      grouped.add(
          assigned.columns().get(key) instanceof Expression.Input input ? input.column() : -1);
    }
    if (!grouped.equals(new HashSet<>(window.partition()))) {
      throw new UnsupportedException(
          "the columns of GROUP BY are not those of the PARTITION BY in SESSION",
          "SESSION(TABLE t PARTITION BY the columns of GROUP BY, DESCRIPTOR(ts), gap)",
          window.position());
    }
  }
}
