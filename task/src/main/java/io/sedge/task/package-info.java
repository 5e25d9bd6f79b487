/**
 * Runs jobs, or parts of them, in this process: reads the sources, drives the pipeline, writes the
 * sinks, and lets the sources forget a reading once what came of it is safe. Read {@link
 * io.sedge.task.JobRunner} first, then {@link io.sedge.task.LocalJob}, then {@link
 * io.sedge.task.CommitLog}. Each job runs in one thread of its own, named {@code sedge-task-} and
 * the job's name; connectors are opened and closed on virtual threads.
 */
@NullMarked
package io.sedge.task;

import org.jspecify.annotations.NullMarked;
