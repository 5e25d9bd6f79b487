package io.sedge.site.internal.downlink;

import io.sedge.alarm.AlarmList;
import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.Ledger;
import io.sedge.task.JobListener;
import io.sedge.uplink.Uplink;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Tells the center which alarms the site has: at first, whenever any has changed, and when the
 * center is back. Each time it is all of them, the {@value Uplink#MAX_ALARMS} most urgent, so that
 * what got lost matters to nobody. While nothing changes it sleeps. Why the center cannot be
 * reached is said by who asks for orders; whatever else it answers is said here, once.
 *
 * <p>Many alarms are told more seldom, so that a flood does not fill a slow link.
 */
final class AlarmTelling implements AutoCloseable {
  private static final long PACE_MILLIS = 1_000;
  private static final long PACE_MILLIS_PER_ALARM = 10;

  /** For how long the end of the thread is waited for. */
  private static final Duration END = Duration.ofSeconds(1);

  private static final Backoff PAUSES =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), RandomGenerator.getDefault());

  private final UplinkClient client;
  private final Ledger ledger;
  private final Majority majority;
  private final InstantSource clock;
  private final JobListener listener;
  private final Thread thread;
  private final Semaphore news = new Semaphore(0);
  private final Semaphore back = new Semaphore(0);

  /** What was said last of the center; of the thread that tells. */
  private String said = "";

  /** How often alarms had changed when they were told last; -1 if all is to be told. */
  private volatile long told = -1;

  AlarmTelling(
      UplinkClient client,
      Ledger ledger,
      Majority majority,
      InstantSource clock,
      JobListener listener) {
    this.client = client;
    this.ledger = ledger;
    this.majority = majority;
    this.clock = clock;
    this.listener = listener;
    this.thread = Thread.ofVirtual().name("sedge-alarms").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /** Looks whether alarms have changed. Any thread; never waits. */
  void look() {
    if (changes() != told) {
      news.release();
    }
  }

  /** Tells all again: the center may be one that was put back from a backup. */
  void again() {
    told = -1;
    news.release();
    back.release();
  }

  private long changes() {
    return ledger.read(state -> state.alarms().changes());
  }

  private void run() {
    int failures = 0;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        news.drainPermits();
        if (changes() == told) {
          news.acquire();
          continue;
        }
        try {
          back.drainPermits();
          long pause = tell();
          failures = 0;
          said = "";
          TimeUnit.MILLISECONDS.sleep(pause);
        } catch (UplinkException e) {
          failures++;
          say(e);
        } catch (TimeoutException _) {
          failures++;
        }
        if (failures > 0) {
          var _ = back.tryAcquire(PAUSES.delay(failures).toNanos(), TimeUnit.NANOSECONDS);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      listener.report(Severity.ERROR, "a fault in Sedge while telling the center of alarms: " + e);
    }
  }

  private void say(UplinkException e) {
    String what =
        e.reason() == Reason.VERSION
            ? "it is of a version that shows none: upgrade it"
            : String.valueOf(e.getMessage());
    if (e.reason() != Reason.UNREACHABLE && !what.equals(said)) {
      listener.report(Severity.WARNING, "the center does not take the site's alarms: " + what);
      said = what;
    }
  }

  /** Tells what there is; for how long then to wait, in milliseconds. */
  private long tell() throws UplinkException, TimeoutException, InterruptedException {
    long index = majority.index();
    AlarmList alarms = ledger.read(state -> state.alarms().list(clock.millis()));
    told = alarms.counts().changes();
    try {
      client.tell(index, alarms);
    } catch (UplinkException | InterruptedException | RuntimeException e) {
      told = -1;
      throw e;
    }
    int many = Math.min(alarms.alarms().size(), Uplink.MAX_ALARMS);
    return Math.max(PACE_MILLIS, PACE_MILLIS_PER_ALARM * many);
  }

  /** Ends what is under way; waits for a moment until that is so. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      var _ = thread.join(END);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
