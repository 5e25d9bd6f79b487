/**
 * How commands talk to the device that runs on their machine: a socket in its data directory. Read
 * {@link io.sedge.site.internal.control.ControlServer} first, then {@link
 * io.sedge.site.internal.control.RemoteControl}, then {@link
 * io.sedge.site.internal.control.ControlRequest}. The server has a thread that accepts and one for
 * each client.
 */
@NullMarked
package io.sedge.site.internal.control;

import org.jspecify.annotations.NullMarked;
