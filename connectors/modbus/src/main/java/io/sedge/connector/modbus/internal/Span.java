package io.sedge.connector.modbus.internal;

/**
 * A run of registers, or of bits, that one request is about.
 *
 * @param address the first, counted from 0
 * @param count how many; one at least
 */
record Span(RegisterKind kind, int address, int count) {
  /** The address after the last. */
  int end() {
    return address + count;
  }

  /** How many bytes their values take in an answer. */
  int bytes() {
    return kind.isBits() ? (count + 7) / 8 : 2 * count;
  }

  @Override
  public String toString() {
    return count == 1
        ? "%s %d".formatted(kind, address)
        : "%s %d to %d".formatted(kind, address, end() - 1);
  }
}
