package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.site.internal.files.JobFiles;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
}
