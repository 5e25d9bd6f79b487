/**
 * The console of one run. Read {@link io.sedge.console.internal.run.Tap} first, then {@link
 * io.sedge.console.internal.run.RunApi}. The thread of the task gives batches, the thread {@code
 * sedge-console} makes rows of them.
 */
@NullMarked
package io.sedge.console.internal.run;

import org.jspecify.annotations.NullMarked;
