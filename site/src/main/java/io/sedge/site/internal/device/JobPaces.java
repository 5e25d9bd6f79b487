package io.sedge.site.internal.device;

import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.SiteState;
import io.sedge.site.api.InputProgress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How fast bounded jobs get on, as seen from this device since it has first seen their parts. Any
 * thread.
 */
public final class JobPaces {
  private static final double NANOS = 1e9;

  private final Map<String, Begin> begins = new HashMap<>();
  private long nowNanos;

  /** When the parts of a job were first seen, and how much was done then. */
  private record Begin(long version, long atNanos, long bytesDone) {}

  /**
   * Looks at the jobs.
   *
   * @param now a monotonic clock, in nanoseconds
   */
  synchronized void update(SiteState state, long now) {
    nowNanos = now;
    List<Job> jobs = state.jobs();
    begins.keySet().retainAll(jobs.stream().map(Job::name).toList());
    for (Job job : jobs) {
      Begin begin = begins.get(job.name());
      boolean known = begin != null && begin.version() == job.version();
      if (!known && !state.parts(job.name()).isEmpty()) {
        long done = done(state, job.name()).bytesDone();
        begins.put(job.name(), new Begin(job.version(), now, done));
      }
    }
  }

  /** How much of a job's input is done. */
  public synchronized InputProgress of(SiteState state, Job job) {
    InputProgress done = done(state, job.name());
    @Nullable Begin begin = begins.get(job.name());
    if (begin == null || job.state() != JobState.RUNNING) {
      return done;
    }
    double seconds = (nowNanos - begin.atNanos()) / NANOS;
    double pace = (done.bytesDone() - begin.bytesDone()) / seconds;
    return pace > 0
        ? new InputProgress(
            done.parts(),
            done.partsDone(),
            done.bytes(),
            done.bytesDone(),
            (done.bytes() - done.bytesDone()) / pace)
        : done;
  }

  private static InputProgress done(SiteState state, String job) {
    List<InputPart> parts = state.parts(job);
    if (parts.isEmpty()) {
      return InputProgress.NONE;
    }
    Set<String> ended =
        state.tasks().stream()
            .filter(task -> task.ended() && task.id().job().equals(job))
            .map(task -> task.id().shard())
            .collect(Collectors.toSet());
    int count = 0;
    long bytes = 0;
    long bytesDone = 0;
    for (InputPart part : parts) {
      bytes += part.bytes();
      if (ended.contains(part.shard())) {
        count++;
        bytesDone += part.bytes();
      }
    }
    return new InputProgress(parts.size(), count, bytes, bytesDone, -1);
  }
}
