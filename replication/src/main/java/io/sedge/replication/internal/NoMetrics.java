package io.sedge.replication.internal;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Where Ratis's own metrics go: nowhere, as nobody reads them. Ratis's default keeps a thousand
 * samples of each of its dozens of timers, takes the time twice for each step of each entry, and
 * registers all with JMX. What people should know of a member is measured elsewhere.
 *
 * <p>Ratis finds this as a service. Any thread.
 */
public final class NoMetrics extends MetricRegistries {
  private static final Timekeeper.Context NO_TIME = () -> 0;
  private static final Timekeeper TIMER = () -> NO_TIME;

  /** For the service loader. */
  public NoMetrics() {}

  @Override
  public RatisMetricRegistry create(MetricRegistryInfo info) {
    return new Registry(info);
  }

  @Override
  public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.empty();
  }

  @Override
  public Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.of();
  }

  @Override
  public Collection<RatisMetricRegistry> getMetricRegistries() {
    return List.of();
  }

  @Override
  public void clear() {}

  @Override
  public boolean remove(MetricRegistryInfo info) {
    return true;
  }

  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> reporter, Consumer<RatisMetricRegistry> stop) {}

  @Override
  public void enableJmxReporter() {}

  @Override
  public void enableConsoleReporter(TimeDuration rate) {}

  private record Registry(MetricRegistryInfo info) implements RatisMetricRegistry {
    @Override
    public Timekeeper timer(String name) {
      return TIMER;
    }

    /** Counts for whoever has it, since Ratis may ask it back. */
    @Override
    public LongCounter counter(String name) {
      return new Counter(new LongAdder());
    }

    @Override
    public boolean remove(String name) {
      return true;
    }

    @Override
    public <T> void gauge(String name, Supplier<Supplier<T>> value) {}

    @Override
    public MetricRegistryInfo getMetricRegistryInfo() {
      return info;
    }
  }

  private record Counter(LongAdder count) implements LongCounter {
    @Override
    public void inc(long by) {
      count.add(by);
    }

    @Override
    public void dec(long by) {
      count.add(-by);
    }

    @Override
    public long getCount() {
      return count.sum();
    }
  }
}
