/**
 * The task and what it holds. Read {@link io.sedge.site.internal.Task} first, then {@link
 * io.sedge.site.internal.SourceInput} and {@link io.sedge.site.internal.SinkOutput}. All of it is
 * used by the task's thread alone, but for {@link io.sedge.site.internal.MalformedLog} and {@link
 * io.sedge.site.internal.Waiter}, which connectors call from threads of theirs.
 */
@NullMarked
package io.sedge.site.internal;

import org.jspecify.annotations.NullMarked;
