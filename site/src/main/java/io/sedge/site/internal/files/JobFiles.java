package io.sedge.site.internal.files;

import io.sedge.ledger.JobFile;
import java.util.List;
import java.util.Optional;

/** Whether the files that jobs name are on this device. Any thread. */
public interface JobFiles {
  /** For jobs that name none. */
  JobFiles NONE =
      new JobFiles() {
        @Override
        public Optional<String> lacking(List<JobFile> files) {
          return Optional.empty();
        }

        @Override
        public boolean areWhole(List<JobFile> files) {
          return true;
        }
      };

  /** What is not here, and why it is not, if something is not. Returns at once. */
  Optional<String> lacking(List<JobFile> files);

  /**
   * Whether what is here is what it should be, by its hash. Reads all of it. What is not is
   * removed, so that it is {@link #lacking}.
   */
  boolean areWhole(List<JobFile> files);
}
