package io.sedge.site.internal.downlink;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks whether a majority follows this device still, so that a leader that was cut off says nothing
 * to the center. Nothing is written for that.
 */
final class Majority {
  private static final long PATIENCE_SECONDS = 10;

  private final String self;
  private final Ledger ledger;
  private final InstantSource clock;

  Majority(String self, Ledger ledger, InstantSource clock) {
    this.self = self;
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * An entry that a majority has carried out, and this device too.
   *
   * @throws TimeoutException if none says so
   */
  long index() throws TimeoutException, InterruptedException {
    try {
      Answer answer =
          ledger
              .tell(new Command.ReportDevice(self, clock.millis(), false))
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer instanceof Answer.Done(long index, long _)) {
        return ledger
            .readAt(index, SiteState::appliedIndex)
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      throw new TimeoutException("the ledger does not know this device: " + answer);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the ledger failed: " + e.getCause(), e);
    }
  }
}
