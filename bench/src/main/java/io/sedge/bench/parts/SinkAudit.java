package io.sedge.bench.parts;

import io.sedge.bench.Table;
import io.sedge.bench.outside.SinkTail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what came of all readings, in the files that the sinks have written in the end. */
final class SinkAudit {
  private static final long WINDOW_MILLIS = 1_000;

  private SinkAudit() {}

  /**
   * A table of what is missing and what is there twice. The devices have ended.
   *
   * @param directory that of both sinks
   * @param since all shards were read by then: what was sent before need not be there
   */
  static Table of(Path directory, ReadingLog log, long since) throws IOException {
    Table table = new Table("in the sink's files", "expected", "lost", "doubled", "wrong");
    rows(SinkTail.all(directory.resolve(SinkWatch.ROWS)), log, since, table);
    windows(SinkTail.all(directory.resolve(SinkWatch.WINDOWS)), log, since, table);
    return table;
  }

  private static void rows(List<String> rows, ReadingLog log, long since, Table table) {
    BitSet seen = new BitSet();
    int doubled = 0;
    int wrong = 0;
    for (String row : rows) {
      int number = SinkWatch.number(row);
      boolean right =
          number >= 0
              && number < log.count()
              && row.equals("%s,%d".formatted(Feeder.shard(number % log.shards()), number));
      wrong += right ? 0 : 1;
      doubled += right && seen.get(number) ? 1 : 0;
      if (right) {
        seen.set(number);
      }
    }
    int first = log.firstSince(since);
    int expected = log.count() - first;
    int found = seen.get(first, log.count()).cardinality();
    line(table, "readings", expected, expected - found, doubled, wrong);
  }

  /** The end of the last window that is complete with what was sent; not of the last reading. */
  static long lastWindow(ReadingLog log) {
    // Of the last readings of all shards the first: each of them has come so far.
    long complete = log.millis(log.count() - log.shards()) - Failover.WATERMARK_MILLIS;
    return Math.floorDiv(complete, WINDOW_MILLIS) * WINDOW_MILLIS;
  }

  /** Of the windows that began and were complete while all shards were read. */
  private static void windows(List<String> rows, ReadingLog log, long since, Table table) {
    Map<Long, Integer> expected = new HashMap<>();
    long last = lastWindow(log);
    for (int i = 0; i < log.count(); i++) {
      long begin = Math.floorDiv(log.millis(i), WINDOW_MILLIS) * WINDOW_MILLIS;
      if (begin >= log.millisAt(since) && begin + WINDOW_MILLIS <= last) {
        expected.merge(begin + WINDOW_MILLIS, 1, Integer::sum);
      }
    }
    Map<Long, Integer> times = new HashMap<>();
    int wrong = 0;
    for (String row : rows) {
      long end = MergedWindows.end(row);
      int readings = Integer.parseInt(row.substring(row.indexOf(',') + 1));
      if (expected.containsKey(end)) {
        times.merge(end, 1, Integer::sum);
        wrong += expected.getOrDefault(end, 0) == readings ? 0 : 1;
      }
    }
    int doubled = times.values().stream().mapToInt(count -> count - 1).sum();
    line(
        table,
        "windows of all shards",
        expected.size(),
        expected.size() - times.size(),
        doubled,
        wrong);
  }

  private static void line(
      Table table, String what, int expected, int lost, int doubled, int wrong) {
    table.row(
        what,
        Integer.toString(expected),
        Integer.toString(lost),
        Integer.toString(doubled),
        Integer.toString(wrong));
  }
}
