package io.sedge.center.internal.api;

import io.sedge.center.internal.people.Attempts;
import io.sedge.center.internal.people.Passwords;
import io.sedge.center.internal.people.RefusedLogins;
import io.sedge.center.internal.people.Sessions;
import io.sedge.center.store.StoreException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What is kept in memory of people: their sessions, and how often somebody has tried to be one of
 * them. Once a minute the logins that were refused are written to the audit log. Any thread.
 */
final class PeopleDesk implements AutoCloseable {
  private static final long PERIOD_SECONDS = 60;

  private final ApiContext context;
  private final Sessions sessions;
  private final Attempts attempts;
  private final Passwords passwords = new Passwords();
  private final RefusedLogins refusedLogins;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("sedge-api-refused-logins").daemon().factory());

  PeopleDesk(ApiContext context) {
    this.context = context;
    this.sessions = new Sessions(context.nanoClock());
    this.attempts = new Attempts(context.nanoClock());
    this.refusedLogins = new RefusedLogins(context.store().audit());
    var _ =
        executor.scheduleWithFixedDelay(
            this::writeRefusedLogins, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  Sessions sessions() {
    return sessions;
  }

  Attempts attempts() {
    return attempts;
  }

  Passwords passwords() {
    return passwords;
  }

  RefusedLogins refusedLogins() {
    return refusedLogins;
  }

  void writeRefusedLogins() {
    try {
      refusedLogins.write();
    } catch (StoreException | RuntimeException e) {
      context.log().accept("refused logins are not in the audit log: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    executor.close();
    writeRefusedLogins();
    passwords.close();
  }
}
