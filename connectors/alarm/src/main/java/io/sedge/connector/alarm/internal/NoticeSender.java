package io.sedge.connector.alarm.internal;

/** A way to tell people. Called by one thread at a time, on which it may block for a minute. */
interface NoticeSender extends AutoCloseable {
  /**
   * Sends a notice.
   *
   * @throws NotSentException if it may not have arrived
   */
  void send(Notice notice) throws NotSentException, InterruptedException;

  @Override
  void close();

  /** A notice was not sent; the message says why. */
  final class NotSentException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean refused;

    /**
     * @param refused whether the far end does not want this notice, and will not want it later
     */
    NotSentException(boolean refused, String message, Throwable cause) {
      super(message, cause);
      this.refused = refused;
    }

    NotSentException(boolean refused, String message) {
      super(message);
      this.refused = refused;
    }

    boolean isRefused() {
      return refused;
    }
  }
}
