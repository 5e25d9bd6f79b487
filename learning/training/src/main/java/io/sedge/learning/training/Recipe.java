package io.sedge.learning.training;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.ModelDescriptor;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a script says of a model that is trained on the site.
 *
 * @param features the columns that it scores by
 * @param outputs the columns of a score
 * @param label the column that it learns; empty if the algorithm has none
 * @param every how long after a training the next begins; empty if only people begin one
 * @param heldOut the share of each device's rows, the newest, by which a model is judged
 * @param leastRows how many rows must be behind what a device gives
 * @param share of one processor that a device gives to training, from 0 to 1
 * @param promotion what becomes by itself of a version that is better
 * @param version the one that scores when the job begins; empty for the one that is live
 * @param rollBack the index of drift above which the version before scores again by itself; empty
 *     if only people take one back
 * @param ridge what large weights cost
 * @param clusters how many kinds of rows are told apart
 * @param explained the share of the variance that the components have at least
 * @param network of what form a network is, and how it learns
 */
public record Recipe(
    Algorithm algorithm,
    List<String> features,
    List<String> outputs,
    Optional<String> label,
    Optional<Duration> every,
    double heldOut,
    long leastRows,
    double share,
    Promotion promotion,
    OptionalLong version,
    OptionalDouble rollBack,
    double ridge,
    int clusters,
    double explained,
    NetworkRecipe network) {
  /** What becomes by itself of a version that is better than the one before. */
  public enum Promotion {
    /** It is live. */
    BETTER,
    /** It scores beside the live one. */
    SHADOW,
    /** Nothing. */
    BY_HAND;

    private String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Promotion ofText(String text) {
      return Arrays.stream(values())
          .filter(each -> each.text().equals(text))
          .findFirst()
          .orElseThrow();
    }
  }

  private static final String ALGORITHM = "algorithm";
  private static final String LABEL = "label";
  private static final String EVERY = "train.every";
  private static final String HOLD_OUT = "train.hold-out";
  private static final String LEAST_ROWS = "train.least-rows";
  private static final String SHARE = "train.share";
  private static final String PROMOTE = "train.promote";
  private static final String VERSION = "version";
  private static final String ROLL_BACK = "drift.rollback";
  private static final String RIDGE = "ridge";
  private static final String CLUSTERS = "clusters";
  private static final String EXPLAINED = "explained";

  /** A question has the products of each two features. */
  public static final int MOST_FEATURES = 32;

  private static final int MOST_CLUSTERS = 32;
  private static final int FEWEST_ROWS = 10;
  private static final Duration SHORTEST_EVERY = Duration.ofMinutes(1);
  private static final Duration LONGEST_EVERY = Duration.ofDays(366);

  private static final List<Option> OF_ALL =
      List.of(
          new Option(
              ALGORITHM,
              Option.Kind.CHOICE,
              Algorithm.texts(),
              Optional.empty(),
              true,
              "how it is trained"),
          Option.optional(
              LABEL,
              Option.Kind.STRING,
              "linear, logistic, mlp, mlp-logistic: the column of AS that is learned"),
          Option.optional(
              EVERY,
              Option.Kind.DURATION,
              "how long after a training the next begins, from 1 min; without it only people begin"
                  + " one"),
          Option.withDefault(
              HOLD_OUT,
              Option.Kind.DECIMAL,
              "0.2",
              "the share of each device's rows, the newest, by which a version is judged: 0.05 to"
                  + " 0.5"),
          Option.withDefault(
              LEAST_ROWS,
              Option.Kind.INTEGER,
              "100",
              "how many rows must be behind what a device gives, from 10; else it gives nothing"),
          Option.withDefault(
              SHARE,
              Option.Kind.DECIMAL,
              "0.25",
              "the share of one processor that a device gives to training: 0.01 to 1"),
          Option.choice(
              PROMOTE,
              Promotion.BETTER.text(),
              Arrays.stream(Promotion.values()).map(Promotion::text).toList(),
              "what becomes by itself of a version that is better than the live one: it takes its"
                  + " place; it scores beside it, as sedge model shadow has one do; nothing"),
          Option.optional(
              VERSION,
              Option.Kind.INTEGER,
              "on a site the version that scores from now on, as sedge model promote makes one"
                  + " live; a better one does not take its place by itself"),
          Option.optional(
              ROLL_BACK,
              Option.Kind.DECIMAL,
              "above which index of drift, 0.1 to 100, the version that was live before scores"
                  + " again by itself; without it only people roll back"),
          Option.optional(
              RIDGE,
              Option.Kind.DECIMAL,
              "linear, logistic, mlp, mlp-logistic: what large weights of scaled features cost; by"
                  + " default 1, and 0 for linear"),
          Option.withDefault(
              CLUSTERS, Option.Kind.INTEGER, "3", "kmeans: how many kinds of rows, 2 to 32"),
          Option.withDefault(
              EXPLAINED,
              Option.Kind.DECIMAL,
              "0.9",
              "pca: the share of the variance that the components have at least: 0.1 to 1"));

  /** What a script may say. */
  static final List<Option> OPTIONS = options();

  private static List<Option> options() {
    List<Option> options = new ArrayList<>(OF_ALL);
    options.addAll(NetworkRecipe.OPTIONS);
    options.addAll(DriftOptions.ALL);
    return List.copyOf(options);
  }

  public Recipe {
    features = List.copyOf(features);
    outputs = List.copyOf(outputs);
  }

  /**
   * Reads what a script says.
   *
   * @throws ConnectorException of kind USER if it does not go together; the message names an option
   *     or a column as the script does
   */
  public static Recipe of(ModelDescriptor model) {
    Options options = Options.of(model.name(), OPTIONS, model.options());
    Algorithm algorithm = Algorithm.ofText(options.choice(ALGORITHM));
    Optional<String> label = options.find(LABEL);
    checkLabel(model, algorithm, label);
    checkColumns(model, algorithm);
    Optional<Duration> every = options.has(EVERY) ? Optional.of(every(options)) : Optional.empty();
    double ridge = algorithm == Algorithm.LINEAR ? 0 : 1;
    return new Recipe(
        algorithm,
        model.input().names(),
        model.output().names(),
        label,
        every,
        decimal(options, HOLD_OUT, 0.05, 0.5),
        options.integer(LEAST_ROWS, FEWEST_ROWS, Integer.MAX_VALUE),
        decimal(options, SHARE, 0.01, 1),
        promotion(options),
        options.has(VERSION)
            ? OptionalLong.of(options.integer(VERSION, 1, Long.MAX_VALUE))
            : OptionalLong.empty(),
        rollBack(model, options),
        options.has(RIDGE) ? decimal(options, RIDGE, 0, 1e9) : ridge,
        (int) options.integer(CLUSTERS, 2, MOST_CLUSTERS),
        decimal(options, EXPLAINED, 0.1, 1),
        NetworkRecipe.of(model, options));
  }

  private static Promotion promotion(Options options) {
    Promotion given = Promotion.ofText(options.choice(PROMOTE));
    return given == Promotion.BETTER && options.has(VERSION) ? Promotion.BY_HAND : given;
  }

  private static OptionalDouble rollBack(ModelDescriptor model, Options options) {
    if (!options.has(ROLL_BACK)) {
      return OptionalDouble.empty();
    }
    if (DriftOptions.of(model).isEmpty()) {
      throw wrong(
          model,
          "'%s' has no meaning without '%s', which has drift told"
              .formatted(ROLL_BACK, DriftOptions.TABLE));
    }
    return OptionalDouble.of(decimal(options, ROLL_BACK, 0.1, 100));
  }

  private static Duration every(Options options) {
    Duration every = options.duration(EVERY);
    if (every.compareTo(SHORTEST_EVERY) < 0 || every.compareTo(LONGEST_EVERY) > 0) {
      throw options.wrong(EVERY, "is not from 1 min to 366 d");
    }
    return every;
  }

  static double decimal(Options options, String key, double least, double most) {
    BigDecimal value = options.decimal(key);
    if (value.doubleValue() < least || value.doubleValue() > most) {
      throw options.wrong(key, "is not from %s to %s".formatted(least, most));
    }
    return value.doubleValue();
  }

  private static void checkLabel(
      ModelDescriptor model, Algorithm algorithm, Optional<String> label) {
    if (algorithm.labelled() && label.isEmpty()) {
      throw wrong(
          model,
          "'algorithm' = '%s' learns a column: say which, 'label' = 'failed'"
              .formatted(algorithm.text()));
    }
    if (!algorithm.labelled() && label.isPresent()) {
      throw wrong(
          model, "'label' has no meaning with 'algorithm' = '%s'".formatted(algorithm.text()));
    }
    if (label.isPresent() && model.input().indexOf(label.get()) >= 0) {
      throw wrong(
          model,
          "'label' = '%s' is in INPUT: it is what is to be found out".formatted(label.get()));
    }
  }

  private static void checkColumns(ModelDescriptor model, Algorithm algorithm) {
    if (model.input().size() > MOST_FEATURES) {
      throw wrong(
          model,
          "INPUT has %d columns, %d are allowed".formatted(model.input().size(), MOST_FEATURES));
    }
    for (Schema.Field field : model.input().fields()) {
      if (field.type().kind() != io.sedge.engine.type.Kind.DOUBLE) {
        throw wrong(
            model,
            "`%s` of INPUT is %s; write DOUBLE, and CAST(%s AS DOUBLE) where there is another type"
                .formatted(field.name(), field.type(), field.name()));
      }
    }
    List<Type> wanted = new ArrayList<>();
    String example;
    switch (algorithm) {
      case LINEAR, LOGISTIC, MLP, MLP_LOGISTIC -> {
        wanted.add(Type.DOUBLE);
        example = "(risk DOUBLE)";
      }
      case KMEANS -> {
        wanted.add(Type.BIGINT);
        wanted.add(Type.DOUBLE);
        example = "(kind BIGINT, distance DOUBLE)";
      }
      case PCA -> {
        wanted.add(Type.DOUBLE);
        wanted.add(Type.DOUBLE);
        example = "(q DOUBLE, t2 DOUBLE)";
      }
      default -> throw new IllegalStateException(algorithm.text());
    }
    List<Type> given = model.output().types().stream().map(Type::notNull).toList();
    if (!given.equals(wanted.stream().map(Type::notNull).toList())) {
      throw wrong(model, "'algorithm' = '%s' gives OUTPUT %s".formatted(algorithm.text(), example));
    }
  }

  static ConnectorException wrong(ModelDescriptor model, String message) {
    return new ConnectorException(Kind.USER, "model %s: %s".formatted(model.name(), message));
  }

  /** What it trains, in one line. */
  public String what() {
    return what(algorithm.text(), features, label.orElse(""));
  }

  /**
   * The same for a version that was trained: one with another line does not fit.
   *
   * @param label empty if the algorithm has none
   */
  public static String what(String algorithm, List<String> features, String label) {
    String of = "%s of %s".formatted(algorithm, String.join(", ", features));
    return label.isEmpty() ? of : "%s, label %s".formatted(of, label);
  }

  /** How many columns a row has: the features, and the label. */
  public int columns() {
    return features.size() + (label.isPresent() ? 1 : 0);
  }
}
