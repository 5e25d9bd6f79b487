package io.sedge.site.internal.downlink;

import io.sedge.site.api.SiteException;
import io.sedge.site.internal.membership.GivenJobs;
import io.sedge.sql.Problem;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.uplink.JobOrder;
import java.util.stream.Collectors;

/**
 * Does what a center asks of jobs, before the order is taken: it may be done twice, which changes
 * nothing. What may be possible later is FAILED, all else that is not done REFUSED.
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
      boolean later =
          e.code() == FailureCode.NOT_NOW || e.code().failureClass() == FailureClass.EXTERNAL;
      return later && e.code() != FailureCode.SECRET_MISSING
          ? Decision.failed(text(e))
          : Decision.refused(text(e));
    } catch (IllegalArgumentException e) {
      // A name that the ledger does not take.
      return Decision.refused(plain(String.valueOf(e.getMessage())));
    } catch (RuntimeException | StackOverflowError e) {
      // It would come again and again, and nothing after it.
      return Decision.refused(plain("a fault in Sedge: " + e));
    }
  }

  private static String text(SiteException e) {
    return plain(
        e.problems().isEmpty()
            ? String.valueOf(e.getMessage())
            : e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
  }

  /** Databases of centers take no NUL. */
  private static String plain(String text) {
    return text.replace('\0', ' ');
  }
}
