package io.sedge.connector.http.internal;

/**
 * The memory of bodies that have not arrived whole: without a bound senders that come at once could
 * fill it. A sender takes what it has sent, not what it has announced. Any thread.
 */
final class ArrivalRoom {
  private final long capacityBytes;
  private long takenBytes;

  ArrivalRoom(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /**
   * Takes room for the next part of a body, which has some already. A body that arrives alone
   * always has room.
   *
   * @return whether there is room; then it is to be given back
   */
  synchronized boolean take(long hasBytes, long moreBytes) {
    boolean fits = takenBytes == hasBytes || takenBytes + moreBytes <= capacityBytes;
    takenBytes += fits ? moreBytes : 0;
    return fits;
  }

  synchronized void giveBack(long bytes) {
    takenBytes -= bytes;
  }
}
