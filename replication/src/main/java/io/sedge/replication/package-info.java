/**
 * The ledger, replicated and durable, by Apache Ratis. Read {@link
 * io.sedge.replication.LedgerMember} first, then {@link io.sedge.replication.MemberOptions}. No
 * type of Ratis is visible here. A member has a thread that sends, a thread that watches, and those
 * of Ratis.
 */
@NullMarked
package io.sedge.replication;

import org.jspecify.annotations.NullMarked;
