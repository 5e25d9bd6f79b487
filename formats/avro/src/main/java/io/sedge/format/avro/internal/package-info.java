/** What the formats {@code avro} and {@code avro-confluent} are made of. */
@NullMarked
package io.sedge.format.avro.internal;

import org.jspecify.annotations.NullMarked;
