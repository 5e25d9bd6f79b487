/**
 * What a device does for its site: {@link io.sedge.site.internal.device.Agent} runs the tasks that
 * the ledger gives to it, {@link io.sedge.site.internal.device.Controller}, on the device that
 * leads, gives them. Both are single-threaded agents over the ledger, with clock and threads handed
 * in, so that a whole site can run in one thread.
 */
@NullMarked
package io.sedge.site.internal.device;

import org.jspecify.annotations.NullMarked;
