package io.sedge.connector.modbus.internal;

import io.sedge.connector.Reports;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Polls all lines of a table, in a thread of its own, at the multiples of the interval since it was
 * started: it never drifts. Ticks that are missed, because the machine stood still, are counted as
 * missing and made up once.
 */
final class Poller implements AutoCloseable {
  private final Loop loop;
  private final Ticks ticks;
  private final List<LinePoller> lines = new ArrayList<>();
  private final long beginNanos;

  Poller(String table, PollSettings settings, Inbox inbox, Reports reports, Runnable wakeUp) {
    this.ticks = new Ticks(settings.interval(), reports);
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
    long passed = ticks.passed(System.nanoTime() - beginNanos);
    if (passed > 0) {
      lines.forEach(line -> line.tick(passed));
    }
    loop.schedule(this::tick, ticks.untilNext(System.nanoTime() - beginNanos));
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
