/**
 * The site's ledger: one deterministic state machine that holds devices, jobs, who runs which
 * shard, what tasks have committed, and the outbox. Read {@link io.sedge.ledger.Command} first,
 * then {@link io.sedge.ledger.StateMachine}, then {@link io.sedge.ledger.Ledger}. Needs the JDK
 * alone; it is replicated by the module {@code replication}, or by whatever a test puts in its
 * place.
 */
@NullMarked
package io.sedge.ledger;

import org.jspecify.annotations.NullMarked;
