package io.sedge.ledger;

/** One of a site's {@link Limits}, and what it may be set to. */
public enum Limit {
  /** More could not be told apart from repetitions: last answers are kept of 256 processes. */
  DEVICES(1, "devices", 1, 200),
  JOBS(2, "jobs", 1, 1_024),
  /** Twice the number for which placement was measured. */
  TASKS(3, "tasks", 1, 4_096),
  /** A script goes in one log entry, and from the command to the device in one frame. */
  SCRIPT_BYTES(4, "scriptBytes", 1, 512 << 10),
  COMMIT_BYTES(5, "commitBytes", 1, 64 << 20),
  STATE_BYTES(6, "stateBytes", 1, 1 << 30),
  OUTBOX_BYTES(7, "outboxBytes", 1, 1 << 30),
  EXCHANGE_BYTES(8, "exchangeBytes", 1, 1 << 30),
  /** Twice the time between two reports of a device that is well, to a minute. */
  SILENCE_MILLIS(9, "silenceMillis", 500, 60_000);

  private final int code;
  private final String field;
  private final long min;
  private final long max;

  Limit(int code, String field, long min, long max) {
    this.code = code;
    this.field = field;
    this.min = min;
    this.max = max;
  }

  /** What stands for it in bytes; never changes its meaning. */
  public int code() {
    return code;
  }

  /** The component of {@link Limits}. */
  public String field() {
    return field;
  }

  /** The least that it may be set to. */
  public long min() {
    return min;
  }

  /** The most that it may be set to. */
  public long max() {
    return max;
  }

  /**
   * Checks what it is to be set to.
   *
   * @throws IllegalArgumentException if it may not
   */
  void check(long value) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s=%d is not from %d to %d".formatted(field, value, min, max));
    }
  }

  /**
   * The one with a code.
   *
   * @throws MalformedException if there is none
   */
  public static Limit ofCode(int code) throws MalformedException {
    for (Limit limit : values()) {
      if (limit.code == code) {
        return limit;
      }
    }
    throw new MalformedException("a limit with code " + code);
  }
}
