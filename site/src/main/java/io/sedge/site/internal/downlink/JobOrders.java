package io.sedge.site.internal.downlink;

import io.sedge.site.api.SiteException;
import io.sedge.site.internal.membership.GivenJobs;
import io.sedge.uplink.JobOrder;

/**
 * Does what a center asks of jobs, before the order is taken: it may be done twice, which changes
 * nothing.
 */
public final class JobOrders {
  private final GivenJobs jobs;

  public JobOrders(GivenJobs jobs) {
    this.jobs = jobs;
  }

  Decision decide(JobOrder order) {
    try {
      switch (order.action()) {
        case CHECK -> jobs.check(order.job(), order.script());
        case DEPLOY -> jobs.deploy(order.job(), order.version(), order.script());
        case REMOVE -> jobs.remove(order.job());
      }
      return Decision.done();
    } catch (SiteException e) {
      return Decision.notDone(e);
    } catch (IllegalArgumentException e) {
      // A name that the ledger does not take.
      return Decision.refused(Decision.plain(String.valueOf(e.getMessage())));
    } catch (RuntimeException | StackOverflowError e) {
      // It would come again and again, and nothing after it.
      return Decision.refused(Decision.plain("a fault in Sedge: " + e));
    }
  }
}
