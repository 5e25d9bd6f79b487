package io.sedge.learning.training;

import io.sedge.learning.training.internal.Fitting;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Finds a model by asking devices. One thread, which waits for answers. */
public final class Trainer {
  private Trainer() {}

  /** All devices that take part. */
  @FunctionalInterface
  public interface Devices {
    /**
     * Asks all of them; what each answers, by its name.
     *
     * @throws TrainingException if one does not answer any more: training is to begin again
     */
    NavigableMap<String, Statistic> ask(Question question)
        throws TrainingException, IOException, InterruptedException;

    /** One device by itself, with no name. */
    static Devices alone(DeviceRows rows, TrainingShare share) {
      return question -> new TreeMap<>(Map.of("", rows.answer(question, share)));
    }
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
