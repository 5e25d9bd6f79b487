package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.junit.jupiter.api.Test;

/** What is kept of what Ratis measures. */
class LogMetricsTest {
  private static final MetricRegistryInfo INFO =
      new MetricRegistryInfo("member", "application", "component", "description");

  /** Without it Ratis would look for a class that is not there, and not start. */
  @Test
  void ratisFindsIt() {
    assertThat(MetricRegistries.global()).isInstanceOf(LogMetrics.class);
  }

  @Test
  void whatIsNoLogIsCountedForWhoeverAskedAndNotKept() {
    RatisMetricRegistry registry = MetricRegistries.global().create(INFO);
    LongCounter counter = registry.counter("entries");
    counter.inc(3);
    counter.dec();
    assertThat(counter.getCount()).isEqualTo(2);
    assertThat(registry.timer("append").time().stop()).isZero();
    assertThat(registry.getMetricRegistryInfo()).isEqualTo(INFO);
    assertThat(MetricRegistries.global().get(INFO)).isEmpty();
  }
}
