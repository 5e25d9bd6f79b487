/**
 * How the sparkplug connector works. Not for callers. Numbers in comments are of the Sparkplug
 * specification, version 3.0.0.
 */
@NullMarked
package io.sedge.connector.sparkplug.internal;

import org.jspecify.annotations.NullMarked;
