package io.sedge.format.binaryjson;

import io.sedge.format.binaryjson.internal.BinaryJson;
import io.sedge.format.binaryjson.internal.CborDialect;

/**
 * The format {@code cbor} (RFC 8949): a map of names and values for each row, as in {@code json}.
 */
public final class CborFormat extends BinaryJson {
  /** For whoever looks for formats. */
  public CborFormat() {
    // Not a method reference, which would load the library when formats are looked for.
    super("cbor", () -> new CborDialect());
  }
}
