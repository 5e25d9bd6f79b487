package io.sedge.placement;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans a site again and again, and holds moves for balance back while their gain may be noise.
 * What is measured of devices and shards varies by some percent from one second to the next; where
 * shards are coarse, that is enough for one of two equal devices to look fuller than the other, and
 * a little later the other.
 *
 * <ul>
 *   <li>A gain of {@link #CLEAR_GAIN} is none of that, and is taken at once.
 *   <li>A smaller one is taken when each plan of the last {@link #LENGTH} relieves the same device.
 *       One that noise hides now and then may never be: it is that small.
 *   <li>Devices that were relieved for a clear gain need not wait for {@link #FOLLOW_UP}: what they
 *       can still do is known better by then.
 *   <li>A device that was filled and relieved again of late has a past ({@link Past}): when it is
 *       filled once more, relieving it must have been worth it for a minute however much it gains,
 *       then for two, up to {@link #LONGEST}. So machines with other work that comes and goes do
 *       not hand shards around.
 * </ul>
 *
 * <p>What is held back is the whole of a plan: until then shards that have to move go where they
 * should if no others did, and those that only balancing makes room for are not held back. The name
 * is that of the like in the Horizontal Pod Autoscaler of Kubernetes. Not thread-safe; its owner's
 * thread alone.
 */
public final class StabilizationWindow {
  /** The part by which the fullest of the devices that a change is about gets less full. */
  public static final double CLEAR_GAIN = 0.2;

  /** For so long a smaller gain must be there. */
  public static final Duration LENGTH = Duration.ofSeconds(30);

  /** For so long devices are relieved further. */
  public static final Duration FOLLOW_UP = Duration.ofSeconds(10);

  /** The longest that relieving a device must have been worth it. */
  public static final Duration LONGEST = Duration.ofMinutes(16);

  /** Without a plan for so long, nobody knows whether a gain was there all the time. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(3);

  /** What rounding may make of equal sums. */
  private static final double EQUAL = 1e-9;

  /** The devices that a clear gain relieved. */
  private Set<String> clear = Set.of();

  private long clearNanos;

  /** The devices that each plan would have relieved, and since when. */
  private final Map<String, Long> waiting = new HashMap<>();

  private long plannedNanos;

  /** The devices that were filled of late, by name. */
  private final Map<String, Past> pasts = new HashMap<>();

  /**
   * What became of a device that was filled. The idea is that of route flap damping (RFC 2439).
   *
   * @param isFilled whether it was not relieved since
   * @param holdNanos for how long its next relief must be worth it; 0 if it need not
   * @param sinceNanos when it was filled or relieved last, or the time above was last halved
   */
  private record Past(boolean isFilled, long holdNanos, long sinceNanos) {
    private static final long FIRST_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MEMORY_NANOS = Duration.ofMinutes(5).toNanos();

    Past filled(long nowNanos) {
      return new Past(true, holdNanos, nowNanos);
    }

    Past relieved(long nowNanos) {
      long next = Math.clamp(2 * holdNanos, FIRST_NANOS, LONGEST.toNanos());
      return new Past(false, isFilled ? next : holdNanos, nowNanos);
    }

    /** The same a while later; empty if nothing is left of it. */
    Optional<Past> at(long nowNanos) {
      if (nowNanos - sinceNanos <= Math.max(MEMORY_NANOS, 2 * holdNanos)) {
        return Optional.of(this);
      }
      return holdNanos > FIRST_NANOS
          ? Optional.of(new Past(isFilled, holdNanos / 2, nowNanos))
          : Optional.empty();
    }

    /** For how long relief must be worth it now. */
    long hold() {
      return isFilled ? holdNanos : 0;
    }
  }

  /**
   * What two plans are apart in.
   *
   * @param most the fullest of those that are relieved; empty if none is
   * @param isNeeded whether something runs nowhere without it
   */
  private record Change(
      Set<String> relieved, Set<String> filled, String most, boolean isClear, boolean isNeeded) {
    static Change of(Plan still, Plan plan) {
      Map<String, Double> before =
          still.devices().stream().collect(toMap(DeviceLoad::device, DeviceLoad::busy));
      Set<String> relieved = new HashSet<>();
      Set<String> filled = new HashSet<>();
      String most = "";
      double fullestBefore = 0;
      double fullest = 0;
      for (DeviceLoad device : plan.devices()) {
        double was = before.getOrDefault(device.device(), 0.0);
        if (Math.abs(device.busy() - was) > EQUAL * was) {
          if (device.busy() < was && (most.isEmpty() || was > before.getOrDefault(most, 0.0))) {
            most = device.device();
          }
          fullestBefore = Math.max(fullestBefore, was);
          fullest = Math.max(fullest, device.busy());
          (device.busy() < was ? relieved : filled).add(device.device());
        }
      }
      boolean isClear = !relieved.isEmpty() && fullest <= (1 - CLEAR_GAIN) * fullestBefore;
      boolean isNeeded = plan.places().size() > still.places().size();
      return new Change(relieved, filled, most, isClear, isNeeded);
    }
  }

  /**
   * The plan for a site as it is now; asked for about once a second.
   *
   * @param nowNanos a monotonic clock
   */
  public Plan plan(Site site, Policy policy, long nowNanos) {
    if (nowNanos - plannedNanos > LONGEST_GAP.toNanos()) {
      waiting.clear();
    }
    plannedNanos = nowNanos;
    Plan plan = Placement.plan(site, policy);
    if (plan.moves().stream().noneMatch(move -> move.reason() == Move.Reason.BALANCE)) {
      waiting.clear();
      return plan;
    }
    Plan still = Placement.plan(site, policy.still());
    return isDue(Change.of(still, plan), nowNanos) ? plan : still;
  }

  private boolean isDue(Change change, long nowNanos) {
    if (nowNanos - clearNanos > FOLLOW_UP.toNanos()) {
      clear = Set.of();
    }
    forget(nowNanos);
    long hold = change.isNeeded() ? 0 : hold(change.most());
    if (change.isNeeded() || (change.isClear() && hold == 0)) {
      clear = change.relieved();
      clearNanos = nowNanos;
    }
    boolean due =
        (hold == 0 && clear.containsAll(change.relieved())) || hasLasted(change, hold, nowNanos);
    if (due) {
      waiting.clear();
      for (String device : change.relieved()) {
        pasts.computeIfPresent(device, (_, past) -> past.relieved(nowNanos));
      }
      for (String device : change.filled()) {
        pasts.merge(device, new Past(true, 0, nowNanos), (past, _) -> past.filled(nowNanos));
      }
    }
    return due;
  }

  private void forget(long nowNanos) {
    for (String device : List.copyOf(pasts.keySet())) {
      pasts.computeIfPresent(device, (_, past) -> past.at(nowNanos).orElse(null));
    }
  }

  private long hold(String device) {
    Past past = pasts.get(device);
    return past == null ? 0 : past.hold();
  }

  private boolean hasLasted(Change change, long hold, long nowNanos) {
    waiting.keySet().retainAll(change.relieved());
    change.relieved().forEach(device -> waiting.putIfAbsent(device, nowNanos));
    long since =
        hold > 0
            ? waiting.getOrDefault(change.most(), nowNanos)
            : waiting.values().stream().mapToLong(Long::longValue).min().orElse(nowNanos);
    return nowNanos - since >= Math.max(hold, LENGTH.toNanos());
  }
}
