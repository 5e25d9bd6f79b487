package io.sedge.bench.outside;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a process took between two readings.
 *
 * @param seconds between them
 * @param cpu of one processor: 1 is all of it
 * @param syncs a second
 * @param writtenBytes a second, to files
 * @param writtenPageBytes the same in whole pages
 * @param wakes a second
 * @param residentBytes in the end
 * @param threads of one processor, by names of threads
 */
public record ProcessUse(
    double seconds,
    double cpu,
    double syncs,
    double writtenBytes,
    double writtenPageBytes,
    double wakes,
    double residentBytes,
    Map<String, Double> threads) {
  public ProcessUse {
    threads = Map.copyOf(threads);
  }

  public static ProcessUse between(ProcessReading before, ProcessReading after) {
    double nanos = after.nanos() - before.nanos();
    double seconds = nanos / 1e9;
    Map<String, Double> threads = new TreeMap<>();
    after
        .threads()
        .forEach(
            (name, cpuNanos) ->
                threads.put(
                    name, Math.max(0, cpuNanos - before.threads().getOrDefault(name, 0L)) / nanos));
    return new ProcessUse(
        seconds,
        (after.cpuNanos() - before.cpuNanos()) / nanos,
        (after.written().syncs() - before.written().syncs()) / seconds,
        (after.written().bytes() - before.written().bytes()) / seconds,
        (after.written().pageBytes() - before.written().pageBytes()) / seconds,
        Math.max(0, after.wakes() - before.wakes()) / seconds,
        after.residentBytes(),
        threads);
  }
}
