package io.sedge.connector.mqtt.internal;

/**
 * Whether the broker counts packet identifiers up, as most do, or gives them out anew at once
 * (HiveMQ: the lowest that is free). Where it counts up, an identifier alone tells a message from
 * the thousands before and after it. What counts up is taken for it once it has done so for {@link
 * #LEAST} messages, and for four times as many as were ever under way at once, since identifiers
 * under way cannot be used anew. Not thread-safe.
 */
final class Ascent {
  static final int LEAST = 256;

  private static final int IDENTIFIERS = 1 << 16;

  /** Brokers leave out identifiers at times, as of messages that they had to drop. */
  private static final int LONGEST_STEP = 1024;

  private static final int MARGIN = 4;

  private int last;
  private int length;
  private int mostUnderWay;

  /**
   * A message has come for the first time.
   *
   * @param underWay how many are not acknowledged, with this one
   */
  void next(int packet, int underWay) {
    int step = Math.floorMod(packet - last, IDENTIFIERS);
    length = step > 0 && step <= LONGEST_STEP ? length + 1 : 1;
    mostUnderWay = length == 1 ? underWay : Math.max(mostUnderWay, underWay);
    last = packet;
  }

  boolean isCertain() {
    return length > Math.max(LEAST, MARGIN * mostUnderWay);
  }
}
