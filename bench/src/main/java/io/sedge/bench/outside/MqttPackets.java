package io.sedge.bench.outside;

import java.io.ByteArrayOutputStream;

/**
 * Cuts one direction of an MQTT connection into packets (MQTT 5, 2.1): a byte with type and flags,
 * the length of the rest in one to four bytes of seven bits, lowest first, and the rest. One
 * thread.
 */
final class MqttPackets {
  /** Takes packets. */
  interface Handler {
    /**
     * A packet has come.
     *
     * @param header type in the upper four bits, flags in the lower
     */
    void packet(int header, byte[] rest);
  }

  private static final int MAX_LENGTH_BYTES = 4;

  private final Handler handler;
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
  private int header = -1;
  private int length;
  private int lengthBytes;
  private boolean lengthKnown;

  MqttPackets(Handler handler) {
    this.handler = handler;
  }

  /**
   * Takes what came next.
   *
   * @throws IllegalArgumentException if it is not MQTT
   */
  void take(byte[] bytes, int count) {
    int at = 0;
    while (at < count) {
      if (header < 0) {
        header = bytes[at++] & 0xff;
      } else if (!lengthKnown) {
        takeLength(bytes[at++]);
      } else {
        int some = Math.min(count - at, length - rest.size());
        rest.write(bytes, at, some);
        at += some;
      }
      if (lengthKnown && rest.size() == length) {
        handler.packet(header, rest.toByteArray());
        begin();
      }
    }
  }

  private void takeLength(byte next) {
    if (lengthBytes == MAX_LENGTH_BYTES) {
      throw new IllegalArgumentException("a packet's length has more than four bytes");
    }
    length |= (next & 0x7f) << (7 * lengthBytes++);
    lengthKnown = next >= 0;
  }

  private void begin() {
    rest.reset();
    header = -1;
    length = 0;
    lengthBytes = 0;
    lengthKnown = false;
  }
}
