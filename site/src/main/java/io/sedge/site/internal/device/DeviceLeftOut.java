package io.sedge.site.internal.device;

import io.sedge.ledger.TaskId;
import io.sedge.task.LeftOutSum;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a device's tasks have left out since its process began, by job. Tasks come and go and count
 * from nothing each time: what those that are over have left out is kept as a sum. It is forgotten
 * when the job has another script, whose first task begins anew, and when the job is removed. Any
 * thread.
 */
final class DeviceLeftOut {
  private final Map<String, OfJob> jobs = new HashMap<>();

  /** The tasks of one script of a job; all of it is guarded by the one above. */
  private static final class OfJob {
    final long version;
    final LeftOutSum ofEnded = new LeftOutSum();
    final Map<TaskId, TaskHost.Running> running = new TreeMap<>();

    OfJob(long version) {
      this.version = version;
    }
  }

  /**
   * Counts a task from now on.
   *
   * @param version of the job's script
   */
  synchronized void started(TaskId id, long version, TaskHost.Running task) {
    jobs.compute(
            id.job(),
            (_, known) -> known == null || known.version != version ? new OfJob(version) : known)
        .running
        .put(id, task);
  }

  /** Keeps what a task has left out that is over. */
  synchronized void ended(TaskId id, TaskHost.Running task) {
    OfJob job = jobs.get(id.job());
    if (job != null && job.running.remove(id, task)) {
      task.leftOut().forEach(job.ofEnded::add);
    }
  }

  /** Forgets jobs that there are no more. */
  synchronized void retainJobs(Set<String> present) {
    jobs.keySet().retainAll(present);
  }

  /** What all tasks of a job have left out. */
  synchronized LeftOutSum sum(String name) {
    LeftOutSum sum = new LeftOutSum();
    OfJob job = jobs.get(name);
    if (job != null) {
      sum.add(job.ofEnded);
      job.running.values().forEach(task -> task.leftOut().forEach(sum::add));
    }
    return sum;
  }
}
