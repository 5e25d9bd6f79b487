package io.sedge.connector;

import io.sedge.connector.ConnectorContext.Severity;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Says that a far end cannot be used when that begins, and that it can again, both once. Of outages
 * that follow each other within a minute only the first is said. Any thread.
 */
public final class Outage {
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final String subject;
  private final ConnectorContext context;
  private final Backoff backoff =
      new Backoff(
          Duration.ofMillis(250),
          Duration.ofSeconds(30),
          () -> ThreadLocalRandom.current().nextLong());
  private int failures;
  private Optional<String> reason = Optional.empty();
  private boolean said;
  private boolean everSaid;
  private long saidNanos;

  /**
   * @param subject what reports begin with: {@code table readings: Kafka at plant:9092}
   */
  public Outage(String subject, ConnectorContext context) {
    this.subject = subject;
    this.context = context;
  }

  /**
   * Something has failed.
   *
   * @return how long to wait before it is tried again
   */
  public synchronized Duration failed(String newReason) {
    failures++;
    reason = Optional.of(newReason);
    if (isDue()) {
      said = true;
      everSaid = true;
      saidNanos = context.nanoTime();
      context.report(Severity.WARNING, "%s: %s; it is tried again".formatted(subject, newReason));
    }
    return backoff.delay(failures);
  }

  /**
   * Something has failed, and it takes time to find out why.
   *
   * @param brief what is known at once
   * @param full what is reported; asked for, without a lock, only if a report is due
   * @return how long to wait before it is tried again
   */
  public Duration failed(String brief, Supplier<String> full) {
    return failed(isDue() ? full.get() : brief);
  }

  private synchronized boolean isDue() {
    return !said && (!everSaid || context.nanoTime() - saidNanos >= QUIET_NANOS);
  }

  /** What has failed last, if it does not work now. */
  public synchronized Optional<String> reason() {
    return reason;
  }

  /** It works. */
  public synchronized void ended() {
    failures = 0;
    reason = Optional.empty();
    if (said) {
      said = false;
      context.report(Severity.INFO, "%s: it works again".formatted(subject));
    }
  }
}
