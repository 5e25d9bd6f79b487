package io.sedge.site.internal.device;

import io.sedge.replication.PortCheck;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Whether a device's port refuses connections, as it does when its process has ended. Asked while
 * its report is overdue, more and more rarely; forgotten with the next report.
 *
 * <p>A firewall that rejects new connections only refuses for one that is well. So whoever reports
 * sooner after a refusal than a process can start is not taken for gone by the next ones, for a
 * while.
 */
final class DevicePort {
  /** No process reports so soon after its port refused that has started meanwhile. */
  private static final long LEAST_START_NANOS = 1_000_000_000L;

  /** Within so many of their intervals the next report of one that runs is seen. */
  private static final int INTERVALS = 2;

  /** A report that comes sooner after a refusal was under way when the process ended. */
  private static final long UNDER_WAY_NANOS = 100_000_000L;

  /** For so long refusals are not believed. */
  private static final long MISTRUST_NANOS = 60_000_000_000L;

  /** Between two questions at most. */
  private static final long LONGEST_BETWEEN_NANOS = 5_000_000_000L;

  private @Nullable CompletableFuture<Boolean> answer;
  private boolean refused;
  private long refusedNanos;
  private long mistrustedNanos;

  /** When the device reported last, or was asked after that. */
  private long askedNanos;

  private long reportedNanos;

  /**
   * @param nowNanos a monotonic clock, which does not stand still while the ledger does
   */
  DevicePort(long nowNanos) {
    this.mistrustedNanos = nowNanos;
    this.askedNanos = nowNanos;
    this.reportedNanos = nowNanos;
  }

  /**
   * The device has reported: its process runs. If the ledger stood still until now it need not do
   * so any more: a leader that was killed has often sent a report that gets through when the next
   * one leads, and what its port says is newer.
   *
   * @param ledgerStood whether the ledger stood still until now
   * @param intervalNanos between two reports of a device that is well
   * @return whether its process had ended before, as its port showed
   */
  boolean reported(boolean ledgerStood, long intervalNanos, long nowNanos) {
    boolean underWay = refused && nowNanos - refusedNanos < UNDER_WAY_NANOS;
    if (underWay || (ledgerStood && (refused || answer != null))) {
      return false;
    }
    long leastNanos = Math.max(LEAST_START_NANOS, INTERVALS * intervalNanos);
    boolean hadEnded = refused && nowNanos - refusedNanos >= leastNanos;
    if (refused && !hadEnded) {
      mistrustedNanos = nowNanos + MISTRUST_NANOS;
    }
    refused = false;
    answer = null;
    askedNanos = nowNanos;
    reportedNanos = nowNanos;
    return hadEnded;
  }

  /**
   * Takes an answer that has come, or asks if the last report or question is long enough ago.
   *
   * @param overdueNanos how long that is; for questions a quarter of the silence, if that is more
   */
  void check(PortCheck ports, String address, long overdueNanos, long nowNanos) {
    if (answer != null && answer.isDone()) {
      refused = answer.join() && nowNanos - mistrustedNanos >= 0;
      refusedNanos = nowNanos;
      answer = null;
    } else if (answer == null
        && nowNanos - askedNanos >= Math.max(overdueNanos, betweenNanos(nowNanos))) {
      askedNanos = nowNanos;
      answer = ports.refuses(address);
    }
  }

  private long betweenNanos(long nowNanos) {
    return Math.min((nowNanos - reportedNanos) / 4, LONGEST_BETWEEN_NANOS);
  }

  /** Whether nobody has listened there since the device's last report. */
  boolean isRefusing() {
    return refused;
  }
}
