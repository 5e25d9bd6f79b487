/**
 * Runs jobs on this device: reads the sources, drives the pipeline, writes the sinks, and lets the
 * sources forget a reading once what came of it is safe. Read {@link io.sedge.site.JobRunner}
 * first, then {@link io.sedge.site.LocalJob}, then {@link io.sedge.site.CommitLog}. Each job runs
 * in one thread of its own, named {@code sedge-task-} and the job's name; connectors are opened and
 * closed on virtual threads.
 */
@NullMarked
package io.sedge.site;

import org.jspecify.annotations.NullMarked;
