/**
 * Rows as bytes, as outbox, exchange and snapshots hold them. Read {@link
 * io.sedge.engine.codec.RowsCodec} first, then {@link io.sedge.engine.codec.ColumnCodec}. A codec
 * is used by one thread; a reader and a writer of bytes belong to one call.
 */
@NullMarked
package io.sedge.engine.codec;

import org.jspecify.annotations.NullMarked;
