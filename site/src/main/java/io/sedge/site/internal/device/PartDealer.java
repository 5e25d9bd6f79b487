package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.PartSizes;
import io.sedge.division.Fragment;
import io.sedge.division.Labels;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.Health;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the parts of bounded jobs to devices. Single-threaded; part of the {@link Controller}.
 *
 * <p>Devices serve themselves: whoever has a free slot gets the next part. A device has a slot for
 * each of its processors and one more; a part that ends in half a second has left its slot already,
 * so that no device stands still between two parts. The first of a device are of unlike size, lest
 * they end together, and so that its speed is known soon. Parts get smaller towards the end ({@link
 * PartSizes}), which makes all devices end at about the same time, whatever their speeds, as long
 * as the last parts do not go to the slowest: a part is given to a device only if that is done with
 * it before everything is done, or before any other device would be. When nothing waits, an idle
 * device takes over the part that would be running longest, if it is done with it much earlier. It
 * goes on from the part's last commit; the epoch refuses what the device before still commits, so
 * that each reading counts once. A part that its device says it is unfit for is given to another
 * that is not.
 *
 * <p>Speeds are those at which devices are done with parts, from gift to end, seen from here; a
 * device has divided its time evenly among its parts. A new leader knows none, and gives parts to
 * whoever has time until it does.
 */
final class PartDealer {
  /** A device runs no more parts at a time: each takes some megabytes. */
  static final int MAX_SLOTS = 16;

  /**
   * It takes some tenths of a second from the end of a part until the next is begun: so long before
   * a part ends another is given.
   */
  private static final double SECONDS_AHEAD = 0.5;

  /** So many parts get devices that have all of them done in that time. */
  private static final int SLOTS_AHEAD = 8;

  private static final int SHARES_PER_SLOT = 8;
  private static final int MAX_SHARES = 256;

  /** Of one job; a site may have some more tasks. */
  private static final int MAX_PARTS = 768;

  /** To be given out and begun takes a part some tenths of a second, whatever its size. */
  private static final long LEAST_BYTES = 4 << 20;

  /** How much what a device did before its last part still counts for its speed. */
  private static final double MEMORY = 0.6;

  /** What is overdue takes this part of what it has taken so far, who knows. */
  private static final double OVERDUE = 0.25;

  private static final double TAKE_OVER_SECONDS = 2;
  private static final double TAKE_OVER_GAIN = 0.6;
  private static final double NANOS = 1e9;

  private final DeviceLog log;

  /** All parts that run. */
  private final Map<TaskId, Given> given = new HashMap<>();

  /** By job and device, with all of the device's slots in use. */
  private final Map<String, Map<String, Speed>> speeds = new HashMap<>();

  /** Parts that were taken over once. */
  private final Set<TaskId> takenOver = new HashSet<>();

  private long sharedNanos;

  /** A part that a device has. */
  private static final class Given {
    final String device;

    /**
     * Whether it was begun there, and all of its time is known: else it does not say how fast the
     * device is, but has its share of the time beside those that do.
     */
    final boolean whole;

    /** Its share of its device's time so far. */
    double seconds;

    Given(String device, boolean whole) {
      this.device = device;
      this.whole = whole;
    }
  }

  /** What was done, and the time it took. Large parts say more than small ones. */
  private record Speed(double bytes, double seconds) {
    Speed then(Speed next) {
      return new Speed(MEMORY * bytes + next.bytes, MEMORY * seconds + next.seconds);
    }

    double bytesPerSecond() {
      return bytes / seconds;
    }
  }

  PartDealer(DeviceLog log) {
    this.log = log;
  }

  /** Forgets what was seen; another device led meanwhile. */
  void reset() {
    given.clear();
    speeds.clear();
    takenOver.clear();
  }

  /** How large parts are to be on a site. */
  static PartSizes sizes(SiteState state, Function<Device, Health> health) {
    int slots =
        state.devices().stream()
            .filter(device -> health.apply(device) != Health.GONE)
            .mapToInt(PartDealer::slots)
            .sum();
    int shares = Math.clamp((long) SHARES_PER_SLOT * slots, 2 * SHARES_PER_SLOT, MAX_SHARES);
    return new PartSizes(shares, MAX_PARTS, LEAST_BYTES);
  }

  private static int slots(Device device) {
    return Math.clamp((long) Math.ceil(device.measures().cpuShare()) + 1, 2, MAX_SLOTS);
  }

  /**
   * Adds the commands that give parts out.
   *
   * @param fragments of each job that is compiled
   */
  void deal(
      SiteState state,
      Map<String, JobFragments> fragments,
      Function<Device, Health> health,
      long nowNanos,
      List<Command> commands) {
    share(state.devices(), nowNanos);
    Map<String, Hand> hands = new TreeMap<>();
    for (Device device : state.devices()) {
      if (health.apply(device) == Health.UP) {
        hands.put(device.name(), new Hand(device));
      }
    }
    Set<String> keeping = new HashSet<>(hands.keySet());
    state.devices().stream()
        .filter(device -> health.apply(device) == Health.SUSPECT)
        .forEach(device -> keeping.add(device.name()));
    List<Round> rounds = new ArrayList<>();
    for (Job job : state.jobs()) {
      List<Fragment> parts =
          fragments.getOrDefault(job.name(), JobFragments.NONE).all().stream()
              .filter(SiteModel::isPart)
              .toList();
      if (job.state() == JobState.RUNNING && !parts.isEmpty()) {
        rounds.add(new Round(job.name(), suiting(parts, hands), commands));
        rounds.getLast().look(state, parts, keeping);
      }
    }
    speeds.keySet().retainAll(rounds.stream().map(round -> round.job).toList());
    given.keySet().removeIf(id -> !speeds.containsKey(id.job()));
    takenOver.removeIf(id -> !speeds.containsKey(id.job()));
    rounds.forEach(Round::give);
    rounds.forEach(Round::takeOver);
  }

  /** Shares the time since this was last called among the parts of each device. */
  private void share(Collection<Device> devices, long nowNanos) {
    double seconds = (nowNanos - sharedNanos) / NANOS;
    sharedNanos = nowNanos;
    for (Device device : devices) {
      List<Given> parts =
          given.values().stream().filter(part -> part.device.equals(device.name())).toList();
      parts.forEach(part -> part.seconds += seconds / sharers(device, parts.size()));
    }
  }

  /** One part uses no more than one processor. */
  private static double sharers(Device device, int parts) {
    return Math.max(Math.max(1, Math.floor(device.measures().cpuShare())), parts);
  }

  /** The devices that have the labels to read a table, for each that the parts are of. */
  private static Map<String, Map<String, Hand>> suiting(
      List<Fragment> parts, Map<String, Hand> hands) {
    Map<String, Map<String, Hand>> suiting = new TreeMap<>();
    for (Fragment part : parts) {
      suiting.computeIfAbsent(
          table(part),
          _ -> {
            Map<String, Hand> those = new TreeMap<>(hands);
            those.values().removeIf(hand -> !Labels.suits(part.job(), hand.device.labels()));
            return those;
          });
    }
    return suiting;
  }

  private static String table(Fragment part) {
    return part.dividedTable().orElseThrow();
  }

  /** A device that takes parts. */
  private static final class Hand {
    final Device device;
    final int slots;
    int running;

    Hand(Device device) {
      this.device = device;
      this.slots = slots(device);
    }

    String name() {
      return device.name();
    }

    /** While some of its parts are about to end. */
    int mostSlots() {
      return Math.min(2 * slots, MAX_SLOTS);
    }

    double sharers() {
      return PartDealer.sharers(device, running);
    }

    boolean isFit(TaskId part) {
      return device.measures().unfitFor(part).isEmpty();
    }
  }

  /** A part of a table that is to be done. */
  private record Open(TaskId id, String table, long bytes, long epoch, String device) {}

  /** One job's parts at one moment. */
  private final class Round {
    final String job;
    private final Map<String, Map<String, Hand>> suiting;
    private final Map<String, Hand> hands = new TreeMap<>();
    private final List<Command> commands;
    private final Map<String, Speed> known;
    private final List<Open> waiting = new ArrayList<>();
    private final List<Open> running = new ArrayList<>();

    /**
     * @param suiting the devices that may read a table, by table
     */
    Round(String job, Map<String, Map<String, Hand>> suiting, List<Command> commands) {
      this.job = job;
      this.suiting = suiting;
      suiting.values().forEach(hands::putAll);
      this.commands = commands;
      this.known = speeds.computeIfAbsent(job, _ -> new HashMap<>());
    }

    /** Sorts the parts, and learns from those that have ended. */
    void look(SiteState state, List<Fragment> parts, Set<String> keeping) {
      for (Fragment part : parts) {
        TaskId id = new TaskId(job, part.name());
        long bytes = part.part().orElseThrow().bytes();
        String table = table(part);
        Task task = state.task(id).orElse(null);
        if (task == null) {
          given.remove(id);
          waiting.add(new Open(id, table, bytes, 0, ""));
        } else if (task.ended()) {
          learn(id, bytes);
        } else if (keeping.contains(task.device()) && !isToLeave(state, table, task)) {
          running.add(new Open(id, table, bytes, task.epoch(), task.device()));
          given.putIfAbsent(id, new Given(task.device(), false));
          Hand hand = hands.get(task.device());
          if (hand != null) {
            hand.running++;
          }
        } else {
          given.remove(id);
          waiting.add(new Open(id, table, bytes, task.epoch(), ""));
        }
      }
    }

    /** Where all are unfit for it, it is tried again where it is. */
    private boolean isToLeave(SiteState state, String table, Task task) {
      return SiteModel.isUnfit(state, task)
          && suiting(table).stream().anyMatch(hand -> hand.isFit(task.id()));
    }

    private Collection<Hand> suiting(String table) {
      return suiting.getOrDefault(table, Map.of()).values();
    }

    /** Whether a device may take a part. */
    private boolean isFit(Hand hand, Open part) {
      return suiting.getOrDefault(part.table(), Map.of()).containsKey(hand.name())
          && hand.isFit(part.id());
    }

    private void learn(TaskId id, long bytes) {
      Given done = given.remove(id);
      if (done != null && done.whole) {
        Speed last = new Speed(bytes, Math.max(0.001, done.seconds));
        known.merge(done.device, last, (before, _) -> before.then(last));
      }
    }

    private OptionalDouble speed(Hand hand) {
      Speed speed = known.get(hand.name());
      return speed == null || speed.bytes() <= 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(speed.bytesPerSecond());
    }

    /** Bytes per second of one part among so many on a device. */
    private OptionalDouble speedOfOne(Hand hand, int beside) {
      OptionalDouble speed = speed(hand);
      return speed.isEmpty()
          ? speed
          : OptionalDouble.of(speed.getAsDouble() / sharers(hand.device, beside));
    }

    /** Whether it is to get another part now: a fast device has small ones done in no time. */
    private boolean isFree(Hand hand) {
      boolean hasSlot =
          hand.running < hand.slots
              || (hand.running < hand.mostSlots() && hand.running - ending(hand) < hand.slots);
      return hasSlot || (hand.running < SLOTS_AHEAD && secondsInHand(hand) < SECONDS_AHEAD);
    }

    /** How many parts of a device end before others could be begun, as far as is known. */
    private long ending(Hand hand) {
      return speed(hand).isEmpty()
          ? 0
          : runningOn(hand).filter(part -> left(part, 0) * hand.sharers() < SECONDS_AHEAD).count();
    }

    /** How long a device has to do with the parts that it has; for ever if that is not known. */
    private double secondsInHand(Hand hand) {
      return speed(hand).isEmpty()
          ? Double.POSITIVE_INFINITY
          : runningOn(hand).mapToDouble(part -> left(part, OVERDUE)).sum();
    }

    private Stream<Open> runningOn(Hand hand) {
      return running.stream().filter(part -> part.device().equals(hand.name()));
    }

    /** A device of which nothing is known gets a large part, and small ones beside it. */
    void give() {
      give(waiting, hand -> hand.running == 0 || speed(hand).isPresent());
      give(waiting.reversed(), hand -> speed(hand).isEmpty());
    }

    private void give(List<Open> parts, Predicate<Hand> whom) {
      for (Open part : parts) {
        if (given.containsKey(part.id())) {
          continue;
        }
        Optional<Hand> taker =
            hands.values().stream()
                .filter(this::isFree)
                .filter(whom)
                .filter(hand -> isFit(hand, part))
                .filter(hand -> isInTime(hand, part))
                .min(
                    Comparator.<Hand>comparingDouble(hand -> (double) hand.running / hand.slots)
                        .thenComparingDouble(hand -> -speed(hand).orElse(0)));
        if (taker.isPresent()) {
          assign(part, taker.get());
        } else if (hands.values().stream().noneMatch(this::isFree)) {
          return;
        }
      }
    }

    private void assign(Open part, Hand hand) {
      hand.running++;
      given.put(part.id(), new Given(hand.name(), part.epoch() == 0));
      running.add(new Open(part.id(), part.table(), part.bytes(), part.epoch(), hand.name()));
      commands.add(new Command.AssignTask(part.id(), hand.name(), part.epoch()));
    }

    /** Whether a device is done with a part before all is done, or as early as any other. */
    private boolean isInTime(Hand hand, Open part) {
      OptionalDouble own = speedOfOne(hand, hand.running + 1);
      if (own.isEmpty()) {
        return true;
      }
      double seconds = part.bytes() / own.getAsDouble();
      return seconds <= secondsLeft() || seconds <= earliest(hand, part);
    }

    /** Until everything is done, if all devices help. */
    private double secondsLeft() {
      double speed = hands.values().stream().mapToDouble(hand -> speed(hand).orElse(0)).sum();
      double bytes = 0;
      for (Open part : waiting) {
        bytes += given.containsKey(part.id()) ? 0 : part.bytes();
      }
      for (Open part : running) {
        bytes += part.bytes() * partLeft(part);
      }
      return bytes / speed;
    }

    /** When another device could be done with a part. */
    private double earliest(Hand hand, Open part) {
      double earliest = Double.MAX_VALUE;
      for (Hand other : hands.values()) {
        OptionalDouble speed = speedOfOne(other, Math.min(other.slots, other.running + 1));
        if (other != hand && isFit(other, part) && speed.isPresent()) {
          double free = other.running < other.slots ? 0 : leastLeft(other);
          earliest = Math.min(earliest, free + part.bytes() / speed.getAsDouble());
        }
      }
      return earliest;
    }

    private double leastLeft(Hand hand) {
      return runningOn(hand).mapToDouble(this::secondsLeft).min().orElse(0);
    }

    /** The share of its device's time that a running part had since this device leads. */
    private double had(Open part) {
      return Objects.requireNonNull(given.get(part.id())).seconds;
    }

    /** How long a running part takes on, as far as is known. */
    private double secondsLeft(Open part) {
      Hand hand = hands.get(part.device());
      return left(part, OVERDUE) * (hand == null ? 1 : hand.sharers());
    }

    /**
     * The share of its device's time that a running part takes on.
     *
     * @param overdue of what it had, what it takes on at least
     */
    private double left(Open part, double overdue) {
      Hand hand = hands.get(part.device());
      OptionalDouble speed = hand == null ? OptionalDouble.empty() : speed(hand);
      double had = had(part);
      // One that is not known to be done with any part has perhaps half of it behind it.
      return speed.isEmpty()
          ? had
          : Math.max(part.bytes() / speed.getAsDouble() - had, overdue * had);
    }

    private double partLeft(Open part) {
      double left = left(part, OVERDUE);
      double had = had(part);
      return left + had <= 0 ? 1 : left / (left + had);
    }

    /** Each idle device takes over a part that takes much longer where it is. */
    void takeOver() {
      if (waiting.stream().anyMatch(part -> !given.containsKey(part.id()))) {
        return;
      }
      for (Hand hand : hands.values()) {
        if (hand.running == 0) {
          ToDoubleFunction<Open> length = this::secondsLeft;
          running.stream()
              .filter(part -> !part.device().equals(hand.name()) && isFit(hand, part))
              .filter(part -> !takenOver.contains(part.id()) && part.epoch() != 0)
              .max(Comparator.comparingDouble(length))
              .ifPresent(part -> takeOver(part, hand));
        }
      }
    }

    private void takeOver(Open part, Hand hand) {
      OptionalDouble speed = speedOfOne(hand, 1);
      if (speed.isEmpty()) {
        return;
      }
      double there = secondsLeft(part);
      double here = part.bytes() * partLeft(part) / speed.getAsDouble() + TAKE_OVER_SECONDS;
      if (here < TAKE_OVER_GAIN * there) {
        @Nullable Hand before = hands.get(part.device());
        if (before != null) {
          before.running--;
        }
        takenOver.add(part.id());
        running.remove(part);
        assign(part, hand);
        log.add(
            Severity.INFO,
            part.id().toString(),
            "goes from %s to %s, which is idle and done with it in about %.0f s instead of %.0f s"
                .formatted(part.device(), hand.name(), here, there));
      }
    }
  }
}
