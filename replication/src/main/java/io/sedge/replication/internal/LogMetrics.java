package io.sedge.replication.internal;

import io.sedge.replication.LogCounts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.metrics.RaftLogMetricsBase;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.util.TimeDuration;

/**
 * Of Ratis's own metrics, the counters of the logs. All else is not kept: Ratis's default keeps a
 * thousand samples of each of its dozens of timers, takes the time twice for each step of each
 * entry, and registers all with JMX.
 *
 * <p>Ratis finds this as a service. Any thread.
 */
public final class LogMetrics extends MetricRegistries {
  private static final Timekeeper.Context NO_TIME = () -> 0;
  private static final Timekeeper TIMER = () -> NO_TIME;

  /** Of the logs that are open. */
  private final Map<MetricRegistryInfo, RatisMetricRegistry> logs = new ConcurrentHashMap<>();

  /** For the service loader. */
  public LogMetrics() {}

  /** What a member's log has counted since it was opened; nothing, if it is not open. */
  static LogCounts counts(RaftGroupMemberId member) {
    MetricRegistryInfo log =
        new MetricRegistryInfo(
            member.toString(),
            RaftLogMetricsBase.RATIS_APPLICATION_NAME_METRICS,
            RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS,
            RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS_DESC);
    return MetricRegistries.global()
        .get(log)
        .map(
            counted ->
                new LogCounts(
                    counted.counter(SegmentedRaftLogMetrics.RAFT_LOG_APPEND_ENTRY_COUNT).getCount(),
                    counted.counter(SegmentedRaftLogMetrics.RAFT_LOG_FLUSH_COUNT).getCount()))
        .orElse(new LogCounts(0, 0));
  }

  @Override
  public RatisMetricRegistry create(MetricRegistryInfo info) {
    return isLog(info) ? logs.computeIfAbsent(info, Registry::new) : new Registry(info);
  }

  private static boolean isLog(MetricRegistryInfo info) {
    return info.getMetricsComponentName().equals(RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS);
  }

  @Override
  public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.ofNullable(logs.get(info));
  }

  @Override
  public Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.copyOf(logs.keySet());
  }

  @Override
  public Collection<RatisMetricRegistry> getMetricRegistries() {
    return List.copyOf(logs.values());
  }

  @Override
  public void clear() {
    logs.clear();
  }

  @Override
  public boolean remove(MetricRegistryInfo info) {
    logs.remove(info);
    return true;
  }

  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> reporter, Consumer<RatisMetricRegistry> stop) {}

  @Override
  public void enableJmxReporter() {}

  @Override
  public void enableConsoleReporter(TimeDuration rate) {}

  /** Counters, and nothing else; their names are Ratis's, so they are few. */
  private static final class Registry implements RatisMetricRegistry {
    private final MetricRegistryInfo info;
    private final Map<String, LongCounter> counters = new ConcurrentHashMap<>();

    Registry(MetricRegistryInfo info) {
      this.info = info;
    }

    @Override
    public Timekeeper timer(String name) {
      return TIMER;
    }

    @Override
    public LongCounter counter(String name) {
      return counters.computeIfAbsent(name, _ -> new Counter(new LongAdder()));
    }

    @Override
    public boolean remove(String name) {
      counters.remove(name);
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
