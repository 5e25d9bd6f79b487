/**
 * The formats {@code cbor} and {@code msgpack}, which hold what JSON holds in fewer bytes. Read
 * {@link io.sedge.format.binaryjson.CborFormat} first, then, in {@code internal}, {@code
 * BinaryJson}. Decoders and encoders belong to one thread. The libraries are loaded when a script
 * names a format.
 */
@NullMarked
package io.sedge.format.binaryjson;

import org.jspecify.annotations.NullMarked;
