package io.sedge.connector.modbus.internal;

import java.util.Locale;

/**
 * The four tables that a device has, with the digit that their numbers begin with in 40001 style.
 */
enum RegisterKind {
  COIL(0, true, true),
  DISCRETE(1, true, false),
  INPUT(3, false, false),
  HOLDING(4, false, true);

  private final int digit;
  private final boolean bits;
  private final boolean writable;

  RegisterKind(int digit, boolean bits, boolean writable) {
    this.digit = digit;
    this.bits = bits;
    this.writable = writable;
  }

  int digit() {
    return digit;
  }

  /** Whether it is of single bits; else of 16 bits each. */
  boolean isBits() {
    return bits;
  }

  boolean isWritable() {
    return writable;
  }

  /** What of it takes as much room in an answer as one register. */
  int perRegister() {
    return bits ? 16 : 1;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
