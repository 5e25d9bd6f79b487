package io.sedge.site.internal.device;

import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.ledger.JobTroubles;
import io.sedge.ledger.Measures;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.exchange.Outbox;
import io.sedge.task.JobCounters;
import io.sedge.task.SinkCounters;
import io.sedge.task.TableCounters;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a device's tasks have done since its process began, by job and table. Tasks come and go and
 * count from nothing each time; the sums here only grow, until their job is removed. Any thread.
 *
 * <p>Of more than {@link #MAX_TABLES} tables of all jobs the others of a job are counted as one.
 */
public final class Totals {
  static final int MAX_TABLES = 500;

  /** What stands for the tables that are too many; no table of a script is called so. */
  static final String OTHERS = "(others)";

  private final Map<String, OfJob> jobs = new TreeMap<>();
  private final Map<TaskId, Seen> seen = new HashMap<>();
  private int tables;

  /** What was counted of a run of a task. */
  private record Seen(Object run, JobCounters counters) {}

  /**
   * What was read from a table.
   *
   * @param readings rows taken
   * @param bytes of payload
   * @param malformed payloads that could not be decoded
   * @param dropped readings lost to a bound of the source
   */
  public record Read(long readings, long bytes, long malformed, long dropped) {
    static final Read NOTHING = new Read(0, 0, 0, 0);

    static Read of(TableCounters counters) {
      return new Read(
          counters.readings(), counters.bytes(), counters.malformed(), counters.dropped());
    }

    Read plus(Read more) {
      return new Read(
          readings + more.readings,
          bytes + more.bytes,
          malformed + more.malformed,
          dropped + more.dropped);
    }

    Read minus(Read less) {
      return plus(new Read(-less.readings, -less.bytes, -less.malformed, -less.dropped));
    }
  }

  /** The totals of a job; all of it is guarded by the one above. */
  private static final class OfJob {
    final Map<String, Read> read = new TreeMap<>();
    final Map<String, SinkCounters> written = new TreeMap<>();
    long late;
    long untimed;
    long starts;
    long failures;
    Duration cpu = Duration.ZERO;
  }

  /**
   * The totals of a job at one moment.
   *
   * @param read by source table of its script
   * @param written what its sink tables were given, by table
   * @param late rows that came after their window had closed
   * @param untimed rows without an event time
   * @param starts of its tasks
   * @param failures of its tasks
   * @param cpu processor time of its tasks
   */
  public record Job(
      Map<String, Read> read,
      Map<String, SinkCounters> written,
      long late,
      long untimed,
      long starts,
      long failures,
      Duration cpu) {
    public Job {
      read = Map.copyOf(read);
      written = Map.copyOf(written);
    }
  }

  /** By job, those of which this device has run a task. */
  public synchronized Map<String, Job> jobs() {
    Map<String, Job> copy = new TreeMap<>();
    jobs.forEach(
        (name, job) ->
            copy.put(
                name,
                new Job(
                    job.read,
                    job.written,
                    job.late,
                    job.untimed,
                    job.starts,
                    job.failures,
                    job.cpu)));
    return copy;
  }

  /** What went wrong, by job; jobs without troubles are absent. */
  synchronized Map<String, JobTroubles> troubles() {
    Map<String, JobTroubles> troubles = new TreeMap<>();
    jobs.forEach(
        (name, job) -> {
          long malformed = job.read.values().stream().mapToLong(Read::malformed).sum();
          JobTroubles own = new JobTroubles(malformed, job.failures);
          if (!own.equals(JobTroubles.NONE) && troubles.size() < Measures.MAX_TROUBLES) {
            troubles.put(name, own);
          }
        });
    return troubles;
  }

  synchronized void started(TaskId id) {
    job(id).starts++;
  }

  synchronized void failed(TaskId id) {
    job(id).failures++;
  }

  private OfJob job(TaskId id) {
    return jobs.computeIfAbsent(id.job(), _ -> new OfJob());
  }

  /**
   * Takes what a task has done so far.
   *
   * @param run its present run, which counts from nothing
   */
  synchronized void add(TaskId id, Fragment fragment, Object run, JobCounters counters) {
    Seen last = seen.put(id, new Seen(run, counters));
    JobCounters before =
        last == null || !last.run().equals(run) ? JobCounters.NONE : last.counters();
    OfJob job = job(id);
    job.late += counters.late() - before.late();
    job.untimed += untimed(counters) - untimed(before);
    job.cpu = job.cpu.plus(counters.cpu()).minus(before.cpu());
    counters
        .sources()
        .forEach(
            (table, now) -> {
              if (isRead(fragment, table)) {
                TableCounters then = before.sources().get(table);
                Read less = then == null ? Read.NOTHING : Read.of(then);
                job.read.merge(name(job.read, table), Read.of(now).minus(less), Read::plus);
              }
            });
    if (fragment.name().equals(CompiledJob.DELIVERY)) {
      counters
          .sinks()
          .forEach(
              (table, now) ->
                  job.written.merge(
                      name(job.written, table),
                      now.minus(before.sinks().getOrDefault(table, SinkCounters.NONE)),
                      SinkCounters::plus));
    }
  }

  /** What was dropped that no source has dropped. */
  private static long untimed(JobCounters counters) {
    return counters.dropped() - sum(counters.sources().values(), TableCounters::dropped);
  }

  private static long sum(Collection<TableCounters> tables, Function<TableCounters, Long> counter) {
    return tables.stream().map(counter).reduce(0L, Long::sum);
  }

  /** Whether a table of a fragment is one of the script's sources. */
  static boolean isRead(Fragment fragment, String table) {
    io.sedge.sql.Job.@Nullable SourceTable source = fragment.job().sources().get(table);
    return source != null
        && !source.connector().equals(Fragments.EXCHANGE)
        && !source.connector().equals(Outbox.CONNECTOR);
  }

  private String name(Map<String, ?> known, String table) {
    if (known.containsKey(table)) {
      return table;
    }
    if (tables >= MAX_TABLES) {
      return OTHERS;
    }
    tables++;
    return table;
  }

  /** Forgets tasks that are not this device's any more; what they did stays counted. */
  synchronized void retainTasks(Set<TaskId> present) {
    seen.keySet().retainAll(present);
  }

  /** Forgets jobs that there are no more. */
  synchronized void retainJobs(Set<String> present) {
    jobs.entrySet()
        .removeIf(
            job -> {
              boolean gone = !present.contains(job.getKey());
              if (gone) {
                tables -= named(job.getValue().read) + named(job.getValue().written);
              }
              return gone;
            });
  }

  private static int named(Map<String, ?> byTable) {
    return byTable.size() - (byTable.containsKey(OTHERS) ? 1 : 0);
  }
}
