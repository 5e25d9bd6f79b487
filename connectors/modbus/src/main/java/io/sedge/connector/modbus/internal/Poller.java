package io.sedge.connector.modbus.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Polls all lines of a table, in a thread of its own, at the multiples of the interval since it was
 * started: it never drifts. A tick that is missed, because the machine stood still, is left out.
 */
final class Poller implements AutoCloseable {
  private final PollSettings settings;
  private final Loop loop;
  private final List<LinePoller> lines = new ArrayList<>();
  private final long beginNanos;

  Poller(String table, PollSettings settings, Inbox inbox, Reports reports, Runnable wakeUp) {
    this.settings = settings;
    this.loop = new Loop(table, settings.link(), wakeUp);
    long opened = reports.nowMicros();
    int index = 0;
    for (Endpoint endpoint : settings.endpoints()) {
      List<Device> devices = new ArrayList<>();
      for (int unit : settings.units()) {
        devices.add(new Device(index++, unit, settings.plan(), settings.narrow(), opened));
      }
      lines.add(new LinePoller(endpoint, devices, settings, loop, inbox, reports));
    }
    this.beginNanos = System.nanoTime();
  }

  Poller start() {
    loop.execute(this::tick);
    return this;
  }

  private void tick() {
    lines.forEach(LinePoller::tick);
    long interval = settings.interval().toNanos();
    long passed = System.nanoTime() - beginNanos;
    loop.schedule(this::tick, interval - passed % interval);
  }

  /** What has gone wrong that nobody has foreseen; null as a rule. */
  @Nullable Throwable failure() {
    return loop.failure();
  }

  @Override
  public void close() {
    loop.execute(() -> lines.forEach(LinePoller::close));
    loop.close();
  }
}
