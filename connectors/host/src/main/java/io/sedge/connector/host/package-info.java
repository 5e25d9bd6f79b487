/**
 * The connector {@code host}: the sensors of the machine that the job runs on, as a stream, and the
 * command that sets their sampling rates. Read {@link io.sedge.connector.host.HostConnectorFactory}
 * first, then {@code Sampler}, then {@code LinuxMachine}.
 *
 * <p>Each reader samples on a thread of its own, named {@code sedge-host-TABLE}, at the edge: what
 * it reads waits in a bounded queue for the task's thread. Sinks work on their task's thread and
 * hand the samplers their new rates through atomics.
 */
@NullMarked
package io.sedge.connector.host;

import org.jspecify.annotations.NullMarked;
