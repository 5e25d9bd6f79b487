/**
 * Journals, segments and what reads them. {@link io.sedge.connector.history.internal.Store} writes,
 * {@link io.sedge.connector.history.internal.HistoryReader} reads, {@link
 * io.sedge.connector.history.internal.Layout} says what lies in a segment.
 */
@NullMarked
package io.sedge.connector.history.internal;

import org.jspecify.annotations.NullMarked;
