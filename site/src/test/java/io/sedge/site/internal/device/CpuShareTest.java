package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.task.ProcessorQuota;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine of two processors in virtual time. */
class CpuShareTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final Percentage ABOUT = Percentage.withPercentage(10);

  private long now;

  /** Processors that each of them uses. */
  private double tasks;

  private double ledger;
  private double others;

  /** The process runs for so long of 80 ms. */
  private long runsMillis = 80;

  private double tasksNanos;

  /** Of the task now. */
  private long rest;

  private double processNanos;
  private double load;

  /** Threads that run or want to. */
  private double demand;

  private final CpuShare.Machine machine =
      new CpuShare.Machine() {
        @Override
        public int processors() {
          return 2;
        }

        @Override
        public double load() {
          return load;
        }

        @Override
        public double demand() {
          return demand;
        }

        @Override
        public long processNanos() {
          return (long) processNanos;
        }
      };
  private final CpuBudget budget = new CpuBudget(2, () -> now, () -> (long) tasksNanos);
  private final ProcessorQuota pace = budget.pace();
  private CpuShare share = new CpuShare(2, budget, machine);

  private void pass(double seconds) {
    long end = now + (long) (seconds * SECOND);
    while (now < end) {
      long wait = share.doWork(now);
      long phase = (now + wait) % (80 * MILLI);
      wait += phase < runsMillis * MILLI ? 0 : 80 * MILLI - phase;
      now += wait;
      tasksNanos += tasks * wait;
      rest = pace.restNanos();
      processNanos += (tasks + ledger) * wait;
      load = Math.min(1, (tasks + ledger + others) / 2);
    }
  }

  @Test
  void beforeAnythingIsMeasuredItIsWhatWasGiven() {
    assertThat(new CpuShare(0.5, budget, machine).getAsDouble()).isEqualTo(0.5);
  }

  @Test
  void tasksMayUseWhatTheProcessUsesAndWhatNobodyUses() {
    tasks = 0.5;
    ledger = 0.1;
    others = 0.4;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(1.6, ABOUT);
  }

  @Test
  void noMoreThanWasGiven() {
    share = new CpuShare(0.4, budget, machine);
    tasks = 0.3;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(0.4, Offset.offset(0.001));
  }

  /** It is stopped for three quarters of the time, which the load of the machine does not show. */
  @Test
  void aProcessThatIsStoppedAgainAndAgainHasAPartOfWhatItWasGiven() {
    share = new CpuShare(0.4, budget, machine);
    tasks = 0.3;
    ledger = 0.1;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(0.4, ABOUT);
    runsMillis = 20;
    tasks = 0.1;
    pass(1);
    assertThat(share.getAsDouble()).as("not before the third measurement").isGreaterThan(0.3);
    pass(1.2);
    assertThat(share.getAsDouble()).isCloseTo(0.1, ABOUT);
  }

  /** What it wins by having several processors is the ledger's, so that it is not missed. */
  @Test
  void tasksOfAProcessThatIsStoppedAreHeldToThatPart() {
    share = new CpuShare(0.4, budget, machine);
    tasks = 0.39;
    pass(10);
    assertThat(rest).isZero();
    runsMillis = 20;
    pass(5);
    assertThat(rest).isPositive();
    tasks = 0.09;
    pass(60);
    assertThat(rest).isZero();
  }

  /** As when its heap is collected. */
  @Test
  void oneLongHaltCostsTheTasksNothingAtOnce() {
    share = new CpuShare(0.4, budget, machine);
    tasks = 0.35;
    pass(10);
    now += 200 * MILLI;
    pass(0.2);
    assertThat(rest).isZero();
  }

  /** In the first half second others could miss a device whose ledger has nothing left. */
  @ParameterizedTest
  @ValueSource(doubles = {10, 10.1, 10.2, 10.3, 10.4})
  void tasksAreHeldToItBeforeItIsMeasured(double seconds) {
    share = new CpuShare(0.4, budget, machine);
    tasks = 0.39;
    pass(seconds);
    runsMillis = 20;
    pass(0.6);
    assertThat(rest).isPositive();
  }

  /** What stops it is there all the same, so tasks do not come back to be taken away again. */
  @Test
  void aDeviceThatIsStoppedAndHasNothingToDoIsAsSlow() {
    runsMillis = 8;
    tasks = 0.01;
    pass(60);
    assertThat(share.getAsDouble()).isCloseTo(0.2, Offset.offset(0.06));
  }

  /** Threads of its own make the pulse late; but then the processors are in use, by itself. */
  @Test
  void aDeviceWithMoreThreadsThanProcessorsLosesNothing() {
    tasks = 1.9;
    ledger = 0.1;
    pass(10);
    runsMillis = 20;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(2, ABOUT);
  }

  @Test
  void otherWorkThatComesAndGoesCountsOnceItStays() {
    tasks = 0.2;
    pass(10);
    for (int i = 0; i < 20; i++) {
      others = 1.7;
      pass(0.5);
      others = 0;
      pass(5);
    }
    assertThat(share.getAsDouble()).isGreaterThan(1.7);
    others = 1.7;
    pass(5);
    assertThat(share.getAsDouble()).isCloseTo(0.3, ABOUT);
    others = 0;
    pass(4);
    assertThat(share.getAsDouble()).isCloseTo(0.3, ABOUT);
    pass(60);
    assertThat(share.getAsDouble()).isCloseTo(2, ABOUT);
  }

  /**
   * It gets that much even there, so that what a device may use does not follow what it is given.
   */
  @Test
  void onAFullMachineItIsWhatTheProcessGets() {
    tasks = 0.1;
    ledger = 0.3;
    others = 1.6;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(0.4, ABOUT);
  }

  /** Else work goes to those that happened to use more, such as one that has just started. */
  @Test
  void atRestOnAFullMachineItIsTheTurnOfOneThread() {
    ledger = 0.02;
    others = 2;
    demand = 7;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(2.0 / 8, ABOUT);
    runsMillis = 20;
    pass(10);
    assertThat(share.getAsDouble()).as("it is halted, too").isLessThan(0.1);
  }

  @Test
  void atRestOnAFullMachineWhoseDemandIsUnknownItIsWhatTheProcessGets() {
    ledger = 0.02;
    others = 2;
    demand = -1;
    pass(10);
    assertThat(share.getAsDouble()).isCloseTo(0.04, ABOUT);
  }
}
