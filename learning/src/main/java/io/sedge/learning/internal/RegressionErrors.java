package io.sedge.learning.internal;

import io.sedge.engine.column.Column;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Errors of numbers y with scores s, of rows in which both are {@linkplain Numbers#isUsable
 * usable}.
 *
 * <ul>
 *   <li>MAE: the mean of |y - s|. MSE: the mean of (y - s)². RMSE: the root of MSE
 *   <li>MAPE: the mean of |y - s| / |y|, as a fraction, of the rows whose y is neither 0 nor so
 *       near to 0 that the fraction is not usable (Hyndman, Koehler: Another look at measures of
 *       forecast accuracy, 2006)
 *   <li>R²: 1 - the sum of (y - s)² / the sum of (y - mean of y)²; not defined if y does not vary
 *       (Draper, Smith: Applied regression analysis, 1998)
 * </ul>
 *
 * <p>Sums are {@linkplain CompensatedSum compensated}. The spread of y goes by its mean, row by row
 * (Welford, 1962) and in parts (Chan, Golub, LeVeque, 1983), so nothing cancels out if y is far
 * from 0.
 *
 * <p>Format: the three sums, of how many rows the last one is (8 bytes), mean and spread of y.
 */
public final class RegressionErrors extends Errors {
  private final CompensatedSum absolute = new CompensatedSum();
  private final CompensatedSum squared = new CompensatedSum();
  private final CompensatedSum relative = new CompensatedSum();
  private long relativeRows;
  private double mean;
  private double spread;

  @Override
  boolean count(Column labels, Column scores, int row) {
    double label = Numbers.value(labels, row);
    double score = Numbers.value(scores, row);
    if (!Numbers.isUsable(label) || !Numbers.isUsable(score)) {
      return false;
    }
    double error = Math.abs(label - score);
    absolute.add(error);
    squared.add(error * error);
    double share = error / Math.abs(label);
    if (Numbers.isUsable(share)) { // It is not if the label is 0.
      relative.add(share);
      relativeRows++;
    }
    double distance = label - mean;
    mean += distance / (rows() + 1);
    spread += distance * (label - mean);
    return true;
  }

  @Override
  void mergeCounted(Errors other) {
    RegressionErrors from = (RegressionErrors) other;
    if (from.rows() == 0) {
      return;
    }
    absolute.add(from.absolute);
    squared.add(from.squared);
    relative.add(from.relative);
    relativeRows += from.relativeRows;
    double share = (double) from.rows() / (rows() + from.rows());
    double apart = from.mean - mean;
    mean += apart * share;
    spread += from.spread + apart * apart * rows() * share;
  }

  @Override
  double[] counted() {
    double meanSquared = squared.value() / rows();
    return new double[] {
      absolute.value() / rows(),
      meanSquared,
      Math.sqrt(meanSquared),
      relative.value() / relativeRows,
      spread == 0 ? Double.NaN : 1 - squared.value() / spread
    };
  }

  @Override
  void writeCounted(DataOutput output) throws IOException {
    absolute.write(output);
    squared.write(output);
    relative.write(output);
    output.writeLong(relativeRows);
    output.writeDouble(mean);
    output.writeDouble(spread);
  }

  @Override
  void readCounted(DataInput input) throws IOException {
    absolute.read(input);
    squared.read(input);
    relative.read(input);
    relativeRows = input.readLong();
    mean = input.readDouble();
    spread = input.readDouble();
  }
}
