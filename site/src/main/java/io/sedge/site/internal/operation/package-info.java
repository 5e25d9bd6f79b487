/**
 * What whoever operates a device asks it: how it is, and how much it has done. Read {@link
 * io.sedge.site.internal.operation.Metrics} first, then {@link
 * io.sedge.site.internal.operation.Health}, then {@link
 * io.sedge.site.internal.operation.OperationServer}. Everything is asked for in the thread of
 * whoever asks, and nothing of it changes anything.
 */
@NullMarked
package io.sedge.site.internal.operation;

import org.jspecify.annotations.NullMarked;
