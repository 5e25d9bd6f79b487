/**
 * The formats {@code json}, {@code csv} and {@code raw}. Read {@code JsonFormat}, {@code CsvFormat}
 * and {@code RawFormat} first; what turns text into the value of a type is {@code ValueParser}, for
 * all three. Decoders and encoders belong to one thread.
 */
@NullMarked
package io.sedge.connector.format.internal;

import org.jspecify.annotations.NullMarked;
