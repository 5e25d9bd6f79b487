package io.sedge.learning.training.internal;

import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.TrainingException;

/** Labels that are 0 or 1. */
final class Classes {
  private Classes() {}

  /**
   * The logarithm of how many rows have the label 1 for each that has 0.
   *
   * @param totals answer to {@link io.sedge.learning.training.Question.Totals}
   * @throws TrainingException if there is another label, or one only
   */
  static double logOdds(Recipe recipe, Statistic totals) throws TrainingException {
    double zeros = totals.sums()[recipe.columns()];
    double ones = totals.sums()[recipe.columns() + 1];
    check(recipe, totals.rows(), (long) (zeros + ones));
    if (zeros == 0 || ones == 0) {
      throw new TrainingException(
          "%s is %d in all of %,d rows: there is nothing to tell apart; wait until the history has both"
              .formatted(recipe.label().orElseThrow(), ones == 0 ? 0 : 1, totals.rows()));
    }
    return Math.log(ones / zeros);
  }

  /**
   * @param classed how many rows have the label 0 or 1
   * @throws TrainingException if there are more rows
   */
  static void check(Recipe recipe, long rows, long classed) throws TrainingException {
    if (classed < rows) {
      throw new TrainingException(
          "%s is neither 0 nor 1 in %,d of %,d rows; %s tells two classes apart: make it 0 and 1 in the SELECT of the model (CASE WHEN … THEN 1 ELSE 0 END)"
              .formatted(
                  recipe.label().orElseThrow(), rows - classed, rows, recipe.algorithm().text()));
    }
  }
}
