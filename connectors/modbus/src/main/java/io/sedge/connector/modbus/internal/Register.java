package io.sedge.connector.modbus.internal;

/**
 * Where a column's value is in a device, and how it is written there.
 *
 * @param span its registers or its bit
 * @param bit which bit of a register, 0 the least significant; -1 if it is none
 * @param type never {@link RegisterType#STRING} with an odd length: the last byte is left over
 * @param length the bytes of text; 0 for all else
 */
record Register(Span span, int bit, RegisterType type, int length, ByteOrder order) {
  /** A register bit, as distinct from a coil. */
  boolean isBitOfRegister() {
    return bit >= 0;
  }
}
