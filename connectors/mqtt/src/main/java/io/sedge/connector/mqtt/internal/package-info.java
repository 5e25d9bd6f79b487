/** How the mqtt connector works. Not for callers. */
@NullMarked
package io.sedge.connector.mqtt.internal;

import org.jspecify.annotations.NullMarked;
