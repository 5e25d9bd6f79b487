/**
 * The task and what it holds. Read {@link io.sedge.task.internal.Task} first, then {@link
 * io.sedge.task.internal.SourceInput} and {@link io.sedge.task.internal.SinkOutput}. All of it is
 * used by the task's thread alone, but for {@link io.sedge.task.internal.MalformedLog} and {@link
 * io.sedge.task.internal.Waiter}, which connectors call from threads of theirs.
 */
@NullMarked
package io.sedge.task.internal;

import org.jspecify.annotations.NullMarked;
