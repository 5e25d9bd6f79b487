package io.sedge.site.internal.membership;

import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.ModelVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Versions of a model, and the job that scores by them, as the ledger has them. */
final class PlayedModels {
  private PlayedModels() {}

  /**
   * A version with a content of its own.
   *
   * @param live when it was made live last; 0 if it never was
   */
  static ModelVersion version(int number, long live) {
    return new ModelVersion(
        "plant",
        "wear",
        number,
        0,
        new JobFile(JobFile.pathOfModel("wear"), "%02d".formatted(number).repeat(32), 100),
        "linear",
        List.of("vibration"),
        "failed",
        new double[] {1, 2},
        Map.of(),
        Map.of(),
        Map.of(),
        0,
        0,
        0,
        "",
        live);
  }

  static Job job(JobFile... files) {
    return new Job(
        "plant", "script", 1, JobState.RUNNING, "", 1, 1, 0, List.of(files), Optional.empty());
  }
}
