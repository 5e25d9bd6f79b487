/**
 * A device's directory and its place in the ledger. Read {@link
 * io.sedge.site.internal.membership.DeviceDirectory} first, then {@link
 * io.sedge.site.internal.membership.LedgerMembership}, then {@link
 * io.sedge.site.internal.membership.DeviceCommands}. Any thread.
 */
@NullMarked
package io.sedge.site.internal.membership;

import org.jspecify.annotations.NullMarked;
