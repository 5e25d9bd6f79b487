package io.sedge.learning.training;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One epoch of a network over the rows of one device, in steps of mini-batches with momentum. A
 * weight's step is in units of the square root of its mean squared slope, as in Adam; but that is
 * the same on all devices during an epoch, so that they pull at the same scale: else what they
 * agree on is not where their common loss is least. Kingma, Ba, ICLR 2015; Chen, Li, Li, FODS 2020.
 *
 * <p>Devices make equally many steps, however many rows they have: else one that makes more pulls
 * harder. Wang, Liu, Liang, Joshi, Poor, NeurIPS 2020. Only one with fewer rows than steps makes
 * fewer: one for each row.
 *
 * <p>Rows of a mini-batch are from all over the history: it is cut into segments of equal length,
 * each of which gives one row after the other from a random place on. So each row counts once in an
 * epoch, and files are read from front to back at a few places.
 */
final class Descent {
  private static final double MOMENTUM = 0.9;

  private static final int MOST_SEGMENTS = 1_000;

  /** A slope counts for so many of its usual size at most. */
  private static final double MOST_SLOPE = 10;

  /** Of the largest weight's usual slope: one that hardly has any does not go far for that. */
  private static final double LEAST_SLOPE = 1e-3;

  private final Question.Epoch question;
  private final MemorySegment rows;
  private final TrainingShare share;
  private final double[] row;
  private final double[] weights;
  private final double[] slope;
  private final double[] momentum;
  private final double[] squares;
  private final double[] usual;
  private final Perceptron perceptron;

  /**
   * @param rows one after the other
   * @param columns of a row
   */
  Descent(Question.Epoch question, MemorySegment rows, int columns, TrainingShare share) {
    this.question = question;
    this.rows = rows;
    this.share = share;
    this.row = new double[columns];
    this.weights = question.network().weights().clone();
    this.slope = new double[weights.length];
    this.momentum = new double[weights.length];
    this.squares = new double[weights.length];
    this.usual = usual(question.squares());
    this.perceptron = new Perceptron(question.network().layers());
  }

  private static double[] usual(double[] squares) {
    double[] roots = Arrays.stream(squares).map(Math::sqrt).toArray();
    double least = LEAST_SLOPE * Arrays.stream(roots).max().orElse(0) + Double.MIN_NORMAL;
    return Arrays.stream(roots).map(root -> Math.max(root, least)).toArray();
  }

  /**
   * Learns from the first rows; the ones after them say how good the weights were before.
   *
   * @param learned how many rows are learned from
   * @param end of those that are not
   */
  Statistic answer(long learned, long end) throws InterruptedException {
    share.begin();
    double loss = 0;
    for (long at = learned; at < end; at++) {
      loss += loss(at);
      if (at % 1_000 == 0) {
        share.rest();
      }
    }
    int steps = (int) Math.min(question.step().batches(), learned);
    descend(learned, steps);
    double[] sums = new double[question.size()];
    sums[0] = loss;
    sums[1] = end - learned;
    for (int i = 0; i < weights.length; i++) {
      sums[2 + i] = learned * weights[i];
      sums[2 + weights.length + i] = learned * squares[i] / steps;
    }
    return new Statistic(learned, sums);
  }

  private double loss(long at) {
    double score = score(at);
    double label = label();
    return question.network().algorithm().classes()
        ? Logistic.loss(score, label)
        : (score - label) * (score - label);
  }

  private double score(long at) {
    MemorySegment.copy(
        rows,
        ValueLayout.JAVA_DOUBLE_UNALIGNED,
        at * row.length * Double.BYTES,
        row,
        0,
        row.length);
    return perceptron.score(weights, question.network().scaling().scaled(row));
  }

  /** Of the row that was scored last, scaled. */
  private double label() {
    Network network = question.network();
    return (row[network.features()] - network.mean()) / network.spread();
  }

  /**
   * Goes over rows.
   *
   * @param batches at most as many as rows, so that none is empty
   */
  private void descend(long learned, int batches) throws InterruptedException {
    int segments = Math.clamp(learned / batches, 1, MOST_SEGMENTS);
    long[] begins = new long[segments + 1];
    long[] shifts = new long[segments];
    SplittableRandom random = new SplittableRandom(question.step().seed());
    for (int i = 0; i < segments; i++) {
      begins[i + 1] = learned * (i + 1) / segments;
      shifts[i] = random.nextLong(begins[i + 1] - begins[i]);
    }
    for (int batch = 0; batch < batches; batch++) {
      int count = 0;
      Arrays.fill(slope, 0);
      for (int i = 0; i < segments; i++) {
        long length = begins[i + 1] - begins[i];
        for (long at = length * batch / batches; at < length * (batch + 1) / batches; at++) {
          addSlope(begins[i] + (shifts[i] + at) % length);
          count++;
        }
      }
      step(count, batch + 1);
      share.rest();
    }
  }

  private void addSlope(long at) {
    double score = score(at);
    boolean classes = question.network().algorithm().classes();
    double error = (classes ? Logistic.likelihood(score) : score) - label();
    perceptron.addGradient(weights, error, slope);
  }

  /**
   * @param number of the step, from 1 on
   */
  private void step(int count, int number) {
    double rate = question.step().rate();
    double reach = rate / (1 - Math.pow(MOMENTUM, number));
    for (int i = 0; i < weights.length; i++) {
      double one = slope[i] / count;
      if (rate > 0) {
        one = Math.clamp(one, -MOST_SLOPE * usual[i], MOST_SLOPE * usual[i]);
        double pull = (one + question.step().decay() * weights[i]) / usual[i];
        momentum[i] = MOMENTUM * momentum[i] + (1 - MOMENTUM) * pull;
        weights[i] -= reach * momentum[i];
      }
      squares[i] += one * one;
    }
  }
}
