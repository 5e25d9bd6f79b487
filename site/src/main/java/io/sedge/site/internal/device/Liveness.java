package io.sedge.site.internal.device;

import static java.util.Objects.requireNonNull;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Limits;
import io.sedge.placement.Health;
import io.sedge.replication.PortCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which devices are alive, as seen from this one: those whose count of reports has grown lately.
 * One thread looks, any may ask.
 *
 * <p>Who has just been started knows of nobody. When a whole site has its power back the others are
 * being started too, so a device that has not reported since is waited for {@link #START_NANOS}: it
 * keeps its tasks, and gets none. Not so one that has led since: it was there.
 *
 * <p>Time stands still when this device's own reports, which go the same way, do not come: while
 * the ledger stands still nobody can report, and nobody is taken for dead because of it.
 *
 * <p>A machine that is overloaded reports late and is well otherwise. So a device whose report came
 * late, but came, is for a {@linkplain Lateness minute} not gone before 1.5 times the longest such
 * gap, though never later than its lease, since by then it has ended its tasks itself. Gaps of
 * {@link Silence#outageNanos} or more are outages and teach nothing; nor do those in which this
 * device's own reports stood still too, as when a leader is elected.
 *
 * <p>A device that was started, or was away, has a lot to do at once, and reports late for a while
 * as a rule. So until {@link #START_NANOS} after it came back it is not gone before {@link
 * Silence#startNanos}, and teaches nothing that this covers.
 *
 * <p>None of that needs to be waited for where a process has ended: its system closes its
 * connections, and when {@linkplain #alarm one has ended}, or a report is overdue, the device's
 * machine is {@link #checkOverdue asked}. A device whose port refuses connections is gone until it
 * reports again. That holds though the ledger stood still, as when its leader was killed.
 *
 * <p>That the bound follows the gaps that were seen is the idea of adaptive failure detectors: W.
 * Chen, S. Toueg, M. K. Aguilera, "On the quality of service of failure detectors" (2002), and N.
 * Hayashibara and others, "The phi accrual failure detector" (2004). They estimate the mean or the
 * distribution of arrivals; here the largest gap of a minute is enough, since stalls of a busy
 * machine are rare and long, and nothing is lost by a wrong guess but the time to move a task.
 */
final class Liveness {
  /** So long a start takes at most, until the first report and then until reports come in time. */
  static final long START_NANOS = 10_000_000_000L;

  /** So long after its last report, or the last question, a device is asked in an alarm. */
  static final long ALARM_BETWEEN_NANOS = 40_000_000L;

  private final String self;
  private final Peers peers;
  private final PortCheck ports;
  private final Map<String, Seen> seen = new HashMap<>();
  private final Alarm alarm = new Alarm();
  private Silence silence = Silence.of(Limits.DEFAULT);
  private long begunNanos;

  /** When this device last knew that the ledger goes on. */
  private long currentNanos;

  private long elapsed;

  /** When this device's own last report came, and how much time had passed by then. */
  private long reportedNanos;

  private long reportedElapsed;

  /** Whether this device has begun to lead, and has not reported since. */
  private boolean begins;

  /** How much time had passed when this device's own report last came late. */
  private long stalledAt = Long.MIN_VALUE;

  /** What is known of a device. */
  private static final class Seen {
    final DevicePort port;
    final Lateness lateness = new Lateness();
    long heard;

    /** How much time had passed when it was last heard. */
    long at;

    /** When that was; this time never stands still. */
    long heardNanos;

    /** How much time had passed when it last came back. */
    long backAt = Long.MIN_VALUE / 2;

    /** Whether a report of it came since this device looks. */
    boolean reported;

    /** Whether it would report if it was there: it has since this device looks, or has led. */
    boolean awaited;

    /** Whether its silence is to count from when its ledger answers this device, which leads. */
    boolean excused;

    /** Whether its report was to be the last one: what comes next is a start, and not late. */
    boolean stopped;

    Seen(long nowNanos) {
      port = new DevicePort(nowNanos);
    }
  }

  /**
   * @param self the name of this device
   * @param peers the others' ledgers
   */
  Liveness(String self, Peers peers, PortCheck ports) {
    this.self = self;
    this.peers = peers;
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
      if (silence.reportNanos() < this.silence.reportNanos()) {
        seen.values().forEach(this::waitAnew);
      }
      this.silence = silence;
      // What was lateness may be an outage now.
      seen.values().forEach(known -> known.lateness.forgetAll());
    }
    if (seen.isEmpty()) {
      begunNanos = nowNanos;
    }
    boolean reported = devices.stream().anyMatch(this::isOwnReport);
    boolean stood = isOverdue(nowNanos);
    long before = elapsed;
    if (seen.containsKey(self)) {
      pass(nowNanos - reportedNanos, reported);
    }
    if (reported) {
      reportedNanos = nowNanos;
      reportedElapsed = elapsed;
      currentNanos = nowNanos;
      devices.forEach(device -> excuse(device, before));
      begins = false;
    }
    for (Device device : devices) {
      if (isNew(device)) {
        report(device, stood, nowNanos);
      }
      Seen known = requireNonNull(seen.get(device.name()));
      known.awaited = known.awaited || known.reported || mayHaveLed(known, device);
    }
    seen.keySet().retainAll(devices.stream().map(Device::name).toList());
    seen.values().forEach(known -> known.lateness.forgetOld(elapsed));
  }

  /** Until a device knows that it is to report more often, it reports as it did. */
  private void waitAnew(Seen known) {
    if (elapsed - known.at < goneNanos(known)) {
      known.at = elapsed;
    }
  }

  /** Of one that is gone even if it has not, nobody needs to know. */
  private boolean mayHaveLed(Seen known, Device device) {
    return isThere(device) && elapsed - known.at < goneNanos(known) && peers.hasLed(device);
  }

  /** Whether this device's own report is overdue: the ledger stands still, as far as it knows. */
  private boolean isOverdue(long nowNanos) {
    return nowNanos - reportedNanos >= overdueNanos();
  }

  private long overdueNanos() {
    return silence.reportNanos() * 3 / 2;
  }

  /** An interval at most until the next report of its own is there, and two by then. */
  private void pass(long sinceNanos, boolean reported) {
    long reportNanos = silence.reportNanos();
    elapsed = reportedElapsed + Math.min(sinceNanos, (reported ? 2 : 1) * reportNanos);
    if (reported && sinceNanos > 2 * reportNanos) {
      stalledAt = elapsed;
    }
  }

  /**
   * Begins to lead. While nobody led nobody could report, and some find the new leader later than
   * others. So those who were there have their whole silence again from the first report of this
   * device at which their ledger has answered it. Whose ledger does not answer has a reason of its
   * own to be silent: as a rule it is the leader before, for whose silence there was an election.
   * It is left half of its silence at least.
   */
  synchronized void beginToLead(long nowNanos) {
    currentNanos = nowNanos;
    begins = true;
    seen.forEach(
        (device, known) ->
            known.excused =
                known.awaited && !device.equals(self) && elapsed - known.at < goneNanos(known));
  }

  /**
   * @param before how much time had passed before this device's report came
   */
  private void excuse(Device device, long before) {
    Seen known = seen.get(device.name());
    if (known == null || !known.excused) {
      return;
    }
    if (before - known.at >= goneNanos(known)) {
      known.excused = false;
    } else if (peers.answers(device)) {
      known.excused = false;
      known.at = elapsed;
    } else if (begins) {
      known.at = Math.max(known.at, elapsed - goneNanos(known) / 2);
    }
  }

  private boolean isOwnReport(Device device) {
    return device.name().equals(self) && isNew(device);
  }

  private boolean isNew(Device device) {
    Seen before = seen.get(device.name());
    return before == null || before.heard != device.heard();
  }

  private void report(Device device, boolean ledgerStood, long nowNanos) {
    Seen known = seen.get(device.name());
    if (known == null) {
      known = new Seen(nowNanos);
      seen.put(device.name(), known);
    } else {
      boolean hadEnded = known.port.reported(ledgerStood, silence.reportNanos(), nowNanos);
      if (hadEnded || isBack(known, nowNanos)) {
        known.backAt = elapsed;
      } else {
        learn(known);
      }
      known.reported = true;
    }
    known.heard = device.heard();
    known.excused = false;
    known.at = elapsed;
    known.heardNanos = nowNanos;
    known.stopped = device.stopped();
  }

  /**
   * Whether a report that has come is the first one after a start or an outage, which may also have
   * been the ledger's. Of one that is heard for the first time at once, nobody knows.
   */
  private boolean isBack(Seen known, long nowNanos) {
    long gap = elapsed - known.at;
    boolean first = known.heard == 0 || (!known.reported && gap >= silence.suspectNanos());
    return first
        || known.stopped
        || gap >= silence.outageNanos()
        || nowNanos - known.heardNanos >= Math.max(silence.outageNanos(), START_NANOS);
  }

  /** Whether it came back not long before its last report. */
  private static boolean isStarting(Seen known) {
    return known.at - known.backAt < START_NANOS;
  }

  private void learn(Seen known) {
    long gap = elapsed - known.at;
    boolean alone = known.at >= stalledAt;
    if (alone && gap >= (isStarting(known) ? silence.startNanos() : silence.suspectNanos())) {
      known.lateness.learn(gap, elapsed);
    }
  }

  /**
   * Asks the machines of devices whose report is overdue whether they listen, and takes the answers
   * that have come. The leader does so; while this device's own reports do not come it does so too,
   * since whoever leads next is to know at once whom it has lost. After an {@link #alarm} both do,
   * and of all devices: which of them has ended is not known.
   *
   * @param devices as they were last looked at
   * @param leads whether this device leads
   */
  synchronized void checkOverdue(List<Device> devices, boolean leads, long nowNanos) {
    boolean alarmed = isAlarmed(nowNanos);
    if (!leads && !alarmed && !isOverdue(nowNanos)) {
      return;
    }
    long waitNanos = alarmed ? ALARM_BETWEEN_NANOS : overdueNanos();
    for (Device device : devices) {
      Seen known = seen.get(device.name());
      boolean isOther = !device.name().equals(self);
      if (known != null && known.awaited && isOther && health(device) != Health.GONE) {
        known.port.check(ports, device.address(), waitNanos, nowNanos);
      }
    }
  }

  /**
   * Another device may have ended: a connection that it had made to this one has, or somebody else
   * leads. It may as well be there, so this only has ports asked, for a moment, in which a process
   * that is ending closes its own. Does not wait for a look that is under way.
   */
  void alarm(long nowNanos) {
    alarm.raise(nowNanos);
  }

  /** Whether there was an alarm a moment ago. */
  boolean isAlarmed(long nowNanos) {
    return alarm.isOn(nowNanos);
  }

  /** Whether nobody listens at a device's address: as a rule its process has ended. */
  synchronized boolean refuses(Device device) {
    Seen last = seen.get(device.name());
    return last != null && last.port.isRefusing();
  }

  /**
   * Whether something can be decided: the ledger goes on, as this device's own report or election
   * shows, and those who are well have had the time to report. What is decided while it stands
   * still would be carried out later, when it is wrong.
   */
  synchronized boolean isCurrent(long nowNanos) {
    long reportNanos = silence.reportNanos();
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
    boolean silentTooLong = last != null && silent >= goneNanos(last);
    if (device.state() == DeviceState.EXPELLED
        || !isThere(device)
        || refuses(device)
        || silentTooLong) {
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

  /** After so long without a report it is gone. */
  private long goneNanos(Seen known) {
    if (!known.awaited) {
      return Math.max(silence.goneNanos(), START_NANOS);
    }
    long starting = isStarting(known) ? silence.startNanos() : 0;
    long learned = Math.min(known.lateness.longest() * 3 / 2, silence.leaseNanos());
    return Math.max(silence.goneNanos(), Math.max(starting, learned));
  }
}
