package io.sedge.identity;

import static java.util.Objects.requireNonNull;

/**
 * What a device that trains a model with others asks one of them.
 *
 * @param training names the training, at random
 * @param job whose script declares the model
 * @param model its name there
 * @param round 0: gather your rows; then from 1 on, one question each; {@link #END}: it is over;
 *     {@link #KEEP}: it goes on
 * @param question a question about the rows, in the form that trainings have
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record TrainingStep(String training, String job, String model, int round, byte[] question) {
  /** The round that ends a training. */
  public static final int END = -1;

  /** The round that has a device keep its rows while others are still busy. */
  public static final int KEEP = -2;

  /** Of a question, and of the sums of its answer. */
  public static final int MAX_BYTES = 144 << 10;

  public TrainingStep {
    requireNonNull(training, "no training");
    requireNonNull(job, "no job");
    requireNonNull(model, "no model");
    requireNonNull(question, "no question");
    if (question.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a question of %d bytes; %d are allowed".formatted(question.length, MAX_BYTES));
    }
  }
}
