package io.sedge.alarm;

/** How soon somebody has to act, the least first. ISA-18.2 advises three or four priorities. */
public enum AlarmPriority {
  LOW(1),
  MEDIUM(2),
  HIGH(3),
  CRITICAL(4);

  private final int code;

  AlarmPriority(int code) {
    this.code = code;
  }

  /** What stands for it in bytes; never changes its meaning. Higher ones are more severe. */
  public int code() {
    return code;
  }

  /**
   * The one with a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static AlarmPriority ofCode(int code) {
    for (AlarmPriority value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("an alarm priority of code " + code);
  }
}
