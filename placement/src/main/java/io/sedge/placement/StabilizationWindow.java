package io.sedge.placement;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
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

  /** Without a plan for so long, nobody knows whether a gain was there all the time. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(3);

  /** What rounding may make of equal sums. */
  private static final double EQUAL = 1e-9;

  /** The devices that a clear gain relieved. */
  private Set<String> clear = Set.of();

  private long clearNanos;

  /** The devices that each plan since would have relieved. */
  private final Set<String> waiting = new HashSet<>();

  private long waitingNanos;
  private long plannedNanos;

  /** What two plans are apart in. */
  private record Change(Set<String> relieved, boolean isClear) {
    static Change of(Plan still, Plan plan) {
      Map<String, Double> before =
          still.devices().stream().collect(toMap(DeviceLoad::device, DeviceLoad::busy));
      Set<String> relieved = new HashSet<>();
      double fullestBefore = 0;
      double fullest = 0;
      for (DeviceLoad device : plan.devices()) {
        double was = before.getOrDefault(device.device(), 0.0);
        if (Math.abs(device.busy() - was) > EQUAL * was) {
          fullestBefore = Math.max(fullestBefore, was);
          fullest = Math.max(fullest, device.busy());
          if (device.busy() < was) {
            relieved.add(device.device());
          }
        }
      }
      boolean isClear =
          (!relieved.isEmpty() && fullest <= (1 - CLEAR_GAIN) * fullestBefore)
              || plan.places().size() > still.places().size();
      return new Change(relieved, isClear);
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
    if (change.isClear()) {
      clear = change.relieved();
      clearNanos = nowNanos;
    }
    boolean due = clear.containsAll(change.relieved()) || hasLasted(change.relieved(), nowNanos);
    if (due) {
      waiting.clear();
    }
    return due;
  }

  private boolean hasLasted(Set<String> relieved, long nowNanos) {
    waiting.retainAll(relieved);
    if (waiting.isEmpty()) {
      waiting.addAll(relieved);
      waitingNanos = nowNanos;
    }
    return nowNanos - waitingNanos >= LENGTH.toNanos();
  }
}
