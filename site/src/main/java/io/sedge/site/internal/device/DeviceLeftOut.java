package io.sedge.site.internal.device;

import io.sedge.task.LeftOutSum;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a device's tasks have left out since its process began, by job. Tasks come and go and count
 * from nothing each time: what those that are over have left out is kept as a sum. A task that was
 * told to end still leaves out what it has read, so it counts itself until it has ended. All is
 * forgotten when the job has another script, whose first task begins anew, and when the job is
 * removed. Any thread.
 */
final class DeviceLeftOut {
  /** How many reasons of tasks that are over are told apart: the most frequent ones. */
  static final int MAX_REASONS_OF_ENDED = 200;

  private final Map<String, OfJob> jobs = new HashMap<>();

  /** The tasks of one script of a job; all of it is guarded by the one above. */
  private static final class OfJob {
    final long version;
    final LeftOutSum ofEnded = new LeftOutSum();
    final List<TaskHost.Running> tasks = new ArrayList<>();

    OfJob(long version) {
      this.version = version;
    }

    /** Keeps what tasks have left out that are over. */
    void addEnded() {
      for (TaskHost.Running task : List.copyOf(tasks)) {
        if (task.hasEnded()) {
          tasks.remove(task);
          task.leftOut().forEach(ofEnded::add);
          ofEnded.keepMostFrequent(MAX_REASONS_OF_ENDED);
        }
      }
    }
  }

  /**
   * Counts a task from now on.
   *
   * @param version of the job's script
   */
  synchronized void started(String job, long version, TaskHost.Running task) {
    jobs.compute(
            job,
            (_, known) -> known == null || known.version != version ? new OfJob(version) : known)
        .tasks
        .add(task);
  }

  /** Forgets jobs that there are no more, and tasks that have ended: what they counted is kept. */
  synchronized void retainJobs(Set<String> present) {
    jobs.keySet().retainAll(present);
    jobs.values().forEach(OfJob::addEnded);
  }

  /**
   * What all tasks of a job have left out. Tasks are asked outside the lock, so that whoever starts
   * others does not wait for it.
   */
  LeftOutSum sum(String name) {
    LeftOutSum sum = new LeftOutSum();
    counted(name, sum).forEach(task -> task.leftOut().forEach(sum::add));
    return sum;
  }

  /**
   * Adds what tasks of a job have left out that are over.
   *
   * @return the others
   */
  private synchronized List<TaskHost.Running> counted(String name, LeftOutSum sum) {
    OfJob job = jobs.get(name);
    if (job == null) {
      return List.of();
    }
    sum.add(job.ofEnded);
    return List.copyOf(job.tasks);
  }
}
