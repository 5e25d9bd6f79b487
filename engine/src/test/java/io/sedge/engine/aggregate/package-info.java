/** Tests of the aggregate functions. */
@NullMarked
package io.sedge.engine.aggregate;

import org.jspecify.annotations.NullMarked;
