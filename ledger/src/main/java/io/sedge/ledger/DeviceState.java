package io.sedge.ledger;

/** What a device may be used for. */
public enum DeviceState {
  ACTIVE(1),
  /** Hands its shards over and gets none. */
  DRAINING(2),
  /** May not come back: it cannot be registered again until it is removed. */
  EXPELLED(3);

  private final int code;

  DeviceState(int code) {
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
  public static DeviceState ofCode(int code) throws MalformedException {
    for (DeviceState value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new MalformedException("a state of a device with code " + code);
  }
}
