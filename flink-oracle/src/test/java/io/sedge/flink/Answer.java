package io.sedge.flink;

import io.sedge.sql.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an engine answers to a query. */
sealed interface Answer {

  /**
   * @param changes rows, each the change ({@code +I}, {@code -U}, {@code +U}, {@code -D}) and then
   *     the values, in the types of {@link Wire}
   */
  record Rows(List<List<@Nullable Object>> changes) implements Answer {
    /**
     * The rows that are left when all changes are carried out.
     *
     * @param key as for {@link Changes#carriedOut}
     */
    List<List<@Nullable Object>> left(int key) {
      return Changes.carriedOut(changes, key);
    }

    /** The same rows with two of their columns only: the first, and another. */
    Rows column(int index) {
      List<List<@Nullable Object>> narrow = new ArrayList<>();
      for (List<@Nullable Object> row : changes) {
        List<@Nullable Object> values = new ArrayList<>(row.subList(0, 2));
        values.add(row.get(index));
        narrow.add(values);
      }
      return new Rows(narrow);
    }
  }

  /** The engine refuses the query, or fails while it runs. */
  record Failure(String messages) implements Answer {}

  /** Sedge refuses the query before it runs. */
  record Refusal(List<Problem> problems) implements Answer {}

  /**
   * What differs between two answers, for people; empty if nothing does.
   *
   * @param key as for {@link Changes#carriedOut}
   */
  static List<String> differences(Answer flink, Answer sedge, boolean sorted, int key) {
    if (flink instanceof Rows f && sedge instanceof Rows s) {
      return sorted
          ? Same.inOrder(f.left(key), s.left(key))
          : Same.inAnyOrder(f.left(key), s.left(key));
    }
    return List.of("Flink: " + summary(flink), "Sedge: " + summary(sedge));
  }

  private static String summary(Answer answer) {
    return switch (answer) {
      case Rows rows -> rows.changes().size() + " rows";
      case Failure failure -> failure.messages();
      case Refusal refusal -> refusal.problems().toString();
    };
  }
}
