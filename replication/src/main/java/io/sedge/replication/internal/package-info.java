/** Replication of the state machine by Apache Ratis; the one package that sees its types. */
@NullMarked
package io.sedge.replication.internal;

import org.jspecify.annotations.NullMarked;
