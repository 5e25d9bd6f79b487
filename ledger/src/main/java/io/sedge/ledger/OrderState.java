package io.sedge.ledger;

/**
 * What a site has made of an order. It goes down this list and never up; those from {@link #DONE}
 * on are final.
 */
public enum OrderState {
  /** It will be done. A command's row is in the outbox of its job. */
  ACCEPTED(4),
  /** A command's row is delivered. */
  WRITTEN(5),
  DONE(6),
  /** A command's row is delivered, and what it was for has said so, or was read back. */
  CONFIRMED(7),
  /** It is not done; the detail says why. */
  REFUSED(8),
  /** It was tried, and could not be done; the detail says why. */
  FAILED(9),
  /** Its time was over before it was done. */
  EXPIRED(10);

  private final int code;

  OrderState(int code) {
    this.code = code;
  }

  /** What stands for it in bytes; never changes its meaning. */
  public int code() {
    return code;
  }

  /** Whether it is still to be done. Of one that is written more may be said, or not. */
  public boolean isOpen() {
    return this == ACCEPTED;
  }

  /** Whether nothing follows. */
  public boolean isFinal() {
    return compareTo(DONE) >= 0;
  }

  /** Whether an order that is in another state may be in this one next. */
  public boolean follows(OrderState before) {
    return !before.isFinal() && compareTo(before) > 0;
  }

  /**
   * The one with a code.
   *
   * @throws MalformedException if there is none
   */
  public static OrderState ofCode(int code) throws MalformedException {
    for (OrderState value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new MalformedException("a state of an order with code " + code);
  }
}
