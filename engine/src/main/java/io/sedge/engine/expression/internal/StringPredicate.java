package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.StringColumn;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A predicate on strings that remembers its answer for every code of the dictionary it saw last, so
 * that each distinct string is looked at once.
 */
final class StringPredicate {
  private static final byte UNKNOWN = 0;
  private static final byte TRUE = 1;
  private static final byte FALSE = 2;

  private final Predicate<String> predicate;
  private @Nullable Dictionary dictionary;
  private byte[] answers = new byte[0];

  StringPredicate(Predicate<String> predicate) {
    this.predicate = predicate;
  }

  /** The answers by code; those for the codes of rows that are not null are there. */
  private byte[] answers(StringColumn column, int rows) {
    Dictionary current = column.dictionary();
    if (current != dictionary) {
      dictionary = current;
      answers = new byte[current.size()];
    } else if (answers.length < current.size()) {
      answers = Arrays.copyOf(answers, Math.max(current.size(), answers.length * 2));
    }
    int[] codes = column.codes();
    boolean[] nulls = column.nulls();
    for (int i = 0; i < rows; i++) {
      if ((nulls == null || !nulls[i]) && answers[codes[i]] == UNKNOWN) {
        answers[codes[i]] = predicate.test(current.get(codes[i])) ? TRUE : FALSE;
      }
    }
    return answers;
  }

  /** Fills in the answer for each row; false for null rows. */
  void test(StringColumn column, boolean[] result, int rows) {
    byte[] known = answers(column, rows);
    int[] codes = column.codes();
    boolean[] nulls = column.nulls();
    for (int i = 0; i < rows; i++) {
      result[i] = (nulls == null || !nulls[i]) && known[codes[i]] == TRUE;
    }
  }

  /** Keeps those of the selected rows for which the predicate is true; null rows are not kept. */
  int refine(StringColumn column, int[] selected, int count) {
    byte[] known = answers(column, column.size());
    int[] codes = column.codes();
    boolean[] nulls = column.nulls();
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += (nulls == null || !nulls[row]) && known[codes[row]] == TRUE ? 1 : 0;
    }
    return kept;
  }
}
