/**
 * How the store is built: databases and their dialects, result tables, the thread that applies
 * rows.
 */
@NullMarked
package io.sedge.center.store.internal;

import org.jspecify.annotations.NullMarked;
