package io.sedge.site.internal.membership;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmList;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** What people ask of a site's alarms, and do to them. */
final class AlarmDesk {
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final InstantSource clock;

  AlarmDesk(LedgerMember member, LedgerMembership membership, InstantSource clock) {
    this.member = member;
    this.membership = membership;
    this.clock = clock;
  }

  AlarmList list() {
    return member.read(state -> state.alarms().list(clock.millis()));
  }

  List<AlarmChange> history(long id) throws SiteException {
    List<AlarmChange> history = member.read(state -> state.alarms().history(id));
    if (history.isEmpty()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "nothing is known of alarm %d (any more): `sedge alarm list` shows those that there are"
              .formatted(id));
    }
    return history;
  }

  int act(
      AlarmEvent event, List<AlarmAction.Target> targets, String by, Duration shelved, String note)
      throws SiteException {
    long now = clock.millis();
    AlarmAction action;
    try {
      Duration most = AlarmAction.MAX_SHELVED.plusMillis(1); // Which is refused.
      Duration asked = shelved.compareTo(most) > 0 ? most : shelved;
      long until = event == AlarmEvent.SHELVE ? now + asked.toMillis() : 0;
      action = new AlarmAction(event, targets, by, now, until, note);
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    }
    String doing = "changing alarms";
    return switch (membership.answer(new Command.ActOnAlarms(action), doing)) {
      case Answer.Done done -> (int) done.value();
      case Answer.Repeated _ -> 0;
      case Answer.Refused refused -> throw LedgerMembership.failure(refused, doing);
    };
  }
}
