package io.sedge.connector.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class SamplerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final List<String> taken = new ArrayList<>();
  private final Readings readings = new Readings(10_000);
  private long now = 1_000 * SECOND;

  private static Sampler sampler(double hertz, FakeProbe... probes) {
    return new Sampler(List.of(probes), new Selection("*", ""), quantity -> hertz, 100);
  }

  /** Samples whenever the sampler wants to until the time has come, and collects the readings. */
  private List<String> run(Sampler sampler, long until) {
    taken.clear();
    while (now < until) {
      long next = sampler.sample(now, now / 1_000, readings);
      assertThat(next).isGreaterThan(now);
      now = Math.min(next, until);
    }
    readings.drain(
        10_000,
        (quantity, micros, value) ->
            taken.add(
                String.format(
                    Locale.ROOT,
                    "%s@%d=%.1f",
                    quantity.name(),
                    micros / 1_000 % 1_000_000,
                    value)));
    return List.copyOf(taken);
  }

  private static long count(List<String> readings, String quantity) {
    return readings.stream().filter(reading -> reading.startsWith(quantity + "@")).count();
  }

  @Test
  void eachQuantityIsReadAtTheMultiplesOfItsOwnPeriod() {
    FakeProbe probe = new FakeProbe(Quantity.gauge("memory.used", "By"));
    probe.raw[0] = 7;
    assertThat(run(sampler(4, probe), now + SECOND))
        .containsExactly(
            "memory.used@0=7.0",
            "memory.used@250=7.0",
            "memory.used@500=7.0",
            "memory.used@750=7.0");
  }

  // What makes 10 Hz cheap on a machine with hundreds of counters.
  @Test
  void oneLookServesAllQuantitiesThatAreDueTogether() {
    FakeProbe probe =
        new FakeProbe(Quantity.gauge("a", "1"), Quantity.gauge("b", "1"), Quantity.gauge("c", "1"));
    List<String> readings = run(sampler(10, probe), now + SECOND);
    assertThat(readings).hasSize(30);
    assertThat(probe.looks.get()).isEqualTo(10);
  }

  @Test
  void aNewRateHoldsForThatQuantityAloneAndFromTheNextMultipleOn() {
    FakeProbe probe = new FakeProbe(Quantity.gauge("a", "1"), Quantity.gauge("b", "1"));
    Sampler sampler = sampler(10, probe);
    run(sampler, now + SECOND);
    Sampler.RateChange change = sampler.setRate("a", 100).orElseThrow();
    assertThat(change).isEqualTo(new Sampler.RateChange(10, 100, 100));
    List<String> fast = run(sampler, now + SECOND);
    assertThat(count(fast, "a")).isEqualTo(100);
    assertThat(count(fast, "b")).isEqualTo(10);
    sampler.setRate("a", 10);
    List<String> calm = run(sampler, now + SECOND);
    assertThat(count(calm, "a")).isEqualTo(10);
  }

  @Test
  void aRateIsClampedToWhatTheTableAndTheQuantityTake() {
    FakeProbe probe =
        new FakeProbe(Quantity.gauge("a", "1"), Quantity.gauge("slow", "1").atMost(2));
    Sampler sampler = sampler(10, probe);
    assertThat(sampler.rate("a")).contains(10.0);
    assertThat(sampler.rate("slow")).contains(2.0);
    assertThat(sampler.setRate("a", 5_000).orElseThrow().toHz()).isEqualTo(100);
    assertThat(sampler.setRate("a", 0).orElseThrow().toHz()).isEqualTo(SamplingRate.MIN_HZ);
    assertThat(sampler.setRate("slow", 100).orElseThrow().toHz()).isEqualTo(2);
    assertThat(sampler.setRate("nobody", 100)).isEmpty();
  }

  // A job that is busy for a second must not find a hundred stale readings waiting.
  @Test
  void timesThatWereMissedAreSkipped() {
    FakeProbe probe = new FakeProbe(Quantity.gauge("a", "1"));
    Sampler sampler = sampler(10, probe);
    run(sampler, now + 1);
    now += SECOND + 30 * MILLI;
    assertThat(run(sampler, now + 100 * MILLI)).containsExactly("a@1030=0.0", "a@1100=0.0");
  }

  @Test
  void aCounterBecomesItsGrowthPerSecond() {
    FakeProbe probe = new FakeProbe(Quantity.rate("net.received", "By/s").scaled(2));
    Sampler sampler = sampler(10, probe);
    for (int i = 0; i < 5; i++) {
      probe.raw[0] = i * 300;
      run(sampler, now + 100 * MILLI);
    }
    assertThat(taken).containsExactly("net.received@400=6000.0");
  }

  // Kernels count processor time in steps of 10 ms: a difference over 10 ms would be 0 or 100 %.
  @Test
  void aShareIsTakenOverATenthOfASecondEvenAtAHundredHertz() {
    FakeProbe probe = new FakeProbe(Quantity.share("cpu.load"));
    Sampler sampler = sampler(100, probe);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      probe.whole[0] = i;
      probe.raw[0] = Math.floor(i / 2.0);
      all.addAll(run(sampler, now + 10 * MILLI));
    }
    assertThat(all).hasSize(30).allMatch(reading -> reading.endsWith("=50.0"));
  }

  @Test
  void aCounterThatWasResetGivesNoReadingUntilItHasGrownAgain() {
    FakeProbe probe = new FakeProbe(Quantity.rate("a", "1/s"));
    Sampler sampler = sampler(10, probe);
    List<String> all = new ArrayList<>();
    for (double counter : new double[] {100, 200, 5, 15}) {
      probe.raw[0] = counter;
      all.addAll(run(sampler, now + 100 * MILLI));
    }
    assertThat(all).containsExactly("a@100=1000.0", "a@300=100.0");
  }

  @Test
  void whatCannotBeReadNowGivesNoReadingAndComesBack() {
    FakeProbe probe = new FakeProbe(Quantity.gauge("a", "1"), Quantity.rate("b", "1/s"));
    Sampler sampler = sampler(10, probe);
    run(sampler, now + 500 * MILLI);
    probe.failing = true;
    assertThat(run(sampler, now + 500 * MILLI)).isEmpty();
    probe.failing = false;
    probe.raw[0] = Double.NaN;
    List<String> back = run(sampler, now + 500 * MILLI);
    assertThat(count(back, "a")).isZero();
    assertThat(count(back, "b")).isEqualTo(4);
  }

  @Test
  void onlyWhatIsSelectedIsReadAndProbesWithoutAnyAreClosed() {
    FakeProbe cpu =
        new FakeProbe(Quantity.gauge("cpu.load", "%"), Quantity.gauge("cpu.load.0", "%"));
    FakeProbe disk = new FakeProbe(Quantity.gauge("disk.sda.read", "By/s"));
    Sampler sampler =
        new Sampler(List.of(cpu, disk), new Selection("cpu.*", "cpu.load.?"), q -> 10, 100);
    assertThat(sampler.names()).containsExactly("cpu.load");
    assertThat(disk.closed).isTrue();
    assertThat(cpu.closed).isFalse();
    sampler.close();
    assertThat(cpu.closed).isTrue();
  }

  @Test
  void theHistoryOfACounterIsBoundedByItsHighestRate() {
    History history = new History(100);
    double last = 0;
    for (int i = 0; i < 10_000; i++) {
      last = history.add(Measure.RATE, i * 1_000_000L, i, 0);
    }
    assertThat(last).isCloseTo(1_000, within(1.0));
  }
}
