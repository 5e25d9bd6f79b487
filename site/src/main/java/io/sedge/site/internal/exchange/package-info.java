/**
 * Tables whose rows are in the ledger: what tasks write becomes rows of their commits, and what
 * other tasks have committed can be read. Read {@link io.sedge.site.internal.exchange.LedgerTables}
 * first.
 */
@NullMarked
package io.sedge.site.internal.exchange;

import org.jspecify.annotations.NullMarked;
