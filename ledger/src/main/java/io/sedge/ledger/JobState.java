package io.sedge.ledger;

/** What a job is to do, or came to. */
public enum JobState {
  RUNNING(1),
  PAUSED(2),
  /** Ended by a person. */
  STOPPED(3),
  /** Its input has ended. */
  FINISHED(4),
  FAILED(5);

  private final int code;

  JobState(int code) {
    this.code = code;
  }

  /** What stands for it in bytes; never changes its meaning. */
  public int code() {
    return code;
  }

  /**
   * The one with a code.
   *
   * @throws MalformedException if there is none
   */
  public static JobState ofCode(int code) throws MalformedException {
    for (JobState value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new MalformedException("a state of a job with code " + code);
  }

  /** Whether it does nothing any more, so that it may be removed. */
  public boolean hasEnded() {
    return this == STOPPED || this == FINISHED || this == FAILED;
  }
}
