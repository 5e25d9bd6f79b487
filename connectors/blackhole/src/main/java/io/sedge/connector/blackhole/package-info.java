/**
 * The connector {@code blackhole}: a sink that takes all rows and keeps none. Read {@link
 * io.sedge.connector.blackhole.BlackholeConnector}; its sinks run on their task's thread.
 */
@NullMarked
package io.sedge.connector.blackhole;

import org.jspecify.annotations.NullMarked;
