package io.sedge.site.internal.training;

import io.sedge.identity.TrainingReply;
import io.sedge.identity.TrainingStep;
import io.sedge.site.api.SiteException;

/** The devices of the site, this one included. Any thread. */
@FunctionalInterface
public interface TrainingPeers {
  /**
   * Asks a device; waits.
   *
   * @throws SiteException NOT_NOW if it trains another model or has no rows of this training any
   *     more; CONNECTION_FAILED if it does not answer; another code if it takes no part, or has
   *     failed
   */
  TrainingReply ask(String device, TrainingStep step) throws SiteException;
}
