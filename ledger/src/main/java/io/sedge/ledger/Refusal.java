package io.sedge.ledger;

/**
 * Why a command was not carried out. What {@link Answer.Refused#value} means is said with each; 0
 * where nothing is.
 */
public enum Refusal {
  /** The task has been assigned or opened since; the value is its epoch now. */
  OLD_EPOCH(1),
  /** The value is the sequence, part or version that would be taken. */
  WRONG_SEQUENCE(2),
  /** The device is not the one that the task is assigned to. */
  OTHER_DEVICE(3),
  UNKNOWN_DEVICE(4),
  UNKNOWN_JOB(5),
  UNKNOWN_TASK(6),
  /** Acknowledge rows, or wait until others do; the value is how many bytes there may be. */
  OUTBOX_FULL(7),
  /** The value is how many bytes of state there may be. */
  STATE_FULL(8),
  /** The value is how many bytes, or how many of its kind, are allowed. */
  TOO_LARGE(9),
  /** The state of the device, job or task, or another limit, does not allow it. */
  NOT_NOW(10),
  /** The device was expelled. */
  EXPELLED(11),
  /** Not of the form that this version of Sedge reads. */
  MALFORMED(12),
  /** This member holds as many commands as it may: the same command may be given again later. */
  BUSY(13),
  /** This member is closed, or has been removed. What was under way may have happened. */
  CLOSED(14),
  /** Wait until another task has taken rows; the value is how many bytes there may be. */
  EXCHANGE_FULL(15),
  /** More rows were asked for than the {@link Allowance} lets; the value is how many it lets. */
  TOO_OFTEN(16),
  /** The device does not tell that it reads the {@link Format} of the site; the value is that. */
  OLD_FORMAT(17);

  private final int code;

  Refusal(int code) {
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
  public static Refusal ofCode(int code) throws MalformedException {
    for (Refusal value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new MalformedException("a refusal with code " + code);
  }
}
