/**
 * The center's store: sites' rows in tables of a SQL database, each applied once, and what the
 * center knows of sites, tokens and people. Read {@link io.sedge.center.store.Store} first, then
 * {@link io.sedge.center.store.StoreException} and {@link io.sedge.center.store.Sites}. Any thread,
 * unless said; one thread of its own applies rows.
 */
@NullMarked
package io.sedge.center.store;

import org.jspecify.annotations.NullMarked;
