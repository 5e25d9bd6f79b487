package io.sedge.learning.training;

import io.sedge.learning.Distribution;

/**
 * What devices are asked in a pass over their rows. The answer is a {@link Statistic}: sums over
 * rows, so that answers of devices add up. A row has the features, then the label if there is one.
 * Immutable.
 *
 * <p>These sums, and how many rows are behind them, are all that leaves a device.
 */
public sealed interface Question {
  /** How many columns a row has. */
  int columns();

  /** How many sums there are. */
  int size();

  /** Rows of a device, in the order of its history. */
  enum Part {
    /** The older ones, from which the model is found. */
    FITTING,
    /** The newest ones, by which it is judged. */
    HELD_OUT
  }

  /**
   * One whose answer is sums to which each row adds by itself: answers of devices add up to the
   * answer of all rows in one place.
   */
  sealed interface Sum extends Question {
    /** Over which rows. */
    Part part();

    /** Adds a row to the sums. */
    void add(double[] row, double[] sums);

    /**
     * Takes out of the sums of a device what fewer rows are behind than allowed; how many rows
     * those were.
     */
    default long withhold(double[] sums, long leastRows) {
      return 0;
    }
  }

  /** The sum of each column, then how often the last one is 0, and 1. */
  record Totals(int columns) implements Sum {
    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int size() {
      return columns + 2;
    }

    @Override
    public void add(double[] row, double[] sums) {
      for (int i = 0; i < columns; i++) {
        sums[i] += row[i];
      }
      double last = row[columns - 1];
      sums[columns] += last == 0 ? 1 : 0;
      sums[columns + 1] += last == 1 ? 1 : 0;
    }
  }

  /** The sum of squared distances of each column from its mean. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Spreads(double[] means) implements Sum {
    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int columns() {
      return means.length;
    }

    @Override
    public int size() {
      return means.length;
    }

    @Override
    public void add(double[] row, double[] sums) {
      for (int i = 0; i < means.length; i++) {
        double distance = row[i] - means[i];
        sums[i] += distance * distance;
      }
    }
  }

  /**
   * The products of each two scaled columns: the upper triangle of a matrix, row by row. The scaled
   * columns' correlation, once divided by the number of rows.
   */
  record Products(Scaling scaling) implements Sum {
    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int columns() {
      return scaling.size();
    }

    @Override
    public int size() {
      return triangle(scaling.size());
    }

    @Override
    public void add(double[] row, double[] sums) {
      addProducts(scaling.scaled(row), 1, sums, 0);
    }
  }

  /**
   * What Newton's method asks of logistic regression at some weights: the loss, its slope and its
   * curvature (the upper triangle). The label is the last column.
   *
   * @param scaling of the features
   * @param weights of the scaled features, then the intercept
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Slopes(Scaling scaling, double[] weights) implements Sum {
    public Slopes {
      if (weights.length != scaling.size() + 1) {
        throw new IllegalArgumentException(
            "%d weights of %d features".formatted(weights.length, scaling.size()));
      }
    }

    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int columns() {
      return scaling.size() + 1;
    }

    @Override
    public int size() {
      return 1 + weights.length + triangle(weights.length);
    }

    @Override
    public void add(double[] row, double[] sums) {
      int features = scaling.size();
      double[] scaled = new double[features + 1];
      double score = weights[features];
      for (int i = 0; i < features; i++) {
        scaled[i] = scaling.scale(i, row[i]);
        score += weights[i] * scaled[i];
      }
      scaled[features] = 1;
      double label = row[features];
      double likelihood = Logistic.likelihood(score);
      sums[0] += Logistic.loss(score, label);
      for (int i = 0; i <= features; i++) {
        sums[1 + i] += (likelihood - label) * scaled[i];
      }
      addProducts(scaled, likelihood * (1 - likelihood), sums, 1 + scaled.length);
    }
  }

  /**
   * How many rows are nearest to each centre, the sums of their scaled columns, and of all squared
   * distances.
   *
   * @param centres scaled
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Nearest(Scaling scaling, double[][] centres) implements Sum {
    public Nearest {
      for (double[] centre : centres) {
        if (centre.length != scaling.size()) {
          throw new IllegalArgumentException(
              "a centre of %d columns, not %d".formatted(centre.length, scaling.size()));
        }
      }
    }

    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int columns() {
      return scaling.size();
    }

    /** Of a centre: rows, then a sum for each column. */
    private int stride() {
      return 1 + scaling.size();
    }

    @Override
    public int size() {
      return centres.length * stride();
    }

    @Override
    public void add(double[] row, double[] sums) {
      double[] scaled = scaling.scaled(row);
      int at = Clusters.nearest(centres, scaled) * stride();
      sums[at]++;
      for (int i = 0; i < scaled.length; i++) {
        sums[at + 1 + i] += scaled[i];
      }
    }

    /** The few rows of a device that are of a kind would show themselves by its sums. */
    @Override
    public long withhold(double[] sums, long leastRows) {
      long withheld = 0;
      for (int centre = 0; centre < centres.length; centre++) {
        int at = centre * stride();
        if (sums[at] < leastRows) {
          withheld += (long) sums[at];
          java.util.Arrays.fill(sums, at, at + stride(), 0);
        }
      }
      return withheld;
    }
  }

  /**
   * How far a model is off: {@link FittedModel#measure}.
   *
   * @param unit what distances between rows are measured in, so that those of two models compare
   */
  record Errors(FittedModel model, Scaling unit) implements Sum {
    @Override
    public Part part() {
      return Part.HELD_OUT;
    }

    @Override
    public int columns() {
      return unit.size() + (model.algorithm().labelled() ? 1 : 0);
    }

    @Override
    public int size() {
      return model.measures();
    }

    @Override
    public void add(double[] row, double[] sums) {
      model.measure(row, unit, sums);
    }
  }

  /**
   * How the scores of a model are spread: for each column of them the sum of distances from a
   * middle, then the sum of their squares.
   *
   * @param middle of the scores, so that sums of squares keep their digits
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Scores(FittedModel model, double[] middle) implements Sum {
    public Scores {
      if (middle.length != model.outputs()) {
        throw new IllegalArgumentException(
            "%d middles of %d scores".formatted(middle.length, model.outputs()));
      }
    }

    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int columns() {
      return model.features();
    }

    @Override
    public int size() {
      return 2 * middle.length;
    }

    @Override
    public void add(double[] row, double[] sums) {
      double[] score = model.score(row);
      for (int i = 0; i < score.length; i++) {
        double distance = score[i] - middle[i];
        sums[2 * i] += distance;
        sums[2 * i + 1] += distance * distance;
      }
    }
  }

  /**
   * How many rows are in each bin of each feature, then of each column of a model's score.
   *
   * @param edges between the bins of each column
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Bins(FittedModel model, double[][] edges) implements Sum {
    public Bins {
      if (edges.length != model.features() + model.outputs()) {
        throw new IllegalArgumentException(
            "bins of %d columns of a model with %d features"
                .formatted(edges.length, model.features()));
      }
      for (double[] each : edges) {
        if (each.length > Distribution.MOST_EDGES) {
          throw new IllegalArgumentException("%d edges".formatted(each.length));
        }
      }
    }

    @Override
    public Part part() {
      return Part.FITTING;
    }

    @Override
    public int columns() {
      return model.features();
    }

    @Override
    public int size() {
      int bins = 0;
      for (double[] each : edges) {
        bins += each.length + 1;
      }
      return bins;
    }

    @Override
    public void add(double[] row, double[] sums) {
      double[] score = model.score(row);
      int features = model.features();
      int at = 0;
      for (int i = 0; i < edges.length; i++) {
        double value = i < features ? row[i] : score[i - features];
        sums[at + Distribution.bin(edges[i], value)]++;
        at += edges[i].length + 1;
      }
    }
  }

  /**
   * What a device makes of a network's weights in one epoch over its older rows, in steps of
   * mini-batches ({@link Descent}). The answer: the loss of the weights that came, over rows kept
   * for that, and how many these were; then, times the device's rows, the weights that it ends
   * with, and the mean of each weight's squared slope.
   *
   * @param network with the weights to begin with
   * @param squares how large a squared slope of each weight is, all devices taken together
   * @param step how an epoch goes
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Epoch(Network network, double[] squares, Step step) implements Question {
    public Epoch {
      if (squares.length != network.weights().length) {
        throw new IllegalArgumentException(
            "%d squares of %d weights".formatted(squares.length, network.weights().length));
      }
    }

    @Override
    public int columns() {
      return network.features() + 1;
    }

    @Override
    public int size() {
      return 2 + 2 * squares.length;
    }
  }

  /**
   * How a network's epoch goes.
   *
   * @param rate how far weights go in a step, in units of their usual step; with 0 they stay
   * @param decay what a weight of 1 adds to its own slope
   * @param batches into how many mini-batches a device cuts its rows
   * @param seed of the order of rows
   */
  record Step(double rate, double decay, int batches, int seed) {
    public static final int MOST_BATCHES = 10_000_000;

    public Step {
      if (!(rate >= 0 && rate <= 1 && decay >= 0) || batches < 1 || batches > MOST_BATCHES) {
        throw new IllegalArgumentException(
            "%d batches at rate %s with decay %s".formatted(batches, rate, decay));
      }
    }

    double[] numbers() {
      return new double[] {rate, decay, batches, seed};
    }

    static Step of(Numbers numbers) {
      double[] both = numbers.next(2);
      return new Step(
          both[0], both[1], numbers.whole(MOST_BATCHES), numbers.whole(Integer.MAX_VALUE));
    }
  }

  /** How many values the upper triangle of a square matrix has. */
  static int triangle(int columns) {
    return columns * (columns + 1) / 2;
  }

  private static void addProducts(double[] values, double weight, double[] sums, int from) {
    int at = from;
    for (int i = 0; i < values.length; i++) {
      double weighted = weight * values[i];
      for (int j = i; j < values.length; j++) {
        sums[at++] += weighted * values[j];
      }
    }
  }
}
