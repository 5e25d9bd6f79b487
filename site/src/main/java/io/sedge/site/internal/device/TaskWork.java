package io.sedge.site.internal.device;

import io.sedge.ledger.TaskId;
import io.sedge.task.JobCounters;

/**
 * A task that the ledger gives to this device, and how far it is with that.
 *
 * @param why why it does not run, or, if it does, what it waits for; else empty
 * @param silence which of the tables that it reads gives nothing, and for how long; else empty.
 *     That may be as it should: a door may stay shut for days
 * @param counters of its present run; all zero while it does not run
 */
public record TaskWork(
    TaskId id, boolean running, String why, String silence, JobCounters counters) {
  /** What a person is to know of it: why it does not go on, or what it hears nothing of. */
  public String remark() {
    return why.isEmpty() ? silence : why;
  }
}
