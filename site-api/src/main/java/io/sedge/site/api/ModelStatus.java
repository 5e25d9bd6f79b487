package io.sedge.site.api;

import java.util.List;
import java.util.Optional;

/**
 * A model that a job has the site train.
 *
 * @param job whose script declares it
 * @param name in that script
 * @param algorithm how it is trained; empty while the device that was asked does not have the job
 * @param everyMillis how long after a training the next begins; 0 if only people begin one
 * @param scoresByShadow whether a query of the job takes the scores of the shadow; false also while
 *     the device that was asked does not have the job
 * @param versions the latest last
 */
public record ModelStatus(
    String job,
    String name,
    String algorithm,
    long everyMillis,
    boolean scoresByShadow,
    List<ModelVersionStatus> versions) {
  public ModelStatus {
    versions = List.copyOf(versions);
  }

  /** The version that the job scores by. */
  public Optional<ModelVersionStatus> live() {
    return versions.stream().filter(ModelVersionStatus::live).findFirst();
  }

  /** The version that scores beside it. */
  public Optional<ModelVersionStatus> shadow() {
    return versions.stream().filter(ModelVersionStatus::shadow).findFirst();
  }
}
