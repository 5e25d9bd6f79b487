package io.sedge.ledger;

/** Where rows of a commit go. Each job has one of each, with bounds of their own. */
public enum Channel {
  /** The job's results, for whoever delivers them. */
  OUTBOX(1),
  /** What tasks of the job give to another of its tasks, which acknowledges it. */
  EXCHANGE(2);

  private final int code;

  Channel(int code) {
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
  public static Channel ofCode(int code) throws MalformedException {
    for (Channel value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new MalformedException("a channel with code " + code);
  }
}
