package io.sedge.sql.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Schema;
import io.sedge.learning.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores by a model, as a function from its features to a ROW. A row with a NULL feature is not
 * scored: its ROW is NULL.
 */
final class Prediction implements ScalarFunction {
  private final Scorer scorer;
  private final Schema output;

  Prediction(Scorer scorer, Schema output) {
    this.scorer = scorer;
    this.output = output;
  }

  @Override
  public Column apply(List<Column> features, int rows) {
    boolean[] nulls = nulls(features, rows);
    if (nulls == null) {
      return new RowColumn(rows == 0 ? empty(0) : scorer.score(features, rows), null, rows);
    }
    int[] whole = new int[rows];
    int[] places = new int[rows];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (!nulls[row]) {
        places[row] = count;
        whole[count++] = row;
      }
    }
    if (count == 0) {
      return new RowColumn(empty(rows), nulls, rows);
    }
    List<Column> gathered = new ArrayList<>();
    for (Column feature : features) {
      gathered.add(feature.gather(whole, count));
    }
    List<Column> scores =
        scorer.score(gathered, count).stream().map(score -> score.gather(places, rows)).toList();
    return new RowColumn(scores, nulls, rows);
  }

  /** Which rows have a feature that is NULL; null if none has. */
  private static boolean @Nullable [] nulls(List<Column> features, int rows) {
    boolean[] nulls = null;
    for (Column feature : features) {
      boolean[] own = feature.nulls();
      if (own != null) {
        boolean any = false;
        boolean[] all = nulls == null ? new boolean[rows] : nulls;
        for (int row = 0; row < rows; row++) {
          all[row] |= own[row];
          any |= all[row];
        }
        nulls = any ? all : nulls;
      }
    }
    return nulls == null ? null : Arrays.copyOf(nulls, rows);
  }

  private List<Column> empty(int rows) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < output.size(); i++) {
      ColumnBuilder builder = ColumnBuilder.of(output.type(i));
      for (int row = 0; row < rows; row++) {
        builder.addNull();
      }
      columns.add(builder.build());
    }
    return columns;
  }
}
