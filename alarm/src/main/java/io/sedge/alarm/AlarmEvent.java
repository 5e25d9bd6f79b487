package io.sedge.alarm;

/** What happens to an alarm. */
public enum AlarmEvent {
  /** The condition holds, for as long as its on-delay asks. */
  RAISE(1),
  /** The condition holds no more, for as long as its off-delay asks. */
  CLEAR(2),
  /** Somebody has seen it. */
  ACKNOWLEDGE(3),
  /** Somebody puts it aside for a time. */
  SHELVE(4),
  /** That time is over, or somebody takes it back. */
  UNSHELVE(5),
  /** The condition has changed, and a delay begins. Changes no state. */
  WAIT(6),
  /** The condition has changed back before the delay was over. Changes no state. */
  SETTLE(7);

  private final int code;

  AlarmEvent(int code) {
    this.code = code;
  }

  /** What stands for it in bytes; never changes its meaning. */
  public int code() {
    return code;
  }

  /**
   * The one with a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static AlarmEvent ofCode(int code) {
    for (AlarmEvent value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("an alarm event of code " + code);
  }

  /** Whether a person does it, not the process. */
  public boolean isOperators() {
    return this == ACKNOWLEDGE || this == SHELVE || this == UNSHELVE;
  }
}
