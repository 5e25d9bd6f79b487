package io.sedge.connector.http.internal;

import java.io.IOException;
import java.time.Duration;

/** A server has answered, but not as it was asked; what it said is for people. */
final class StatusException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean lasting;
  private final Duration pause;

  /**
   * @param lasting whether it will not pass by itself
   * @param pause the server asks not to be asked again before
   */
  StatusException(String message, boolean lasting, Duration pause) {
    super(message);
    this.lasting = lasting;
    this.pause = pause;
  }

  boolean isLasting() {
    return lasting;
  }

  Duration pause() {
    return pause;
  }
}
