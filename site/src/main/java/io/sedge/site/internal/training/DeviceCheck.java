package io.sedge.site.internal.training;

import io.sedge.learning.training.Question;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Statistic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Looks for devices whose columns are far from those of all others, as of a sensor that is broken:
 * its mean is more than {@value #FAR} of the others' standard deviations away from theirs. Nothing
 * is left out for that: people are told. One thread.
 */
final class DeviceCheck {
  private static final double FAR = 10;

  private final List<String> columns;
  private NavigableMap<String, Statistic> totals = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();

  DeviceCheck(Recipe recipe) {
    this.columns = new ArrayList<>(recipe.features());
    recipe.label().ifPresent(columns::add);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Takes what devices have answered to a question. */
  void take(Question question, NavigableMap<String, Statistic> answers) {
    switch (question) {
      case Question.Totals _ -> totals = answers;
      case Question.Spreads spreads -> compare(spreads.means(), answers);
      case Question.Products _,
          Question.Slopes _,
          Question.Nearest _,
          Question.Errors _,
          Question.Scores _,
          Question.Bins _,
          Question.Epoch _ -> {}
    }
  }

  /**
   * @param means of all rows
   * @param squares of distances from them
   */
  private void compare(double[] means, NavigableMap<String, Statistic> squares) {
    for (Map.Entry<String, Statistic> one : squares.entrySet()) {
      Statistic own = totals.get(one.getKey());
      if (own == null || own.rows() == 0) {
        continue;
      }
      for (int column = 0; column < means.length; column++) {
        compare(one.getKey(), own.sums()[column] / own.rows(), means[column], column, squares);
      }
    }
  }

  private void compare(
      String device,
      double ownMean,
      double meanOfAll,
      int column,
      NavigableMap<String, Statistic> squares) {
    double rows = 0;
    double sum = 0;
    double square = 0;
    for (Map.Entry<String, Statistic> other : squares.entrySet()) {
      Statistic total = totals.get(other.getKey());
      if (!other.getKey().equals(device) && total != null) {
        rows += other.getValue().rows();
        sum += total.sums()[column];
        square += other.getValue().sums()[column];
      }
    }
    if (rows == 0) {
      return;
    }
    double mean = sum / rows;
    double shift = mean - meanOfAll;
    double spread = Math.sqrt(Math.max(0, square / rows - shift * shift));
    // A spread that is rounding would make every difference a large one.
    double least = Math.max(spread, 1e-9 * Math.abs(mean));
    if (Math.abs(ownMean - mean) > FAR * least && least > 0) {
      notes.add(
          "%s of device %s is %.4g on average, that of the others %.4g ± %.4g: look at its sensor, or leave such rows out in the SELECT"
              .formatted(columns.get(column), device, ownMean, mean, spread));
    }
  }
}
