package io.sedge.learning.training;

import io.sedge.learning.training.internal.Fitting;
import java.io.IOException;

/** Finds a model by asking devices. One thread, which waits for answers. */
public final class Trainer {
  private Trainer() {}

  /** All devices that take part. */
  @FunctionalInterface
  public interface Devices {
    /**
     * Asks all of them, and adds what they answer in an order that depends on their names alone.
     *
     * @throws TrainingException if one does not answer any more: training is to begin again
     */
    Statistic ask(Question question) throws TrainingException, IOException, InterruptedException;
  }

  /**
   * Trains.
   *
   * @throws TrainingException if there is no model in the rows, or a device was lost
   */
  public static Trained train(Recipe recipe, Devices devices)
      throws TrainingException, IOException, InterruptedException {
    return new Fitting(recipe, devices).train();
  }
}
