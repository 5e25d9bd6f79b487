/**
 * What the state machine is made of: codecs and the parts of the state. Nothing here knows how
 * commands are replicated; one thread at a time.
 */
@NullMarked
package io.sedge.ledger.internal.state;

import org.jspecify.annotations.NullMarked;
