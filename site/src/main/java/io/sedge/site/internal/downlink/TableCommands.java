package io.sedge.site.internal.downlink;

import io.sedge.ledger.Allowance;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import io.sedge.uplink.TableCommand;

/** Decides about commands of a center to tables of the site's jobs. */
public final class TableCommands {
  private final Ledger ledger;

  public TableCommands(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * @param untilMillis when it may not be written any more, by this device's clock
   */
  Decision decide(TableCommand command, long untilMillis) {
    boolean allowed =
        ledger.read(SiteState::allowances).stream().anyMatch(known -> isOf(known, command));
    return Decision.refused(
        "the site allows no center to write to %s.%s%s"
            .formatted(command.job(), command.table(), allowed ? " yet" : ""));
  }

  private static boolean isOf(Allowance allowance, TableCommand command) {
    return allowance.job().equals(command.job()) && allowance.table().equals(command.table());
  }
}
