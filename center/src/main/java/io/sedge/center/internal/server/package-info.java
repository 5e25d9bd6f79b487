/** What a center needs before it listens: its directory, and who it is to those that connect. */
@NullMarked
package io.sedge.center.internal.server;

import org.jspecify.annotations.NullMarked;
