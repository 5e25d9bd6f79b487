package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.StringColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Translates the codes of several dictionaries to those of one, which goes on from batch to batch.
 * Remembers the translation per source dictionary, for a bounded number of them.
 */
final class StringMerger {
  private static final int MOST_SOURCES = 16;
  private static final int UNKNOWN = -1;

  /** What is known of a source: the target's code by the source's, or {@link #UNKNOWN}. */
  private static final class Translation {
    private final Dictionary source;
    private int[] codes = new int[0];

    Translation(Dictionary source) {
      this.source = source;
    }
  }

  private final List<Translation> translations = new ArrayList<>();
  private Dictionary target = new Dictionary();

  /** The dictionary of the next column; a new one if the last is full. */
  Dictionary begin() {
    if (target.isFull()) {
      target = new Dictionary();
      translations.clear();
    }
    return target;
  }

  /** Sets {@code codes[to[i]]} to the code of row {@code from[i]}; 0 where that is null. */
  void copy(StringColumn column, int[] from, int[] codes, int[] to, int count) {
    Translation translation = translation(column.dictionary());
    int[] known = translation.codes;
    int[] source = column.codes();
    for (int i = 0; i < count; i++) {
      int row = from[i];
      if (!column.isNull(row)) {
        int code = source[row];
        int translated = known[code];
        if (translated == UNKNOWN) {
          translated = target.encode(column.dictionary().get(code));
          known[code] = translated;
        }
        codes[to[i]] = translated;
      }
    }
  }

  private Translation translation(Dictionary source) {
    Translation found = null;
    for (Translation translation : translations) {
      if (translation.source == source) {
        found = translation;
        break;
      }
    }
    if (found == null) {
      if (translations.size() == MOST_SOURCES) {
        translations.removeFirst();
      }
      found = new Translation(source);
      translations.add(found);
    }
    int known = found.codes.length;
    if (known < source.size()) {
      int[] grown = Arrays.copyOf(found.codes, Math.max(source.size(), known * 2));
      Arrays.fill(grown, known, grown.length, UNKNOWN);
      found.codes = grown;
    }
    return found;
  }
}
