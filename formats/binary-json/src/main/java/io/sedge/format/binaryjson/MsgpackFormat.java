package io.sedge.format.binaryjson;

import io.sedge.format.binaryjson.internal.BinaryJson;
import io.sedge.format.binaryjson.internal.MsgpackDialect;

/**
 * The format {@code msgpack} (msgpack.org): a map of names and values for each row, as in {@code
 * json}.
 */
public final class MsgpackFormat extends BinaryJson {
  /** For whoever looks for formats. */
  public MsgpackFormat() {
    // Not a method reference, which would load the library when formats are looked for.
    super("msgpack", () -> new MsgpackDialect());
  }
}
