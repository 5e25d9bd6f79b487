package io.sedge.format.avro.internal;

import io.sedge.connector.format.MalformedPayloadException;

/**
 * How many elements the arrays of a record may have: one of a byte can take a hundred in memory.
 * One thread.
 */
final class ElementBudget {
  static final int MAX_ELEMENTS = 1 << 16;

  private long spent;

  void reset() {
    spent = 0;
  }

  void spend(long elements) throws MalformedPayloadException {
    if (elements < 0 || elements > MAX_ELEMENTS - spent) {
      throw new MalformedPayloadException(
          "its arrays have more than %,d elements".formatted(MAX_ELEMENTS));
    }
    spent += elements;
  }
}
