/**
 * Columns: the only form in which rows move through the engine. Read {@link
 * io.sedge.engine.column.Column} first, then {@link io.sedge.engine.column.Batch}, then {@link
 * io.sedge.engine.column.BatchBuilder}. Columns and batches do not change once built, so they may
 * be shared; builders belong to one thread.
 */
@NullMarked
package io.sedge.engine.column;

import org.jspecify.annotations.NullMarked;
