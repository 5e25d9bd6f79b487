/**
 * How tasks commit to the ledger: when ({@link io.sedge.site.internal.commit.CommitBeat}), what
 * ({@link io.sedge.site.internal.commit.LedgerCommitLog}), and from where a task goes on ({@link
 * io.sedge.site.internal.commit.TaskStart}). A task's own thread calls, unless a type says
 * otherwise.
 */
@NullMarked
package io.sedge.site.internal.commit;

import org.jspecify.annotations.NullMarked;
