package io.sedge.learning.training.internal;

import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Layers;
import io.sedge.learning.training.Network;
import io.sedge.learning.training.NetworkRecipe;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.TrainingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Federated averaging of a network: each device goes over its rows from the same weights on, and
 * the next epoch begins with the average of what they end with, by their rows. McMahan, Moore,
 * Ramage, Hampson, Agüera y Arcas, AISTATS 2017. The rate falls along half a cosine (Loshchilov,
 * Hutter, ICLR 2017), so that in the end devices hardly pull apart; and what they agree on goes on
 * with momentum, what they pull apart does not (Hsu, Qi, Brown, arXiv 1909.06335, 2019). The
 * weights whose loss on rows kept for that was least are the result; if they get no better for a
 * while, that is the end.
 *
 * <p>An update that is much larger than those of others is clipped (Pascanu, Mikolov, Bengio, ICML
 * 2013, do so with a slope): such as of a device whose sensor is broken.
 */
final class Averaging {
  /** So many epochs without a better loss are the end. */
  private static final int PATIENCE = 30;

  /** A loss counts as better if it is so by this share. */
  private static final double BETTER = 1e-4;

  /** The last epoch's rate is this share of the first one's. */
  private static final double LAST_RATE = 0.01;

  /** An update is at most so many times as large as the one in the middle. */
  private static final double MOST_UPDATE = 10;

  /** How much the change of an epoch goes on in the next one. */
  private static final double MOMENTUM = 0.9;

  /** How much squares of an epoch count beside those of all before. */
  private static final double FRESH = 0.3;

  private final Fitting fitting;
  private final NetworkRecipe recipe;
  private final Scaling scaling;
  private final double mean;
  private final double spread;
  private final long rows;

  /**
   * How large a squared slope of each weight is in a step of all devices together, as far as slopes
   * are noise; none before the first epoch.
   */
  private double[] squares = new double[0];

  /** By how much each weight has changed in the epochs before, the last one most. */
  private final double[] going;

  /** In how many epochs a device's update was clipped, or left out. */
  private final NavigableMap<String, Integer> clipped = new TreeMap<>();

  private final NavigableMap<String, Integer> leftOut = new TreeMap<>();

  private Averaging(Fitting fitting, Scaling features, double mean, double spread, long rows) {
    this.fitting = fitting;
    this.recipe = fitting.recipe().network();
    this.scaling = features;
    this.mean = mean;
    this.spread = spread;
    this.rows = rows;
    this.going = new double[layers().weights()];
  }

  /**
   * @param all scaling of the features, then the label
   * @param totals with how often the label is 0, and 1
   */
  static FittedModel fit(Fitting fitting, Scaling features, Scaling all, Statistic totals)
      throws TrainingException, IOException, InterruptedException {
    if (fitting.recipe().algorithm().classes()) {
      double logOdds = Classes.logOdds(fitting.recipe(), totals);
      return new Averaging(fitting, features, 0, 1, totals.rows()).train(logOdds);
    }
    LeastSquares.checkLabel(all);
    int label = features.size();
    return new Averaging(fitting, features, all.means()[label], all.spreads()[label], totals.rows())
        .train(0);
  }

  private Layers layers() {
    return new Layers(scaling.size(), recipe.hidden(), recipe.activation());
  }

  private Network network(double[] weights) {
    return new Network(fitting.recipe().algorithm(), layers(), scaling, mean, spread, weights);
  }

  /** The first epoch only finds how large slopes are, the last one only how good weights are. */
  private FittedModel train(double intercept)
      throws TrainingException, IOException, InterruptedException {
    double[] weights = first(intercept);
    double[] best = weights;
    double least = Double.POSITIVE_INFINITY;
    int bestEpoch = 0;
    boolean judged = true;
    for (int epoch = 0; epoch <= recipe.epochs() + 1 && epoch - bestEpoch <= PATIENCE; epoch++) {
      Question.Epoch question = question(weights, epoch);
      NavigableMap<String, Statistic> answers = fitting.askEach(question);
      judged = judgedRows(answers) > 0;
      double loss = loss(answers) / judgedRows(answers);
      if (!judged || loss < least * (1 - BETTER)) {
        least = loss;
        best = weights;
        bestEpoch = epoch;
      }
      weights = averaged(question, answers);
    }
    fitting.note(
        judged
            ? "the weights after %d of at most %d epochs were the best on rows kept for that"
                .formatted(Math.max(0, bestEpoch - 1), recipe.epochs())
            : "no device had rows enough to say when to stop, so it learned for %d epochs"
                .formatted(recipe.epochs()));
    sayUpdates();
    return network(best);
  }

  private void sayUpdates() {
    clipped.forEach(
        (device, epochs) ->
            fitting.note(
                "the update of %s was clipped in %d epochs, as it was more than %s times as large as others: look at its sensors"
                    .formatted(device, epochs, MOST_UPDATE)));
    leftOut.forEach(
        (device, epochs) ->
            fitting.note(
                "the update of %s was left out in %d epochs, as it was no number: look at its sensors"
                    .formatted(device, epochs)));
  }

  private Question.Epoch question(double[] weights, int epoch) {
    boolean moves = epoch > 0 && epoch <= recipe.epochs();
    double done = (epoch - 1.0) / Math.max(1, recipe.epochs() - 1);
    double share = LAST_RATE + (1 - LAST_RATE) * (1 + Math.cos(Math.PI * done)) / 2;
    return new Question.Epoch(
        network(weights),
        squares.length == 0 ? new double[weights.length] : squares,
        new Question.Step(
            moves ? recipe.rate() * share : 0,
            fitting.recipe().ridge() / rows,
            Math.clamp(Math.ceilDiv(rows, recipe.batch()), 1, Question.Step.MOST_BATCHES),
            recipe.seed() + epoch));
  }

  /**
   * Small weights at random, such that values neither grow nor vanish from layer to layer. Glorot,
   * Bengio, AISTATS 2010.
   */
  private double[] first(double intercept) {
    SplittableRandom random = new SplittableRandom(recipe.seed());
    int[] sizes = layers().sizes();
    double[] weights = new double[layers().weights()];
    int at = 0;
    for (int layer = 1; layer < sizes.length; layer++) {
      double reach = Math.sqrt(6.0 / (sizes[layer - 1] + sizes[layer]));
      for (int i = 0; i < sizes[layer - 1] * sizes[layer]; i++) {
        weights[at++] = random.nextDouble(-reach, reach);
      }
      at += sizes[layer];
    }
    weights[at - 1] = intercept;
    return weights;
  }

  /** Of the weights before the epoch, over all rows that are kept for that. */
  private static double loss(NavigableMap<String, Statistic> answers) {
    return answers.values().stream().mapToDouble(answer -> answer.sums()[0]).sum();
  }

  private static double judgedRows(NavigableMap<String, Statistic> answers) {
    return answers.values().stream().mapToDouble(answer -> answer.sums()[1]).sum();
  }

  /**
   * By how much the weights of a device have changed, and the size of its slopes. At a rate of 0
   * they have not: what they differ by is how they were rounded.
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  private record Update(
      String device,
      long rows,
      double[] change,
      double[] squares,
      double length,
      double squaresSum) {
    static Update of(String device, Question.Epoch question, Statistic answer) {
      double[] before = question.network().weights();
      boolean moves = question.step().rate() > 0;
      int size = before.length;
      double[] change = new double[size];
      double[] squares = new double[size];
      for (int i = 0; i < size; i++) {
        change[i] = moves ? answer.sums()[2 + i] / answer.rows() - before[i] : 0;
        squares[i] = answer.sums()[2 + size + i] / answer.rows();
      }
      double length = Math.sqrt(Arrays.stream(change).map(value -> value * value).sum());
      return new Update(
          device, answer.rows(), change, squares, length, Arrays.stream(squares).sum());
    }
  }

  /** The next weights; finds the next squares too. */
  private double[] averaged(Question.Epoch question, NavigableMap<String, Statistic> answers)
      throws TrainingException {
    double[] weights = question.network().weights();
    List<Update> updates = updates(question, answers);
    double all = updates.stream().mapToLong(Update::rows).sum();
    double mostChange = MOST_UPDATE * middle(updates, Update::length);
    double mostSquares = MOST_UPDATE * MOST_UPDATE * middle(updates, Update::squaresSum);
    double[] change = new double[weights.length];
    double[] fresh = new double[weights.length];
    for (Update update : updates) {
      double share = update.rows() / all;
      double kept = Math.min(1, mostChange / Math.max(update.length(), Double.MIN_NORMAL));
      double keptSquares =
          Math.min(1, mostSquares / Math.max(update.squaresSum(), Double.MIN_NORMAL));
      for (int i = 0; i < change.length; i++) {
        change[i] += share * kept * update.change()[i];
        fresh[i] += share * share * keptSquares * update.squares()[i];
      }
      if (update.length() > mostChange || update.squaresSum() > mostSquares) {
        clipped.merge(update.device(), 1, Integer::sum);
      }
    }
    squares = squares.length == 0 ? fresh : mixed(squares, fresh);
    double[] next = weights.clone();
    for (int i = 0; i < next.length; i++) {
      going[i] = MOMENTUM * going[i] + change[i];
      next[i] += going[i];
    }
    return next;
  }

  private static double[] mixed(double[] before, double[] fresh) {
    double[] mixed = new double[before.length];
    Arrays.setAll(mixed, i -> (1 - FRESH) * before[i] + FRESH * fresh[i]);
    return mixed;
  }

  private List<Update> updates(Question.Epoch question, NavigableMap<String, Statistic> answers)
      throws TrainingException {
    List<Update> updates = new ArrayList<>();
    for (Map.Entry<String, Statistic> answer : answers.entrySet()) {
      if (answer.getValue().rows() > 0) {
        Update update = Update.of(answer.getKey(), question, answer.getValue());
        if (Double.isFinite(update.length()) && Double.isFinite(update.squaresSum())) {
          updates.add(update);
        } else {
          leftOut.merge(answer.getKey(), 1, Integer::sum);
        }
      }
    }
    if (updates.isEmpty()) {
      throw new TrainingException(
          "the weights of no device are numbers any more: set 'train.rate' lower, and look for"
              + " values that no sensor can give");
    }
    return updates;
  }

  /** Half of all rows are behind updates for which it is no larger. */
  private static double middle(List<Update> updates, ToDoubleFunction<Update> what) {
    List<Update> sorted = new ArrayList<>(updates);
    sorted.sort(Comparator.comparingDouble(what));
    double half = updates.stream().mapToLong(Update::rows).sum() / 2.0;
    double rows = 0;
    int at = -1;
    while (rows < half) {
      rows += sorted.get(++at).rows();
    }
    return what.applyAsDouble(sorted.get(at));
  }
}
