package io.sedge.connector.mqtt.internal;

/**
 * How many messages the broker sends before it waits for acknowledgements. Brokers have a limit and
 * do not tell it, and a reader that commits too late would wait with a broker that waits for it. So
 * the limit is taken for the most that were under way at once on this connection, since so many are
 * allowed for sure, and for {@link #LEAST} at least.
 *
 * <p>While a commit is on its way messages go on coming, if the broker has any. So what is known
 * grows with each commit, until it is the broker's limit or what comes between two commits. Half of
 * the client's own limit (MQTT 5: receive maximum) is enough, lest the broker wait at all. Some
 * brokers send more than their limit at times (Mosquitto 2.0, QoS 2). Then the number under way at
 * a commit is the same again and again, since the broker waits; {@link #SAME} of these tell the
 * limit. Not thread-safe.
 */
final class SendWindow {
  /** Fewer are not worth a commit; the least limit of a common broker is 20. */
  static final int LEAST = 10;

  /** After so many commits in a row with one number of messages under way the broker waits. */
  static final int SAME = 3;

  private final int enough;
  private int known = LEAST;
  private int lastUnderWay;
  private int same;

  /**
   * Makes one of a connection that begins.
   *
   * @param receiveMaximum that the broker is told
   */
  SendWindow(int receiveMaximum) {
    enough = Math.max(1, receiveMaximum / 2);
  }

  /** So many messages are under way, all sent on this connection. */
  void underWay(int messages) {
    known = Math.max(known, messages);
  }

  /** A commit is made while so many messages are under way. */
  void committed(int messages) {
    same = messages == lastUnderWay ? same + 1 : 1;
    lastUnderWay = messages;
    if (same == SAME) {
      known = Math.max(LEAST, messages);
      same = 0;
    }
  }

  /** A connection begins, to a broker that may have been set up anew. */
  void reset() {
    known = LEAST;
    same = 0;
  }

  /** Whether the broker may wait for these. */
  boolean isUsedUp(int messages) {
    return messages >= Math.min(known, enough);
  }
}
