/** What the formats {@code cbor} and {@code msgpack} are made of. */
@NullMarked
package io.sedge.format.binaryjson.internal;

import org.jspecify.annotations.NullMarked;
