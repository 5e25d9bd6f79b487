package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.task.ProcessorQuota;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuBudgetTest {
  private static final long SECOND = 1_000_000_000;

  private long now;
  private final long[] cpu = new long[2];
  private int running;

  /** Two tasks that always have something to do, one turn after the other, in virtual time. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.25, 0.5, 0.9})
  void busyTasksGetWhatTheDeviceMayUseAndNotMore(double cpus) {
    CpuBudget budget = new CpuBudget(cpus, () -> now, () -> cpu[running]);
    ProcessorQuota[] paces = {budget.pace(), budget.pace()};
    Random random = new Random(1);
    long used = 0;
    while (now < 60 * SECOND) {
      running = random.nextInt(2);
      long turn = random.nextInt(5_000_000);
      now += turn;
      cpu[running] += turn;
      used += turn;
      now += paces[running].restNanos();
    }
    assertThat((double) used / now).isCloseTo(cpus, Percentage.withPercentage(10));
  }

  /** Parts are opened often: what that takes is the device's too. */
  @Test
  void whatATaskUsedBeforeItsFirstTurnIsTakenFromTheBudgetAndIsNotItsOwn() {
    CpuBudget budget = new CpuBudget(0.1, () -> now, () -> cpu[running]);
    ProcessorQuota pace = budget.pace();
    cpu[0] = 50_000_000;
    assertThat(pace.restNanos()).isEqualTo(500_000_000);
    assertThat(pace.cpuNanos()).isZero();
    now += 300_000_000;
    assertThat(pace.restNanos()).isEqualTo(200_000_000);
    now += 200_000_000;
    cpu[0] += 1_000_000;
    assertThat(pace.restNanos()).isEqualTo(10_000_000);
    assertThat(pace.cpuNanos()).isEqualTo(1_000_000);
  }

  /** From the end of a part until the next is begun it takes some tenths of a second. */
  @Test
  void whatIsNotUsedForAMomentIsMadeUpFor() {
    CpuBudget budget = new CpuBudget(0.5, () -> now, () -> cpu[running]);
    ProcessorQuota pace = budget.pace();
    assertThat(pace.restNanos()).isZero();
    now += 400_000_000;
    cpu[0] += 200_000_000;
    assertThat(pace.restNanos()).isZero();
    now += 10 * SECOND;
    cpu[0] += 260_000_000;
    assertThat(pace.restNanos()).as("of ten seconds half of one").isEqualTo(20_000_000);
  }

  /** A device that has just started is slow at first; it is not to be silent for it. */
  @Test
  void noRestIsLongerThanTwoSeconds() {
    CpuBudget budget = new CpuBudget(0.01, () -> now, () -> cpu[running]);
    ProcessorQuota pace = budget.pace();
    cpu[0] = 5 * SECOND;
    assertThat(pace.restNanos()).isEqualTo(2 * SECOND);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 2})
  void whoUsesLittleNeverRests(double cpus) {
    CpuBudget budget = new CpuBudget(cpus, () -> now, () -> cpu[running]);
    ProcessorQuota pace = budget.pace();
    for (int i = 0; i < 1_000; i++) {
      now += 10_000_000;
      cpu[0] += 1_000_000;
      assertThat(pace.restNanos()).isZero();
    }
    assertThat(pace.cpuNanos()).isEqualTo(999 * 1_000_000);
  }
}
