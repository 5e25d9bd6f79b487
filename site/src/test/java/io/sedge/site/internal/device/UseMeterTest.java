package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.ProcessUse;
import io.sedge.replication.LogCounts;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What a device says of its writes: an operator reads from it how long a flash card lives. */
class UseMeterTest {
  private static final long SECOND = 1_000_000_000;
  private static final Offset<Double> CLOSE = Offset.offset(1e-6);

  private static final UseMeter.Disk DISK = new UseMeter.Disk(() -> 5, () -> 9);

  private LogCounts log = new LogCounts(1_000, 1_000);
  private long written = 1 << 20;
  private final UseMeter meter = new UseMeter(() -> log, () -> written, DISK, 0);

  private ProcessUse second(int second, int entries, int syncs, int bytes) {
    log = new LogCounts(log.entries() + entries, log.syncs() + syncs);
    written += bytes;
    return meter.take(second * SECOND);
  }

  @Test
  void whatWasWrittenBeforeTheFirstMeasurementIsNoRate() {
    assertThat(second(1, 3, 2, 500))
        .returns(3.0, ProcessUse::entriesPerSecond)
        .returns(2.0, ProcessUse::syncsPerSecond)
        .returns(500.0, ProcessUse::writtenBytesPerSecond)
        .returns(5L, ProcessUse::diskFreeBytes)
        .returns(9L, ProcessUse::diskBytes);
  }

  @Test
  void ratesFollowTheLastMinute() {
    ProcessUse use = ProcessUse.UNKNOWN;
    for (int i = 1; i <= 60; i++) {
      use = second(i, 10, 5, 1_000);
    }
    assertThat(use.entriesPerSecond()).isCloseTo(10, CLOSE);
    for (int i = 61; i <= 600; i++) {
      use = second(i, 0, 0, 0);
    }
    assertThat(use.entriesPerSecond()).isBetween(0.0, 0.01);
    assertThat(use.writtenBytesPerSecond()).isBetween(0.0, 1.0);
  }

  @Test
  void aLogThatWasOpenedAnewIsNoNegativeRate() {
    second(1, 10, 10, 10);
    log = new LogCounts(0, 0);
    assertThat(second(2, 0, 0, 0).entriesPerSecond()).isBetween(0.0, 10.0);
  }

  @Test
  void whereTheSystemDoesNotCountBytesNoneAreTold() {
    UseMeter blind = new UseMeter(() -> log, () -> -1, DISK, 0);
    assertThat(blind.take(SECOND).writtenBytesPerSecond()).isEqualTo(-1);
  }
}
