package io.sedge.learning.training;

import io.sedge.learning.Distribution;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Bytes of questions: which one (1), the algorithm of a model if it is about one (1), how many
 * columns (4) and values beside them (4) there are, then numbers of eight bytes, big-endian. And of
 * numbers alone.
 */
public final class QuestionCodec {
  private static final int TOTALS = 1;
  private static final int SPREADS = 2;
  private static final int PRODUCTS = 3;
  private static final int SLOPES = 4;
  private static final int NEAREST = 5;
  private static final int ERRORS = 6;
  private static final int EPOCH = 7;
  private static final int SCORES = 8;
  private static final int BINS = 9;
  private static final int HEADER_BYTES = 2 + 2 * Integer.BYTES;
  private static final int MOST_NUMBERS = 2 * Layers.MOST_WEIGHTS + 256;

  /** Of a question, and of the numbers of its answer. */
  public static final int MOST_BYTES = HEADER_BYTES + MOST_NUMBERS * Double.BYTES;

  private QuestionCodec() {}

  /** The bytes of numbers. */
  public static byte[] bytes(double[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Double.BYTES);
    bytes.asDoubleBuffer().put(numbers);
    return bytes.array();
  }

  /**
   * Numbers of their bytes.
   *
   * @throws IllegalArgumentException if they are not so many
   */
  public static double[] numbers(byte[] bytes, int count) {
    if (bytes.length != count * Double.BYTES) {
      throw new IllegalArgumentException(
          "%d bytes, not those of %d numbers".formatted(bytes.length, count));
    }
    double[] numbers = new double[count];
    ByteBuffer.wrap(bytes).asDoubleBuffer().get(numbers);
    return numbers;
  }

  public static byte[] encode(Question question) {
    return switch (question) {
      case Question.Totals totals -> message(TOTALS, 0, totals.columns(), new double[0]);
      case Question.Spreads spreads -> message(SPREADS, 0, spreads.columns(), spreads.means());
      case Question.Products products ->
          message(PRODUCTS, 0, products.columns(), of(products.scaling(), new double[0]));
      case Question.Slopes slopes ->
          message(SLOPES, 0, slopes.scaling().size(), of(slopes.scaling(), slopes.weights()));
      case Question.Nearest nearest ->
          message(
              NEAREST,
              0,
              nearest.scaling().size(),
              Numbers.of(nearest.scaling(), nearest.centres()));
      case Question.Errors errors ->
          message(
              ERRORS,
              errors.model().algorithm().code(),
              errors.unit().size(),
              of(errors.unit(), errors.model().numbers()));
      case Question.Scores scores ->
          message(
              SCORES,
              scores.model().algorithm().code(),
              scores.model().features(),
              Numbers.joined(
                  new double[] {scores.middle().length},
                  scores.middle(),
                  scores.model().numbers()));
      case Question.Bins bins ->
          message(
              BINS,
              bins.model().algorithm().code(),
              bins.model().features(),
              Numbers.joined(edges(bins.edges()), bins.model().numbers()));
      case Question.Epoch epoch ->
          message(
              EPOCH,
              epoch.network().algorithm().code(),
              epoch.network().features(),
              Numbers.joined(
                  epoch.step().numbers(),
                  new double[] {epoch.squares().length},
                  epoch.squares(),
                  epoch.network().numbers()));
    };
  }

  /** How many columns; then of each how many edges, and these. */
  private static double[] edges(double[][] edges) {
    double[][] parts = new double[1 + 2 * edges.length][];
    parts[0] = new double[] {edges.length};
    for (int i = 0; i < edges.length; i++) {
      parts[1 + 2 * i] = new double[] {edges[i].length};
      parts[2 + 2 * i] = edges[i];
    }
    return Numbers.joined(parts);
  }

  private static double[] of(Scaling scaling, double[] rest) {
    return Numbers.of(scaling, new double[][] {rest});
  }

  private static byte[] message(int kind, int algorithm, int columns, double[] numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + numbers.length * Double.BYTES)
            .put((byte) kind)
            .put((byte) algorithm)
            .putInt(columns)
            .putInt(numbers.length);
    for (double number : numbers) {
      bytes.putDouble(number);
    }
    return bytes.array();
  }

  /**
   * Reads a question.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Question decode(byte[] message) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(message);
      int kind = bytes.get();
      int algorithm = bytes.get();
      int columns = bytes.getInt();
      int count = bytes.getInt();
      if (columns < 1
          || columns > Recipe.MOST_FEATURES + 1
          || count < 0
          || count > MOST_NUMBERS
          || bytes.remaining() != count * Double.BYTES) {
        throw new IllegalArgumentException(
            "a question about %d columns with %d numbers".formatted(columns, count));
      }
      double[] numbers = new double[count];
      bytes.asDoubleBuffer().get(numbers);
      return question(kind, algorithm, columns, new Numbers(numbers));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a question that ends too early", e);
    }
  }

  private static Question question(int kind, int algorithm, int columns, Numbers numbers) {
    return switch (kind) {
      case TOTALS -> new Question.Totals(columns);
      case SPREADS -> new Question.Spreads(numbers.next(columns));
      case PRODUCTS -> new Question.Products(scaling(columns, numbers));
      case SLOPES -> new Question.Slopes(scaling(columns, numbers), numbers.next(columns + 1));
      case NEAREST -> {
        Scaling scaling = scaling(columns, numbers);
        double[][] centres = new double[numbers.rest(columns)][];
        for (int i = 0; i < centres.length; i++) {
          centres[i] = numbers.next(columns);
        }
        yield new Question.Nearest(scaling, centres);
      }
      case ERRORS -> {
        Scaling unit = scaling(columns, numbers);
        double[] model = numbers.next(numbers.rest(1));
        yield new Question.Errors(
            FittedModel.of(Algorithm.ofCode(algorithm), columns, model), unit);
      }
      case EPOCH -> {
        Question.Step step = Question.Step.of(numbers);
        double[] squares = numbers.next(numbers.whole(Layers.MOST_WEIGHTS));
        yield new Question.Epoch(
            Network.of(Algorithm.ofCode(algorithm), columns, numbers.next(numbers.rest(1))),
            squares,
            step);
      }
      case SCORES -> {
        double[] middle = numbers.next(numbers.whole(Recipe.MOST_FEATURES));
        yield new Question.Scores(
            FittedModel.of(Algorithm.ofCode(algorithm), columns, numbers.next(numbers.rest(1))),
            middle);
      }
      case BINS -> {
        double[][] edges = new double[numbers.whole(2 * Recipe.MOST_FEATURES)][];
        for (int i = 0; i < edges.length; i++) {
          edges[i] = numbers.next(numbers.whole(Distribution.MOST_EDGES));
        }
        yield new Question.Bins(
            FittedModel.of(Algorithm.ofCode(algorithm), columns, numbers.next(numbers.rest(1))),
            edges);
      }
      default -> throw new IllegalArgumentException("no question has number " + kind);
    };
  }

  private static Scaling scaling(int columns, Numbers numbers) {
    return new Scaling(numbers.next(columns), numbers.next(columns));
  }
}
