package io.sedge.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteCounterTest {
  @TempDir private Path directory;

  private WriteCounter.Count count(String... command) throws Exception {
    WriteCounter counter = WriteCounter.in(directory.resolve("writes"));
    assumeThat(counter.works()).as("gcc on Linux").isTrue();
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(counter.environment());
    Process process = builder.inheritIO().start();
    assertThat(process.waitFor()).isZero();
    return counter.count(process.pid());
  }

  @Test
  void whatIsWrittenBeforeOneSyncIsOnePage() throws Exception {
    assertThat(
            count("dd", "if=/dev/zero", "of=x", "bs=100", "count=3", "conv=fsync", "status=none"))
        .isEqualTo(new WriteCounter.Count(1, 300, 4096));
  }

  /** What the ledger does: small records, each on the disk before the next one. */
  @Test
  void whatIsSyncedInSmallPartsTakesAPageEachTime() throws Exception {
    assertThat(
            count("dd", "if=/dev/zero", "of=x", "bs=100", "count=3", "oflag=dsync", "status=none"))
        .isEqualTo(new WriteCounter.Count(3, 300, 3 * 4096));
  }

  @Test
  void whatIsNotWrittenToAFileIsNotCounted() throws Exception {
    assertThat(count("sh", "-c", "echo to a pipe | cat > /dev/null"))
        .isEqualTo(new WriteCounter.Count(0, 0, 0));
  }
}
