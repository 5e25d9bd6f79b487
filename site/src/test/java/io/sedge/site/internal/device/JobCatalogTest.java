package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.files.JobFiles;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When jobs are compiled. */
class JobCatalogTest {
  private static final Job JOB = new Job("plant", "script", 1, JobState.RUNNING, "", 1, 1, 0);

  private final List<String> compiled = new ArrayList<>();
  private final DeviceLog log = new DeviceLog(InstantSource.system(), _ -> {});
  private final JobCatalog catalog =
      new JobCatalog(
          (job, _, _) -> {
            compiled.add(job);
            throw new IllegalStateException("there is no job");
          },
          JobFiles.NONE,
          Runnable::run,
          Runnable::run,
          log);

  /** A scrape of metrics looks at all jobs, and must cost none of them its compiler. */
  @Test
  void whoOnlyLooksHasNothingCompiled() {
    assertThat(catalog.known(JOB)).isEmpty();
    assertThat(compiled).isEmpty();
    assertThat(catalog.compiled(JOB)).isEmpty();
    assertThat(compiled).containsExactly("plant");
    assertThat(catalog.known(JOB)).isEmpty();
  }

  /** Who has to know what a job has is told if it cannot be known, and why. */
  @Test
  void aJobThatCannotBeCompiledHereIsSaidToWhoWaitsForIt() {
    assertThatThrownBy(() -> catalog.awaited(JOB))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("job plant is not compiled on this device: ")
        .hasMessageContaining("there is no job");
    assertThat(compiled).containsExactly("plant");

    JobFiles absent =
        new JobFiles() {
          @Override
          public Optional<String> lacking(List<JobFile> files) {
            return Optional.of("file wear.onnx has not come yet");
          }

          @Override
          public boolean areWhole(List<JobFile> files) {
            return false;
          }
        };
    JobCatalog waiting =
        new JobCatalog(
            (_, _, _) -> {
              throw new IllegalStateException("nothing is compiled");
            },
            absent,
            Runnable::run,
            Runnable::run,
            log);
    assertThatThrownBy(() -> waiting.awaited(JOB))
        .hasMessage("job plant is not compiled on this device: file wear.onnx has not come yet");
  }
}
