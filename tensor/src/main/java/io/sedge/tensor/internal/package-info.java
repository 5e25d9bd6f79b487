/** Not for callers: the checks and formats that the packages of this module share. */
@NullMarked
package io.sedge.tensor.internal;

import org.jspecify.annotations.NullMarked;
