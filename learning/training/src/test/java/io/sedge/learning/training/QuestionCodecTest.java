package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Questions go between devices as bytes, some of which may be anybody's. */
class QuestionCodecTest {
  private static final Scaling SCALING = new Scaling(new double[] {1, 2}, new double[] {0.5, 0});

  private static final List<Question> QUESTIONS =
      List.of(
          new Question.Totals(3),
          new Question.Spreads(new double[] {1, 2, 3}),
          new Question.Products(SCALING),
          new Question.Slopes(SCALING, new double[] {0.1, 0.2, 0.3}),
          new Question.Nearest(SCALING, new double[][] {{0, 1}, {1, 0}, {2, 2}}),
          new Question.Scores(
              FittedModel.of(Algorithm.LINEAR, 2, new double[] {1, 2, 3}), new double[] {7}),
          new Question.Bins(
              FittedModel.of(Algorithm.LINEAR, 2, new double[] {1, 2, 3}),
              new double[][] {{-1, 0, 1}, {}, {0.5}}),
          new Question.Errors(FittedModel.of(Algorithm.LINEAR, 2, new double[] {1, 2, 3}), SCALING),
          new Question.Epoch(network(3), new double[13], new Question.Step(0.01, 1e-4, 20, 7)),
          new Question.Errors(
              FittedModel.of(Algorithm.PCA, 2, new double[] {1, 2, 3, 4, 0.6, 0.8, 1.7}), SCALING));

  /** A question that was read asks the same. */
  @Test
  void questionsAreReadAsTheyWereWritten() {
    double[] row = {1.5, -2, 1};
    for (Question question : QUESTIONS) {
      Question read = QuestionCodec.decode(QuestionCodec.encode(question));
      assertThat(read.getClass()).isEqualTo(question.getClass());
      assertThat(read.columns()).isEqualTo(question.columns());
      assertThat(read.size()).isEqualTo(question.size());
      assertThat(QuestionCodec.encode(read)).isEqualTo(QuestionCodec.encode(question));
      if (question instanceof Question.Sum asked && read instanceof Question.Sum same) {
        double[] expected = new double[question.size()];
        double[] sums = new double[read.size()];
        asked.add(row, expected);
        same.add(row, sums);
        assertThat(sums).isEqualTo(expected);
      }
    }
  }

  /** Nothing but a refusal, and no memory for what is not there. */
  @Test
  void otherBytesAreRefused() {
    Random random = new Random(1);
    for (Question question : QUESTIONS) {
      byte[] bytes = QuestionCodec.encode(question);
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = java.util.Arrays.copyOf(bytes, length);
        assertThatIllegalArgumentException().isThrownBy(() -> QuestionCodec.decode(cut));
      }
      for (int i = 0; i < 200; i++) {
        byte[] changed = bytes.clone();
        changed[random.nextInt(10)] = (byte) random.nextInt();
        try {
          Question read = QuestionCodec.decode(changed);
          assertThat(read.size()).isLessThan(100_000);
        } catch (IllegalArgumentException _) {
          // As it should be.
        }
      }
    }
  }

  private static Network network(int hidden) {
    Layers layers = new Layers(2, List.of(hidden), Layers.Activation.TANH);
    return new Network(Algorithm.MLP, layers, SCALING, 5, 6, new double[layers.weights()]);
  }

  /** Otherwise a network that a script may have could not be trained, or its answer not be told. */
  @Test
  void theLargestFitIntoMessages() {
    int most = Recipe.MOST_FEATURES;
    Scaling scaling = new Scaling(new double[most], new double[most]);
    double[][] rows = new double[32][most];
    Question nearest = new Question.Nearest(scaling, rows);
    Question errors = new Question.Errors(new Components(scaling, rows, new double[32]), scaling);
    Question products =
        new Question.Products(new Scaling(new double[most + 1], new double[most + 1]));
    Question slopes = new Question.Slopes(scaling, new double[most + 1]);
    Question judged =
        new Question.Errors(
            FittedModel.of(Algorithm.LOGISTIC, most, new double[most + 1]), scaling);
    Layers layers = new Layers(most, List.of(76, 64, 8), Layers.Activation.RELU);
    assertThat(layers.weights()).isBetween(7_900, Layers.MOST_WEIGHTS);
    Network network =
        new Network(Algorithm.MLP, layers, scaling, 0, 1, new double[layers.weights()]);
    Question epoch =
        new Question.Epoch(
            network, new double[layers.weights()], new Question.Step(0.01, 1e-4, 20, 7));
    for (Question question : List.of(nearest, errors, products, slopes, judged, epoch)) {
      assertThat(QuestionCodec.encode(question)).hasSizeLessThanOrEqualTo(QuestionCodec.MOST_BYTES);
      assertThat(question.size() * Double.BYTES).isLessThanOrEqualTo(QuestionCodec.MOST_BYTES);
      assertThat(QuestionCodec.encode(QuestionCodec.decode(QuestionCodec.encode(question))))
          .isEqualTo(QuestionCodec.encode(question));
    }
  }
}
