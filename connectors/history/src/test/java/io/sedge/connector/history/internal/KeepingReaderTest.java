package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeepingReaderTest {
  /** A source that sends nothing more until it is acknowledged. */
  private static final class Waiting implements SourceReader {
    private boolean wants;

    @Override
    public @Nullable Batch poll(long nowNanos) {
      wants = true;
      return null;
    }

    @Override
    public boolean finished() {
      return false;
    }

    @Override
    public byte[] position() {
      wants = false;
      return new byte[0];
    }

    @Override
    public void seek(byte[] position) {}

    @Override
    public void acknowledge(byte[] position) {}

    @Override
    public boolean wantsCommit() {
      return wants;
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(0, 0, 0, 0);
    }

    @Override
    public void close() {}
  }

  @Test
  void aSourceThatIsKeptWantsItsCommitsToo(@TempDir Path data) throws Exception {
    Simulation simulation = new Simulation(data);
    try (KeepingReader reader =
        KeepingReader.open(
            new Waiting(),
            simulation.setting(Simulation.keep()),
            simulation.context,
            simulation.worker,
            simulation.disk)) {
      assertThat(reader.wantsCommit()).isFalse();
      reader.poll(0);
      assertThat(reader.wantsCommit()).isTrue();
      reader.position();
      assertThat(reader.wantsCommit()).isFalse();
    }
  }
}
