/**
 * Formats: payload bytes to rows and back. Read {@link io.sedge.connector.format.FormatFactory}
 * first, then {@link io.sedge.connector.format.RowDecoder} and {@link
 * io.sedge.connector.format.RowEncoder}. Decoders and encoders belong to one thread.
 */
@NullMarked
package io.sedge.connector.format;

import org.jspecify.annotations.NullMarked;
