package io.sedge.connector.modbus.internal;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * In which order the bytes of a value come, of which A is the most significant. Within one register
 * only the swap of bytes shows.
 */
enum ByteOrder {
  /** ABCD, as the standard has it. */
  BE(false, false),
  /** DCBA. */
  LE(true, true),
  /** BADC: the bytes of each register are swapped. */
  BE_SWAP(false, true),
  /** CDAB: the last register comes first. */
  LE_SWAP(true, false);

  private final boolean wordsSwapped;
  private final boolean bytesSwapped;

  ByteOrder(boolean wordsSwapped, boolean bytesSwapped) {
    this.wordsSwapped = wordsSwapped;
    this.bytesSwapped = bytesSwapped;
  }

  static Optional<ByteOrder> named(String text) {
    return Stream.of(values()).filter(order -> order.toString().equals(text)).findFirst();
  }

  static List<String> names() {
    return Stream.of(values()).map(ByteOrder::toString).toList();
  }

  /** The value of so many registers as bits, of which those beyond 64 are lost. */
  long bits(byte[] from, int offset, int registers) {
    long bits = 0;
    for (int i = 0; i < 2 * registers; i++) {
      bits = bits << 8 | (from[offset + place(i, registers)] & 0xFF);
    }
    return bits;
  }

  /** Writes what {@link #bits} reads. */
  void put(long bits, byte[] to, int offset, int registers) {
    for (int i = 0; i < 2 * registers; i++) {
      to[offset + place(i, registers)] = (byte) (bits >>> (8 * (2 * registers - 1 - i)));
    }
  }

  /** The bytes of text, in which registers always come in order. Its own reverse. */
  byte[] text(byte[] from, int offset, int registers) {
    byte[] bytes = new byte[2 * registers];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = from[offset + (bytesSwapped ? i ^ 1 : i)];
    }
    return bytes;
  }

  private int place(int significance, int registers) {
    int word = significance / 2;
    int inWord = significance % 2;
    return 2 * (wordsSwapped ? registers - 1 - word : word) + (bytesSwapped ? 1 - inWord : inWord);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
