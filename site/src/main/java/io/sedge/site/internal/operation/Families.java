package io.sedge.site.internal.operation;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sedge.site.internal.device.MeteredLedger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Metrics of one moment, as they are gathered. One thread. */
final class Families {
  private static final String TOTAL = "_total";
  private static final String INFO = "_info";

  private final List<Family> families = new ArrayList<>();

  /** What a metric is. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    INFO
  }

  /** A metric, with its values. */
  static final class Family {
    private final String name;
    private final Type type;
    private final String help;
    private final List<String> labels;
    private final List<GaugeDataPointSnapshot> gauges = new ArrayList<>();
    private final List<CounterDataPointSnapshot> counters = new ArrayList<>();
    private final List<HistogramDataPointSnapshot> histograms = new ArrayList<>();

    private final List<InfoDataPointSnapshot> infos = new ArrayList<>();

    private Family(String name, Type type, String help, List<String> labels) {
      this.name = name;
      this.type = type;
      this.help = help;
      this.labels = labels;
    }

    /** Adds a count; above 2^53 its last digits are lost, as in all that Prometheus reads. */
    void add(long value, String... values) {
      add((double) value, values);
    }

    /** Adds a value; those of the labels in their order. */
    void add(double value, String... values) {
      Labels of = Labels.of(labels, Arrays.asList(values));
      if (type == Type.INFO) {
        infos.add(InfoDataPointSnapshot.builder().labels(of).build());
      } else if (type == Type.COUNTER) {
        counters.add(CounterDataPointSnapshot.builder().value(value).labels(of).build());
      } else {
        gauges.add(GaugeDataPointSnapshot.builder().value(value).labels(of).build());
      }
    }

    /** Prometheus's library adds the ending itself. */
    private String without(String ending) {
      return name.substring(0, name.length() - ending.length());
    }

    private MetricSnapshot snapshot() {
      return switch (type) {
        case GAUGE -> new GaugeSnapshot(new MetricMetadata(name, help), gauges);
        case COUNTER -> new CounterSnapshot(new MetricMetadata(without(TOTAL), help), counters);
        case INFO -> new InfoSnapshot(new MetricMetadata(without(INFO), help), infos);
        case HISTOGRAM -> new HistogramSnapshot(new MetricMetadata(name, help), histograms);
      };
    }
  }

  /** A metric whose value comes and goes. */
  Family gauge(String name, String help, String... labels) {
    return family(name, Type.GAUGE, help, labels);
  }

  /**
   * A metric that only grows while its process runs.
   *
   * @param name ends in {@code _total}
   */
  Family counter(String name, String help, String... labels) {
    return family(checked(name, TOTAL), Type.COUNTER, help, labels);
  }

  /**
   * Words about something that counts: a gauge that is always 1.
   *
   * @param name ends in {@code _info}
   */
  void info(String name, String help, Map<String, String> words) {
    family(checked(name, INFO), Type.INFO, help, words.keySet().toArray(String[]::new))
        .add(1, words.values().toArray(String[]::new));
  }

  private static String checked(String name, String ending) {
    if (!name.endsWith(ending)) {
      throw new IllegalArgumentException("%s does not end in %s".formatted(name, ending));
    }
    return name;
  }

  /** How long something took. */
  void histogram(String name, String help, MeteredLedger.Durations durations) {
    List<Double> bounds = new ArrayList<>(durations.bounds());
    bounds.add(Double.POSITIVE_INFINITY);
    family(name, Type.HISTOGRAM, help)
        .histograms
        .add(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, durations.counts()))
                .sum(durations.seconds())
                .build());
  }

  private Family family(String name, Type type, String help, String... labels) {
    Family family = new Family(name, type, help, List.of(labels));
    families.add(family);
    return family;
  }

  MetricSnapshots snapshots() {
    return new MetricSnapshots(families.stream().map(Family::snapshot).toList());
  }
}
