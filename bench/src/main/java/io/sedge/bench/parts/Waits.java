package io.sedge.bench.parts;

import io.sedge.bench.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How long shards took after what happened to devices, by what happened and what was waited for.
 */
final class Waits {
  private final Map<Kind, List<Sample>> samples = new LinkedHashMap<>();
  private int events;

  private record Kind(String event, String what) {}

  /**
   * One shard after one event.
   *
   * @param number of the event
   */
  private record Sample(int number, String shard, long nanos) {}

  /** Something happens: samples until the next one belong together. */
  void begin() {
    events++;
  }

  /**
   * @param event a name for what has happened
   * @param what was waited for
   */
  void add(String event, String what, String shard, long nanos) {
    samples
        .computeIfAbsent(new Kind(event, what), _ -> new ArrayList<>())
        .add(new Sample(events, shard, nanos));
  }

  /** The longest of each kind of what happened last, for people who wait for the table. */
  String last() {
    return samples.entrySet().stream()
        .map(
            kind ->
                kind.getValue().stream()
                    .filter(sample -> sample.number() == events)
                    .max(Comparator.comparingLong(Sample::nanos))
                    .map(worst -> text(kind.getKey(), worst))
                    .orElse(""))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String text(Kind kind, Sample worst) {
    return String.format(
        Locale.ROOT, "%s %.2f s (%s)", kind.what(), worst.nanos() / 1e9, worst.shard());
  }

  Table table() {
    Table table =
        new Table(
            "what happens",
            "seconds until",
            "times",
            "p50",
            "p99",
            "slowest shard of each: p50",
            "p99",
            "longest",
            "of");
    samples.forEach((kind, all) -> row(table, kind, all));
    return table;
  }

  private static void row(Table table, Kind kind, List<Sample> all) {
    List<Long> each = all.stream().map(Sample::nanos).sorted().toList();
    Map<Integer, Long> slowest = new LinkedHashMap<>();
    Sample worst = all.getFirst();
    for (Sample sample : all) {
      slowest.merge(sample.number(), sample.nanos(), Math::max);
      worst = sample.nanos() > worst.nanos() ? sample : worst;
    }
    List<Long> ofEach = slowest.values().stream().sorted().toList();
    table.row(
        kind.event(),
        kind.what(),
        Integer.toString(slowest.size()),
        Quantiles.seconds(each, 0.5),
        Quantiles.seconds(each, 0.99),
        Quantiles.seconds(ofEach, 0.5),
        Quantiles.seconds(ofEach, 0.99),
        Quantiles.seconds(each, 1),
        worst.shard());
  }
}
