package io.sedge.site.api;

import io.sedge.ledger.JobState;

/**
 * A job of a site at one moment.
 *
 * @param detail why it is in its state, or which devices cannot compile it, or the worst that a
 *     device says of a task that it has; may be empty
 * @param version 1 for the first script
 * @param given the center's version of it, if the site's center has given it; else 0
 * @param tasks how many it has
 * @param runningTasks those that a device has, and does not say that they stand still there
 * @param readingsPerSecond of all its tasks; -1 if not known
 * @param lagSeconds how far its results are behind the clock; -1 if not known
 * @param rows that it has given so far
 * @param waitingRows those of them that are not delivered yet
 * @param input how much of its input is done, if it was cut into parts
 */
public record JobStatus(
    String name,
    JobState state,
    String detail,
    long version,
    long given,
    int tasks,
    int runningTasks,
    double readingsPerSecond,
    double lagSeconds,
    long rows,
    long waitingRows,
    InputProgress input) {}
