package io.sedge.connector.modbus.internal;

import java.util.Locale;

/** How a value is kept in registers. */
enum RegisterType {
  BOOL(0),
  INT16(1),
  UINT16(1),
  INT32(2),
  UINT32(2),
  INT64(4),
  UINT64(4),
  FLOAT32(2),
  FLOAT64(4),
  STRING(0);

  private final int registers;

  RegisterType(int registers) {
    this.registers = registers;
  }

  /** How many registers it takes; 0 for a bit, and for text, which says its own length. */
  int registers() {
    return registers;
  }

  boolean isInteger() {
    return isSigned() || this == UINT16 || this == UINT32 || this == UINT64;
  }

  boolean isSigned() {
    return this == INT16 || this == INT32 || this == INT64;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
