package io.sedge.learning.training.internal;

import io.sedge.learning.Distribution;
import io.sedge.learning.Reference;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Logistic;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.Trained;
import io.sedge.learning.training.Trainer;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.UnknownQuestionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/** One training: scales the columns, has the algorithm find a model, and judges it. */
public final class Fitting {
  /** A spread that is less than this share of its mean is rounding: the column is constant. */
  private static final double LEAST_SPREAD = 1e-12;

  private final Recipe recipe;
  private final Trainer.Devices devices;

  /** Each once: a step that is repeated may have the same to say. */
  private final Set<String> notes = new LinkedHashSet<>();

  private int rounds;

  public Fitting(Recipe recipe, Trainer.Devices devices) {
    this.recipe = recipe;
    this.devices = devices;
  }

  Recipe recipe() {
    return recipe;
  }

  Statistic ask(Question question) throws TrainingException, IOException, InterruptedException {
    return Statistic.sum(askEach(question), question.size());
  }

  NavigableMap<String, Statistic> askEach(Question question)
      throws TrainingException, IOException, InterruptedException {
    rounds++;
    return devices.ask(question);
  }

  void note(String text) {
    notes.add(text);
  }

  /** See {@link Trainer#train}. */
  public Trained train() throws TrainingException, IOException, InterruptedException {
    Statistic totals = ask(new Question.Totals(recipe.columns()));
    long rows = totals.rows();
    if (rows < recipe.columns() + 1) {
      throw new TrainingException(
          "devices gave %,d rows; it takes %,d at least, and each device gives none of fewer than 'train.least-rows' = '%d': wait for more history"
              .formatted(rows, recipe.columns() + 1, recipe.leastRows()));
    }
    double[] means = Arrays.copyOf(totals.sums(), recipe.columns());
    for (int i = 0; i < means.length; i++) {
      means[i] /= rows;
    }
    Scaling all = scaling(means, rows);
    Scaling features = features(all);
    checkFeatures(features);
    FittedModel model =
        switch (recipe.algorithm()) {
          case LINEAR -> LeastSquares.fit(this, all, rows);
          case LOGISTIC -> Newton.fit(this, features, totals);
          case KMEANS -> Lloyd.fit(this, features, rows);
          case PCA -> PrincipalComponents.fit(this, features, rows);
          case MLP, MLP_LOGISTIC -> Averaging.fit(this, features, all, totals);
        };
    Statistic errors = ask(new Question.Errors(model, features));
    if (recipe.algorithm().classes()) {
      Classes.check(recipe, errors.rows(), Logistic.classed(errors));
    }
    if (errors.rows() == 0) {
      note("no device had rows enough to hold some out, so nobody knows how good it is");
    }
    Optional<Reference> reference = knownReference(model, features);
    return new Trained(
        model, rows, model.metrics(errors), features, reference, rounds, List.copyOf(notes));
  }

  /** A training does not fail for that: drift is noticed once all devices have this version. */
  private Optional<Reference> knownReference(FittedModel model, Scaling features)
      throws TrainingException, IOException, InterruptedException {
    try {
      return Optional.of(reference(model, features));
    } catch (UnknownQuestionException e) {
      note("%s: this version has no reference for drift".formatted(e.getMessage()));
      return Optional.empty();
    }
  }

  /** Counts the rows that the model was found from in bins whose edges follow from moments. */
  private Reference reference(FittedModel model, Scaling features)
      throws TrainingException, IOException, InterruptedException {
    double[] middle = model.score(features.means());
    Statistic scores = ask(new Question.Scores(model, middle));
    double[][] edges = new double[features.size() + middle.length][];
    for (int i = 0; i < features.size(); i++) {
      edges[i] = Distribution.edges(features.means()[i], features.spreads()[i]);
    }
    for (int i = 0; i < middle.length; i++) {
      double distance = scores.sums()[2 * i] / scores.rows();
      double square = scores.sums()[2 * i + 1] / scores.rows() - distance * distance;
      double mean = middle[i] + distance;
      double spread = Math.sqrt(Math.max(0, square));
      edges[features.size() + i] =
          Distribution.edges(mean, spread <= LEAST_SPREAD * Math.abs(mean) ? 0 : spread);
    }
    double[] counts = ask(new Question.Bins(model, edges)).sums();
    List<Distribution> columns = new ArrayList<>();
    int at = 0;
    for (double[] each : edges) {
      long[] bins = new long[each.length + 1];
      for (int bin = 0; bin < bins.length; bin++) {
        bins[bin] = (long) counts[at++];
      }
      columns.add(new Distribution(each, bins));
    }
    return new Reference("", columns);
  }

  private Scaling scaling(double[] means, long rows)
      throws TrainingException, IOException, InterruptedException {
    double[] spreads = ask(new Question.Spreads(means)).sums().clone();
    for (int i = 0; i < spreads.length; i++) {
      double spread = Math.sqrt(spreads[i] / rows);
      spreads[i] = spread <= LEAST_SPREAD * Math.abs(means[i]) ? 0 : spread;
    }
    return new Scaling(means, spreads);
  }

  private Scaling features(Scaling all) {
    int features = recipe.features().size();
    return new Scaling(
        Arrays.copyOf(all.means(), features), Arrays.copyOf(all.spreads(), features));
  }

  private void checkFeatures(Scaling features) throws TrainingException {
    boolean any = false;
    for (int i = 0; i < features.size(); i++) {
      if (features.spreads()[i] == 0) {
        note(
            "%s is %s in every row, so the model makes nothing of it"
                .formatted(recipe.features().get(i), features.means()[i]));
      } else {
        any = true;
      }
    }
    if (!any) {
      throw new TrainingException(
          "each feature is the same in every row: there is nothing to learn from; look at the"
              + " SELECT of the model");
    }
  }
}
