/** The contenders. Each is written as its own documentation advises. */
@NullMarked
package io.sedge.bench.peers;

import org.jspecify.annotations.NullMarked;
