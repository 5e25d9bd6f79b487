package io.sedge.site.internal.downlink;

import io.sedge.ledger.Command;
import io.sedge.ledger.OrderState;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Problem;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What becomes of an order.
 *
 * @param detail why, for people
 * @param row that it puts into the outbox of a job
 */
record Decision(OrderState state, String detail, Optional<Command.NewRow> row) {
  static Decision done() {
    return done("");
  }

  static Decision done(String detail) {
    return new Decision(OrderState.DONE, detail, Optional.empty());
  }

  /** What may be possible later is FAILED, all else that is not done REFUSED. */
  static Decision notDone(SiteException e) {
    boolean later =
        e.code() == FailureCode.NOT_NOW || e.code().failureClass() == FailureClass.EXTERNAL;
    String why =
        plain(
            e.problems().isEmpty()
                ? String.valueOf(e.getMessage())
                : e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
    return later && e.code() != FailureCode.SECRET_MISSING ? failed(why) : refused(why);
  }

  /** Databases of centers take no NUL. */
  static String plain(String text) {
    return text.replace('\0', ' ');
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
