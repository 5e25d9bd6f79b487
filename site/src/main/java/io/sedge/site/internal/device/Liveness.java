package io.sedge.site.internal.device;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Limits;
import io.sedge.placement.Health;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which devices are alive, as seen from this one: those whose count of reports has grown lately.
 * One thread looks, any may ask.
 *
 * <p>Who has just been started knows of nobody. When a whole site has its power back the others are
 * being started too, so a device that has not reported since is waited for {@link #START_NANOS}: it
 * keeps its tasks, and gets none.
 *
 * <p>Time stands still when this device's own reports, which go the same way, do not come: while
 * the ledger stands still nobody can report, and nobody is taken for dead because of it.
 *
 * <p>A machine that is overloaded reports late and is well otherwise. So a device whose report came
 * late, but came, is for {@link #LEARNED_NANOS} not gone before 1.5 times the longest such gap,
 * though never later than its lease, since by then it has ended its tasks itself. Gaps of {@link
 * Silence#outageNanos} or more are outages and teach nothing: a device that dies often is not
 * waited for the longer; nor do those in which this device's own reports stood still too, as when a
 * leader is elected. What is kept of a device is bounded: gaps that are still larger than all later
 * ones, each of which took half of the silence or more.
 *
 * <p>Who leads need not wait for all of that where a process has ended: once a report is overdue it
 * {@link #checkOverdue asks} the device's machine, and a device whose port refuses connections is
 * gone until it reports again. That holds though the ledger stood still, as when its leader was
 * killed.
 *
 * <p>That the bound follows the gaps that were seen is the idea of adaptive failure detectors: W.
 * Chen, S. Toueg, M. K. Aguilera, "On the quality of service of failure detectors" (2002), and N.
 * Hayashibara and others, "The phi accrual failure detector" (2004). They estimate the mean or the
 * distribution of arrivals; here the largest gap of a minute is enough, since stalls of a busy
 * machine are rare and long, and nothing is lost by a wrong guess but the time to move a task.
 */
final class Liveness {
  /** For so long a device is waited for that has not reported since this one was started. */
  static final long START_NANOS = 10_000_000_000L;

  /** No process reports so soon after its port refused, but one whose connections are rejected. */
  private static final long LEAST_START_NANOS = 1_000_000_000L;

  /** For so long a late report is remembered. */
  static final long LEARNED_NANOS = 60_000_000_000L;

  private final String self;
  private final long reportNanos;
  private final PortCheck ports;
  private final Map<String, Seen> seen = new HashMap<>();
  private Silence silence = Silence.of(Limits.DEFAULT);
  private long begunNanos;

  /** When this device last knew that the ledger goes on. */
  private long currentNanos;

  private long elapsed;

  /** When this device's own last report came, and how much time had passed by then. */
  private long reportedNanos;

  private long reportedElapsed;

  /** How much time had passed when this device's own report last came late. */
  private long stalledAt = Long.MIN_VALUE;

  /**
   * A report that came late.
   *
   * @param gap to the one before
   * @param at how much time had passed when it came
   */
  private record Late(long gap, long at) {}

  /** What is known of a device. */
  private static final class Seen {
    long heard;

    /** How much time had passed. */
    long at;

    /** When its last report came, or its port was checked after that; time never stands still. */
    long askedNanos;

    /** Whether it listens, while it is asked. */
    @Nullable CompletableFuture<Boolean> refuses;

    /** Whether nobody has listened there since its last report. */
    boolean refused;

    /** When that was found out. */
    long refusedNanos;

    /** Until then refusals are not believed: it was there all the same. */
    long mistrustedNanos;

    /** Whether a report of it came since this device looks. */
    boolean reported;

    /** Whether the time until the next report of whoever looks does not count. */
    boolean excused;

    /** Whether its report was to be the last one: what comes next is a start, and not late. */
    boolean stopped;

    /** The largest gap first; each came later than those before it. */
    final Deque<Late> late = new ArrayDeque<>();

    void learn(Late last) {
      while (!late.isEmpty() && late.getLast().gap() <= last.gap()) {
        late.removeLast();
      }
      late.addLast(last);
    }

    void forget(long before) {
      while (!late.isEmpty() && late.getFirst().at() < before) {
        late.removeFirst();
      }
    }
  }

  /**
   * @param self the name of this device
   * @param reportNanos between two reports of a device that is well
   */
  Liveness(String self, long reportNanos, PortCheck ports) {
    this.self = self;
    this.reportNanos = reportNanos;
    this.ports = ports;
  }

  /**
   * Looks at the devices as the ledger has them.
   *
   * @param silence as the ledger has it
   * @param nowNanos a monotonic clock
   */
  synchronized void update(List<Device> devices, Silence silence, long nowNanos) {
    if (!silence.equals(this.silence)) {
      this.silence = silence;
      seen.values().forEach(known -> known.late.clear()); // What was lateness may be an outage now.
    }
    if (seen.isEmpty()) {
      begunNanos = nowNanos;
    }
    boolean reported = devices.stream().anyMatch(this::isOwnReport);
    if (seen.containsKey(self)) {
      pass(nowNanos - reportedNanos, reported);
    }
    if (reported) {
      reportedNanos = nowNanos;
      reportedElapsed = elapsed;
      currentNanos = nowNanos;
      seen.values().forEach(this::excuse);
    }
    for (Device device : devices) {
      if (isNew(device)) {
        report(device, nowNanos);
      }
    }
    seen.keySet().retainAll(devices.stream().map(Device::name).toList());
    seen.values().forEach(known -> known.forget(elapsed - LEARNED_NANOS));
  }

  /** An interval at most until the next report of its own is there, and two by then. */
  private void pass(long sinceNanos, boolean reported) {
    elapsed = reportedElapsed + Math.min(sinceNanos, (reported ? 2 : 1) * reportNanos);
    if (reported && sinceNanos > 2 * reportNanos) {
      stalledAt = elapsed;
    }
  }

  /**
   * Begins to lead: what passes until this device's next report counts for nobody who was there,
   * since while nobody led nobody could report, and some find the new leader later than others.
   */
  synchronized void beginToLead(long nowNanos) {
    currentNanos = nowNanos;
    for (Seen known : seen.values()) {
      known.excused = known.reported && elapsed - known.at < goneNanos(known);
    }
  }

  private void excuse(Seen known) {
    if (known.excused) {
      known.excused = false;
      known.at = elapsed;
    }
  }

  private boolean isOwnReport(Device device) {
    return device.name().equals(self) && isNew(device);
  }

  private boolean isNew(Device device) {
    Seen before = seen.get(device.name());
    return before == null || before.heard != device.heard();
  }

  private void report(Device device, long nowNanos) {
    Seen known = seen.get(device.name());
    if (known == null) {
      known = new Seen();
      known.mistrustedNanos = nowNanos;
      seen.put(device.name(), known);
    } else {
      learn(known, nowNanos);
      known.reported = true;
    }
    known.heard = device.heard();
    known.at = elapsed;
    known.askedNanos = nowNanos;
    known.refuses = null;
    known.refused = false;
    known.stopped = device.stopped();
  }

  private void learn(Seen known, long nowNanos) {
    if (known.refused && nowNanos - known.refusedNanos < LEAST_START_NANOS) {
      known.mistrustedNanos = nowNanos + LEARNED_NANOS;
    }
    long gap = elapsed - known.at;
    boolean wasThere = known.reported && !known.stopped;
    boolean alone = known.at >= stalledAt;
    if (wasThere && alone && gap >= silence.suspectNanos() && gap < silence.outageNanos()) {
      known.learn(new Late(gap, elapsed));
    }
  }

  /**
   * Asks the machines of devices whose report is overdue whether they listen, each once in the time
   * in which a report is overdue, and takes the answers that have come.
   *
   * @param devices as they were last looked at
   */
  synchronized void checkOverdue(List<Device> devices, long nowNanos) {
    for (Device device : devices) {
      Seen known = seen.get(device.name());
      boolean isOther = !device.name().equals(self);
      if (known != null && known.reported && isOther && health(device) != Health.GONE) {
        checkOverdue(known, device.address(), nowNanos);
      }
    }
  }

  private void checkOverdue(Seen known, String address, long nowNanos) {
    CompletableFuture<Boolean> answer = known.refuses;
    if (answer != null && answer.isDone()) {
      known.refused = answer.join() && nowNanos - known.mistrustedNanos >= 0;
      known.refusedNanos = nowNanos;
      known.refuses = null;
    } else if (answer == null && nowNanos - known.askedNanos >= reportNanos * 3 / 2) {
      known.askedNanos = nowNanos;
      known.refuses = ports.refuses(address);
    }
  }

  /** Whether nobody listens at a device's address: as a rule its process has ended. */
  synchronized boolean refuses(Device device) {
    Seen last = seen.get(device.name());
    return last != null && last.refused;
  }

  /**
   * Whether something can be decided: the ledger goes on, as this device's own report or election
   * shows, and those who are well have had the time to report. What is decided while it stands
   * still would be carried out later, when it is wrong.
   */
  synchronized boolean isCurrent(long nowNanos) {
    return !seen.isEmpty()
        && nowNanos - begunNanos >= 2 * reportNanos
        && nowNanos - currentNanos <= 2 * reportNanos;
  }

  /** Whether a device has reported since this one looks, and is not gone. */
  synchronized boolean isUp(Device device) {
    return isKnown(device.name()) && health(device) != Health.GONE;
  }

  private boolean isKnown(String device) {
    Seen last = seen.get(device);
    return device.equals(self) || (last != null && last.reported);
  }

  /** For how long a device has not reported. */
  synchronized long silentNanos(Device device) {
    Seen last = seen.get(device.name());
    return last == null ? 0 : elapsed - last.at;
  }

  /** What can be expected of a device. */
  synchronized Health health(Device device) {
    Seen last = seen.get(device.name());
    long silent = silentNanos(device);
    if (device.state() == DeviceState.EXPELLED
        || !isThere(device)
        || refuses(device)
        || silent >= goneNanos(last)) {
      return Health.GONE;
    }
    if (device.state() == DeviceState.DRAINING) {
      return Health.DRAINING;
    }
    return isKnown(device.name()) && silent < silence.suspectNanos() ? Health.UP : Health.SUSPECT;
  }

  /** It may be registered and not have begun, or have been stopped. */
  private static boolean isThere(Device device) {
    return device.heard() > 0 && !device.stopped();
  }

  private long goneNanos(@Nullable Seen known) {
    if (known != null && !known.reported) {
      return Math.max(silence.goneNanos(), START_NANOS);
    }
    if (known == null || known.late.isEmpty()) {
      return silence.goneNanos();
    }
    long learned = known.late.getFirst().gap() * 3 / 2;
    return Math.max(silence.goneNanos(), Math.min(learned, silence.leaseNanos()));
  }
}
