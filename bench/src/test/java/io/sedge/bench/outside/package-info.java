/** Tests of what is measured from outside. */
@NullMarked
package io.sedge.bench.outside;

import org.jspecify.annotations.NullMarked;
