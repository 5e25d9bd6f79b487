package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.jspecify.annotations.Nullable;

/**
 * Hotelling's T²: {@code (x - mean)' S^-1 (x - mean)} with the mean and the sample covariance S of
 * what was learnt, one point after the other. In whatever units values that change are, it is the
 * same.
 *
 * <p>Source: Hotelling, "Multivariate Quality Control", in Eisenhart, Hastay, Wallis, "Techniques
 * of Statistical Analysis", 1947.
 */
final class Hotelling {
  /**
   * Is added to each variance, of values in units of their deviation: values that have always gone
   * together are a direction with a small deviation, not with none.
   */
  private static final double RIDGE = 1e-6;

  /** The deviation of a value that has never changed, as a share of it. */
  private static final double STILL = 1e-9;

  private long count;
  private double[] mean = {};

  /** Sums of products of deviations: the lower triangle, row by row. */
  private double[] products = {};

  /** Of the point that is looked at. */
  private double[] deviations = {};

  /** What follows from the products; null after each point that is learnt. */
  private @Nullable Metric metric;

  @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
  private record Metric(double[] units, double[] inverse) {}

  /** Learns from a point, with as many values as the first one. */
  void learn(double[] point) {
    if (count == 0) {
      mean = new double[point.length];
      deviations = new double[point.length];
      products = new double[point.length * (point.length + 1) / 2];
    }
    metric = null;
    double weight = count / (count + 1.0);
    count++;
    int at = 0;
    for (int i = 0; i < point.length; i++) {
      for (int j = 0; j <= i; j++) {
        products[at++] += weight * (point[i] - mean[i]) * (point[j] - mean[j]);
      }
    }
    for (int i = 0; i < point.length; i++) {
      mean[i] += (point[i] - mean[i]) / count;
    }
  }

  /** T² of a point, once two were learnt. */
  double statistic(double[] point) {
    Metric known = metric;
    if (known == null) {
      known = metric();
      metric = known;
    }
    double sum = 0;
    for (int i = 0; i < point.length; i++) {
      deviations[i] = (point[i] - mean[i]) / known.units()[i];
      double row = 0;
      for (int j = 0; j < i; j++) {
        row += known.inverse()[i * point.length + j] * deviations[j];
      }
      sum += deviations[i] * (2 * row + known.inverse()[i * point.length + i] * deviations[i]);
    }
    return sum;
  }

  /** How far a value of the last point that was looked at is from the mean, in deviations. */
  double deviation(int value) {
    return deviations[value];
  }

  private Metric metric() {
    int size = mean.length;
    double[] units = new double[size];
    for (int i = 0; i < size; i++) {
      double deviation = Math.sqrt(products[place(i, i)] / (count - 1));
      units[i] = deviation > 0 ? deviation : STILL * Math.max(1, Math.abs(mean[i]));
    }
    DMatrixRMaj correlation = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < i; j++) {
        double value = products[place(i, j)] / (count - 1) / units[i] / units[j];
        correlation.set(i, j, value);
        correlation.set(j, i, value);
      }
      correlation.set(i, i, 1 + RIDGE);
    }
    LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.symmPosDef(size);
    DMatrixRMaj inverse = new DMatrixRMaj(size, size);
    if (!solver.setA(correlation)) {
      throw new IllegalStateException("correlations of %d values".formatted(size));
    }
    solver.invert(inverse);
    return new Metric(units, inverse.getData());
  }

  private static int place(int row, int column) {
    return row * (row + 1) / 2 + column;
  }

  void write(DataOutput output) throws IOException {
    output.writeLong(count);
    for (double value : mean) {
      output.writeDouble(value);
    }
    for (double value : products) {
      output.writeDouble(value);
    }
  }

  /**
   * Reads what another one wrote.
   *
   * @param values of a point
   */
  void read(DataInput input, int values) throws IOException {
    count = input.readLong();
    mean = new double[values];
    deviations = new double[values];
    products = new double[values * (values + 1) / 2];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = input.readDouble();
    }
    for (int i = 0; i < products.length; i++) {
      products[i] = input.readDouble();
    }
    metric = null;
  }
}
