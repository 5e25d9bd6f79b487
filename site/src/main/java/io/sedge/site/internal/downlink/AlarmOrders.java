package io.sedge.site.internal.downlink;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Ledger;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.uplink.AlarmOrder;
import java.time.Duration;
import java.util.List;

/**
 * Does what people at the center do to alarms, before the order is taken: done twice it changes
 * nothing. Nothing is done that the site's owner has not allowed.
 */
public final class AlarmOrders {
  private final Ledger ledger;
  private final Acting acting;

  public AlarmOrders(Ledger ledger, Acting acting) {
    this.ledger = ledger;
    this.acting = acting;
  }

  /** Acts on alarms, as {@link SiteControl#actOnAlarms} does. */
  @FunctionalInterface
  public interface Acting {
    int act(
        AlarmEvent event,
        List<AlarmAction.Target> targets,
        String by,
        Duration shelved,
        String note)
        throws SiteException;
  }

  Decision decide(AlarmOrder order, String givenBy) {
    if (!ledger.read(state -> state.allows(CenterRight.ALARMS))) {
      return Decision.refused(
          "the site lets no center act on its alarms: its owner may type `sedge site allow"
              + " --alarms`");
    }
    try {
      int done =
          acting.act(
              order.event(),
              order.targets(),
              "%s at the center".formatted(givenBy),
              order.shelved(),
              order.note());
      return Decision.done("%d of %d alarms".formatted(done, order.targets().size()));
    } catch (SiteException e) {
      return Decision.notDone(e);
    }
  }
}
