package io.sedge.learning.training;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.learning.ModelDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a script says of a network.
 *
 * @param hidden how many units each hidden layer has
 * @param activation of hidden units
 * @param epochs how often devices go over their rows at most
 * @param batch rows of a step, of all devices together
 * @param rate how far a weight goes in a step, in units of its usual step
 * @param seed of the first weights and of the order of rows
 */
public record NetworkRecipe(
    List<Integer> hidden,
    Layers.Activation activation,
    int epochs,
    int batch,
    double rate,
    int seed) {
  private static final String HIDDEN = "hidden";
  private static final String ACTIVATION = "activation";
  private static final String EPOCHS = "train.epochs";
  private static final String BATCH = "train.batch";
  private static final String RATE = "train.rate";
  private static final String SEED = "train.seed";

  private static final int MOST_EPOCHS = 1_000;
  private static final int SMALLEST_BATCH = 10;
  private static final int LARGEST_BATCH = 10_000;
  private static final int LARGEST_SEED = 1_000_000;

  static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              HIDDEN,
              Option.Kind.STRING,
              "32",
              "mlp, mlp-logistic: how many units each hidden layer has, up to three layers: 64,32"),
          Option.choice(
              ACTIVATION,
              "relu",
              List.of("relu", "tanh"),
              "mlp, mlp-logistic: what a hidden unit makes of its sum"),
          Option.withDefault(
              EPOCHS,
              Option.Kind.INTEGER,
              "100",
              "mlp, mlp-logistic: how often devices go over their rows at most, 1 to 1000"),
          Option.withDefault(
              BATCH,
              Option.Kind.INTEGER,
              "100",
              "mlp, mlp-logistic: how many rows a step takes, of all devices together: 10 to"
                  + " 10000"),
          Option.withDefault(
              RATE,
              Option.Kind.DECIMAL,
              "0.003",
              "mlp, mlp-logistic: how far weights go in a step: 0.00001 to 1"),
          Option.withDefault(
              SEED,
              Option.Kind.INTEGER,
              "1",
              "mlp, mlp-logistic: another number begins with other weights, 0 to 1000000"));

  public NetworkRecipe {
    hidden = List.copyOf(hidden);
  }

  /**
   * Reads what a script says.
   *
   * @throws ConnectorException of kind USER if it does not go together
   */
  static NetworkRecipe of(ModelDescriptor model, Options options) {
    List<Integer> hidden = hidden(options);
    Layers.Activation activation =
        Layers.Activation.valueOf(options.choice(ACTIVATION).toUpperCase(Locale.ROOT));
    try {
      var _ = new Layers(model.input().size(), hidden, activation);
    } catch (IllegalArgumentException e) {
      throw options.wrong(HIDDEN, "cannot be: " + e.getMessage());
    }
    return new NetworkRecipe(
        hidden,
        activation,
        (int) options.integer(EPOCHS, 1, MOST_EPOCHS),
        (int) options.integer(BATCH, SMALLEST_BATCH, LARGEST_BATCH),
        Recipe.decimal(options, RATE, 1e-5, 1),
        (int) options.integer(SEED, 0, LARGEST_SEED));
  }

  private static List<Integer> hidden(Options options) {
    List<Integer> hidden = new ArrayList<>();
    for (String units : options.string(HIDDEN).split(",", -1)) {
      try {
        hidden.add(Integer.valueOf(units.strip()));
      } catch (NumberFormatException _) {
        throw options.wrong(HIDDEN, "is not the units of each layer, with commas between: 64,32");
      }
    }
    return hidden;
  }
}
