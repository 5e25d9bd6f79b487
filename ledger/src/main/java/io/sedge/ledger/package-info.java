/**
 * The site's ledger: one replicated, durable state machine that holds devices, jobs, who runs which
 * shard, what tasks have committed, and the outbox. Read {@link io.sedge.ledger.Command} first,
 * then {@link io.sedge.ledger.StateMachine}, then {@link io.sedge.ledger.LedgerMember}. The state
 * machine is plain Java and deterministic; replication is Apache Ratis, of which no type is visible
 * here.
 */
@NullMarked
package io.sedge.ledger;

import org.jspecify.annotations.NullMarked;
