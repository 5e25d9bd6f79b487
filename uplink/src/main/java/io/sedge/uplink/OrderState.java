package io.sedge.uplink;

import java.io.IOException;

/**
 * How far an order has come. An order goes down this list and never up, so that what is said of it
 * twice, or too late, changes nothing:
 *
 * <pre>
 *   QUEUED ─> SENT ─> UNKNOWN ─> ACCEPTED ─> WRITTEN ─> one of those that are final
 * </pre>
 *
 * Any of them may be left out.
 */
public enum OrderState {
  /** The center has it; the site has not. */
  QUEUED(1),
  /** It was sent to the site, which has not said what became of it. */
  SENT(2),
  /** It was sent, and then the site was put back to an older state: it is not sent again. */
  UNKNOWN(3),
  /** The site's ledger has it, and will do it. */
  ACCEPTED(4),
  /** A command was given to the device that it is for. */
  WRITTEN(5),
  /** It is done. */
  DONE(6),
  /** A command was read back, or answered, from the device that it is for. */
  CONFIRMED(7),
  /** The site does not do it; the detail says why. */
  REFUSED(8),
  /** The site has tried, and could not; the detail says why. */
  FAILED(9),
  /** Its time was over before it was done. */
  EXPIRED(10),
  /** It was taken back before it was sent. */
  CANCELLED(11);

  private final int code;

  OrderState(int code) {
    this.code = code;
  }

  /** Whether nothing follows. */
  public boolean isFinal() {
    return compareTo(DONE) >= 0;
  }

  /** Whether an order that is in another state may be in this one next. */
  public boolean follows(OrderState before) {
    return !before.isFinal() && compareTo(before) > 0;
  }

  /** Whether a site says so; the others are the center's own. */
  public boolean isOutcome() {
    return compareTo(ACCEPTED) >= 0 && this != CANCELLED;
  }

  int code() {
    return code;
  }

  static OrderState ofCode(int code) throws IOException {
    for (OrderState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IOException("a state of an order with code " + code);
  }
}
