/** How the embedded broker is configured and held. Not for callers. */
@NullMarked
package io.sedge.broker.internal;

import org.jspecify.annotations.NullMarked;
