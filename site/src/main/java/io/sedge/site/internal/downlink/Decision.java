package io.sedge.site.internal.downlink;

import io.sedge.ledger.Command;
import io.sedge.ledger.OrderState;
import java.util.Optional;

/**
 * What becomes of an order.
 *
 * @param detail why, for people
 * @param row that it puts into the outbox of a job
 */
record Decision(OrderState state, String detail, Optional<Command.NewRow> row) {
  static Decision done() {
    return new Decision(OrderState.DONE, "", Optional.empty());
  }

  static Decision failed(String why) {
    return new Decision(OrderState.FAILED, why, Optional.empty());
  }

  static Decision refused(String why) {
    return new Decision(OrderState.REFUSED, why, Optional.empty());
  }

  static Decision expired(String why) {
    return new Decision(OrderState.EXPIRED, why, Optional.empty());
  }

  static Decision accepted(Command.NewRow row) {
    return new Decision(OrderState.ACCEPTED, "", Optional.of(row));
  }
}
