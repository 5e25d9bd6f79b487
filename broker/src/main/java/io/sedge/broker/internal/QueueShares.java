package io.sedge.broker.internal;

/**
 * How many messages may wait for one client, so that what waits for all of them fits into the heap.
 * A broker counts per client alone: those of a job that was stopped, or of a site that is away,
 * would fill the heap together, and a broker without memory answers nobody. Reckoned with the small
 * payloads of sensors: large ones can still fill it.
 */
final class QueueShares {
  /** Of the heap, for queues. */
  private static final double PART = 0.3;

  /** One that waits, with a payload of some ten bytes, takes 400. */
  private static final int MESSAGE_BYTES = 500;

  /** So many clients at least are reckoned with, since limits are not changed as more come. */
  private static final int CLIENTS = 8;

  private static final long LEAST = 100;

  private final double messages;
  private final long most;

  /**
   * @param heapBytes what the heap may have
   * @param most messages for one client, whatever the heap
   */
  QueueShares(long heapBytes, long most) {
    messages = heapBytes * PART / MESSAGE_BYTES;
    this.most = most;
  }

  /**
   * The limit of a client that connects.
   *
   * @param sessions that there are
   */
  long limit(long sessions) {
    return Math.min(most, Math.max(LEAST, (long) (messages / Math.max(CLIENTS, sessions))));
  }
}
