/**
 * What can be seen of processes, their files and their connections from outside: nothing here asks
 * Sedge. Read {@link io.sedge.bench.outside.ProcessReading} first, then {@link
 * io.sedge.bench.outside.SinkTail} and {@link io.sedge.bench.outside.MqttRelay}. Classes say which
 * threads may call them.
 */
@NullMarked
package io.sedge.bench.outside;

import org.jspecify.annotations.NullMarked;
