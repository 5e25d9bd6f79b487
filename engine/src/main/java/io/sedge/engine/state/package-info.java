/**
 * What operators keep between batches, as entries of key and value. Read {@link
 * io.sedge.engine.state.Stateful} first, then {@link io.sedge.engine.state.StateWriter}.
 */
@NullMarked
package io.sedge.engine.state;

import org.jspecify.annotations.NullMarked;
