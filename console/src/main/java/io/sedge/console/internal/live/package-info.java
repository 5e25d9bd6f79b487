/**
 * What happens, for all who listen. Read {@link io.sedge.console.internal.live.Broadcast} first.
 * Any thread.
 */
@NullMarked
package io.sedge.console.internal.live;

import org.jspecify.annotations.NullMarked;
