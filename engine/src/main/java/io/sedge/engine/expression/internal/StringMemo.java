package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Kind.Storage;
import io.sedge.engine.type.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A function of one string that is computed once per distinct code of the dictionary seen last.
 * Where a dictionary is new and much larger than the batch, it is computed row by row instead. What
 * is kept is bounded by the size of the dictionary.
 */
final class StringMemo {
  /** A dictionary with more entries per row than this is not worth a table. */
  private static final int MOST_ENTRIES_PER_ROW = 8;

  /** The function; null for a result that is NULL. */
  @FunctionalInterface
  interface Body {
    @Nullable Object apply(String string);
  }

  /** Stands for a NULL that has been computed. */
  private enum Computed {
    NULL
  }

  private final Body body;
  private final Type type;
  private @Nullable Dictionary dictionary;
  private @Nullable Object[] results = new Object[0];
  private Dictionary target = new Dictionary();

  StringMemo(Body body, Type type) {
    this.body = body;
    this.type = type;
  }

  /** The function of each row; NULL for null rows. */
  Column apply(StringColumn column, int rows) {
    Dictionary source = column.dictionary();
    if (source != dictionary && source.size() > (long) rows * MOST_ENTRIES_PER_ROW) {
      return Columns.of(rowByRow(column, rows), type, rows);
    }
    remember(source);
    return type.storage() == Storage.STRING ? mapped(column, rows) : looked(column, rows);
  }

  private @Nullable Object[] rowByRow(StringColumn column, int rows) {
    @Nullable Object[] values = new Object[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = column.isNull(i) ? null : body.apply(column.string(i));
    }
    return values;
  }

  private void remember(Dictionary source) {
    if (source != dictionary) {
      dictionary = source;
      results = new Object[source.size()];
      target = new Dictionary();
    } else if (results.length < source.size()) {
      results = Arrays.copyOf(results, Math.max(source.size(), results.length * 2));
    }
  }

  private Column looked(StringColumn column, int rows) {
    int[] codes = column.codes();
    @Nullable Object[] values = new Object[rows];
    for (int i = 0; i < rows; i++) {
      if (!column.isNull(i)) {
        Object result = results[codes[i]];
        if (result == null) {
          result = body.apply(column.string(i));
          results[codes[i]] = result == null ? Computed.NULL : result;
        }
        values[i] = result instanceof Computed ? null : result;
      }
    }
    return Columns.of(values, type, rows);
  }

  /** Strings to strings: the results are codes of a dictionary of our own. */
  private StringColumn mapped(StringColumn column, int rows) {
    int[] codes = column.codes();
    int[] mapped = new int[rows];
    boolean[] nulls = new boolean[rows];
    boolean any = false;
    for (int i = 0; i < rows; i++) {
      Object result = column.isNull(i) ? Computed.NULL : results[codes[i]];
      if (result == null) {
        String string = (String) body.apply(column.string(i));
        result = string == null ? Computed.NULL : (Object) target.encode(string);
        results[codes[i]] = result;
      }
      if (result instanceof Integer code) {
        mapped[i] = code;
      } else {
        nulls[i] = true;
        any = true;
      }
    }
    return new StringColumn(mapped, target, any ? nulls : null, rows);
  }
}
