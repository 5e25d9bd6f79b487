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
          new Question.Errors(FittedModel.of(Algorithm.LINEAR, 2, new double[] {1, 2, 3}), SCALING),
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
      double[] expected = new double[question.size()];
      double[] sums = new double[read.size()];
      question.add(row, expected);
      read.add(row, sums);
      assertThat(sums).isEqualTo(expected);
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

  /**
   * A question fits into a request between devices, and its answer into theirs: 16 kB in base64.
   */
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
    for (Question question : List.of(nearest, errors, products, slopes, judged)) {
      assertThat(QuestionCodec.encode(question).length / 3 * 4).isLessThan(15_500);
      assertThat(question.size() * 8 / 3 * 4).isLessThan(15_500);
    }
  }
}
