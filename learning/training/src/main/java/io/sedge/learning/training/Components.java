package io.sedge.learning.training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How columns usually go together: the directions in which scaled rows spread most. What a row has
 * beside them is Q, its squared distance from what they span; how far out it is along them is
 * Hotelling's T².
 *
 * @param directions each of length 1, the widest first
 * @param variances of the rows along each
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Components(Scaling scaling, double[][] directions, double[] variances)
    implements FittedModel {
  private static final int BESIDE = 0;
  private static final int ALL = 1;

  public Components {
    if (directions.length != variances.length) {
      throw new IllegalArgumentException(
          "%d directions with %d variances".formatted(directions.length, variances.length));
    }
  }

  static Components of(int features, double[] numbers) {
    Numbers read = new Numbers(numbers);
    Scaling scaling = new Scaling(read.next(features), read.next(features));
    int count = read.rest(features + 1);
    double[][] directions = new double[count][];
    for (int i = 0; i < count; i++) {
      directions[i] = read.next(features);
    }
    return new Components(scaling, directions, read.next(count));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.PCA;
  }

  @Override
  public int features() {
    return scaling.size();
  }

  @Override
  public double[] numbers() {
    double[][] rows = java.util.Arrays.copyOf(directions, directions.length + 1);
    rows[directions.length] = variances;
    return Numbers.of(scaling, rows);
  }

  @Override
  public int outputs() {
    return 2;
  }

  /** Q, then T². */
  @Override
  public double[] score(double[] row) {
    double[] scaled = scaling.scaled(row);
    double[] along = new double[scaled.length];
    double far = 0;
    for (int i = 0; i < directions.length; i++) {
      double length = addAlong(directions[i], scaled, along);
      far += length * length / variances[i];
    }
    double beside = 0;
    for (int i = 0; i < scaled.length; i++) {
      beside += (scaled[i] - along[i]) * (scaled[i] - along[i]);
    }
    return new double[] {beside, far};
  }

  /** Adds what a row has along a direction; how much that is. */
  private static double addAlong(double[] direction, double[] scaled, double[] along) {
    double length = 0;
    for (int i = 0; i < scaled.length; i++) {
      length += direction[i] * scaled[i];
    }
    for (int i = 0; i < scaled.length; i++) {
      along[i] += length * direction[i];
    }
    return length;
  }

  @Override
  public int measures() {
    return 2;
  }

  @Override
  public void measure(double[] row, Scaling unit, double[] sums) {
    double[] scaled = scaling.scaled(row);
    double[] along = new double[scaled.length];
    for (double[] direction : directions) {
      addAlong(direction, scaled, along);
    }
    for (int i = 0; i < scaled.length; i++) {
      double whole = unit.scale(i, row[i]);
      double seen = along[i] * scaling.spreads()[i] + scaling.means()[i];
      double beside = whole - unit.scale(i, seen);
      sums[BESIDE] += beside * beside;
      sums[ALL] += whole * whole;
    }
  }

  @Override
  public Metrics metrics(Statistic heldOut) {
    double[] sums = heldOut.sums();
    if (heldOut.rows() == 0 || sums[ALL] == 0) {
      return Metrics.UNKNOWN;
    }
    double unexplained = sums[BESIDE] / sums[ALL];
    return new Metrics(heldOut.rows(), unexplained, Map.of("explained variance", 1 - unexplained));
  }

  @Override
  public Map<String, Double> parameters(List<String> features) {
    Map<String, Double> named = new LinkedHashMap<>();
    for (int i = 0; i < directions.length; i++) {
      named.put("variance %d".formatted(i), variances[i]);
      for (int j = 0; j < features.size(); j++) {
        named.put("direction %d: %s".formatted(i, features.get(j)), directions[i][j]);
      }
    }
    return named;
  }
}
