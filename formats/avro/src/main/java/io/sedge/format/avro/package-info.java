/**
 * The formats {@code avro} and {@code avro-confluent}. Read {@link io.sedge.format.avro.AvroFormat}
 * first, then, in {@code internal}, {@code SchemaMapping} and {@code RecordReader}. Decoders and
 * encoders belong to one thread; schemas are fetched by threads of their own. The library is loaded
 * when a script names a format.
 */
@NullMarked
package io.sedge.format.avro;

import org.jspecify.annotations.NullMarked;
