package io.sedge.learning.training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Middles of kinds of rows; a row is of the kind whose middle is nearest, measured in scaled
 * features.
 *
 * @param centres scaled
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Clusters(Scaling scaling, double[][] centres) implements FittedModel {
  static Clusters of(int features, double[] numbers) {
    Numbers read = new Numbers(numbers);
    Scaling scaling = new Scaling(read.next(features), read.next(features));
    double[][] centres = new double[read.rest(features)][];
    for (int i = 0; i < centres.length; i++) {
      centres[i] = read.next(features);
    }
    return new Clusters(scaling, centres);
  }

  /** The centre that is nearest to a scaled row; the first of several. */
  static int nearest(double[][] centres, double[] scaled) {
    int nearest = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < centres.length; i++) {
      double distance = 0;
      for (int j = 0; j < scaled.length; j++) {
        double difference = scaled[j] - centres[i][j];
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    return nearest;
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.KMEANS;
  }

  @Override
  public int features() {
    return scaling.size();
  }

  @Override
  public double[] numbers() {
    return Numbers.of(scaling, centres);
  }

  @Override
  public int outputs() {
    return 2;
  }

  /** The number of its kind, and how far from the kind's middle it is. */
  @Override
  public double[] score(double[] row) {
    double[] scaled = scaling.scaled(row);
    int kind = nearest(centres, scaled);
    double distance = 0;
    for (int i = 0; i < scaled.length; i++) {
      double difference = scaled[i] - centres[kind][i];
      distance += difference * difference;
    }
    return new double[] {kind, Math.sqrt(distance)};
  }

  /** The squared distances. */
  @Override
  public int measures() {
    return 1;
  }

  @Override
  public void measure(double[] row, Scaling unit, double[] sums) {
    double[] scaled = scaling.scaled(row);
    double[] centre = centres[nearest(centres, scaled)];
    for (int i = 0; i < scaled.length; i++) {
      double middle = centre[i] * scaling.spreads()[i] + scaling.means()[i];
      double distance = unit.scale(i, row[i]) - unit.scale(i, middle);
      sums[0] += distance * distance;
    }
  }

  @Override
  public Metrics metrics(Statistic heldOut) {
    if (heldOut.rows() == 0) {
      return Metrics.UNKNOWN;
    }
    double inertia = heldOut.sums()[0] / heldOut.rows();
    return new Metrics(heldOut.rows(), inertia, Map.of("inertia per row", inertia));
  }

  @Override
  public Map<String, Double> parameters(List<String> features) {
    Map<String, Double> named = new LinkedHashMap<>();
    for (int i = 0; i < centres.length; i++) {
      for (int j = 0; j < features.size(); j++) {
        double middle = centres[i][j] * scaling.spreads()[j] + scaling.means()[j];
        named.put("kind %d: %s".formatted(i, features.get(j)), middle);
      }
    }
    return named;
  }
}
