/**
 * SQL types and schemas. Read {@link io.sedge.engine.type.Type} first, then {@link
 * io.sedge.engine.type.Kind}, then {@link io.sedge.engine.type.Schema}. All are immutable values.
 */
@NullMarked
package io.sedge.engine.type;

import org.jspecify.annotations.NullMarked;
