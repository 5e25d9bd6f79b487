/** Tests of the benchmarks: that all contenders compute the same. */
@NullMarked
package io.sedge.bench;

import org.jspecify.annotations.NullMarked;
