/** Tests of how figures of sites are made. */
@NullMarked
package io.sedge.bench.parts;

import org.jspecify.annotations.NullMarked;
