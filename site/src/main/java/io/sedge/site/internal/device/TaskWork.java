package io.sedge.site.internal.device;

import io.sedge.ledger.TaskId;
import io.sedge.site.JobCounters;

/**
 * A task that the ledger gives to this device, and how far it is with that.
 *
 * @param why why it does not run, or, if it does, what it waits for; else empty
 * @param counters of its present run; all zero while it does not run
 */
public record TaskWork(TaskId id, boolean running, String why, JobCounters counters) {}
