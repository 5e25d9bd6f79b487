package io.sedge.tensor.training;

import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.training.cluster.Checkpoints;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a training uses its cluster.
 *
 * @param coordinator how the coordinator behaves
 * @param checkpoints where the variables are saved; null for nowhere: then a parameter server that
 *     dies takes the training back to its beginning
 * @param checkpointInterval how much progress may be lost
 * @param membership says while the training runs which workers there are; null for those that there
 *     were at the start
 * @param membershipInterval how often it is asked
 */
public record ClusterTrainingOptions(
    CoordinatorOptions coordinator,
    @Nullable Checkpoints checkpoints,
    Duration checkpointInterval,
    @Nullable ClusterResolver membership,
    Duration membershipInterval) {
  /** Workers are those of the start. */
  public ClusterTrainingOptions(
      CoordinatorOptions coordinator,
      @Nullable Checkpoints checkpoints,
      Duration checkpointInterval) {
    this(coordinator, checkpoints, checkpointInterval, null, Duration.ofSeconds(5));
  }

  /** A coordinator's own defaults, no checkpoints. */
  public static ClusterTrainingOptions withoutCheckpoints() {
    return new ClusterTrainingOptions(CoordinatorOptions.defaults(), null, Duration.ofSeconds(10));
  }

  /** A coordinator's own defaults; at most so much progress is lost. */
  public static ClusterTrainingOptions withCheckpoints(Checkpoints checkpoints, Duration interval) {
    return new ClusterTrainingOptions(CoordinatorOptions.defaults(), checkpoints, interval);
  }

  /** These, with workers that join and leave as a resolver says. */
  public ClusterTrainingOptions withMembership(ClusterResolver resolver, Duration interval) {
    return new ClusterTrainingOptions(
        coordinator, checkpoints, checkpointInterval, resolver, interval);
  }
}
