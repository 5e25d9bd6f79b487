package io.sedge.format.avro.internal;

import io.sedge.connector.format.MalformedPayloadException;

/**
 * How many elements the arrays of a record may have: nulls take no bytes, so a few bytes could
 * claim any number of them. One thread.
 */
final class ElementBudget {
  static final int MAX_ELEMENTS = 1 << 20;

  private long spent;

  void reset() {
    spent = 0;
  }

  void spend(long elements) throws MalformedPayloadException {
    spent += elements;
    if (elements < 0 || spent > MAX_ELEMENTS) {
      throw new MalformedPayloadException(
          "its arrays have more than %,d elements".formatted(MAX_ELEMENTS));
    }
  }
}
