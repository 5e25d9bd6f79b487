/**
 * The format {@code protobuf}. Read {@link io.sedge.format.protobuf.ProtobufFormat} first, then, in
 * {@code internal}, {@code FieldMapping}. Decoders and encoders belong to one thread. The library
 * is loaded when a script names the format.
 */
@NullMarked
package io.sedge.format.protobuf;

import org.jspecify.annotations.NullMarked;
