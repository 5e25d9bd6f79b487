/** What the format {@code protobuf} is made of. */
@NullMarked
package io.sedge.format.protobuf.internal;

import org.jspecify.annotations.NullMarked;
