package io.sedge.placement;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds moves for balance back while their gain may be noise. What is measured of devices and
 * shards varies by some percent from one second to the next; where shards are coarse, that is
 * enough for one of two equal devices to look fuller than the other, and a little later the other.
 *
 * <ul>
 *   <li>A gain of {@link #CLEAR_GAIN} is none of that, and its moves are due at once.
 *   <li>A smaller one is due when all plans of the last {@link #LENGTH} relieve the same device.
 *   <li>Devices that were relieved for a clear gain need not wait for {@link #FOLLOW_UP}: what they
 *       can still do is known better by then.
 * </ul>
 *
 * <p>Shards that have to move never wait. The name is that of the like in the Horizontal Pod
 * Autoscaler of Kubernetes. Not thread-safe; its owner's thread alone.
 */
public final class StabilizationWindow {
  /** The part of the makespan that a change saves. */
  public static final double CLEAR_GAIN = 0.2;

  /** For so long a smaller gain must be there. */
  public static final Duration LENGTH = Duration.ofSeconds(30);

  /** For so long devices are relieved further. */
  public static final Duration FOLLOW_UP = Duration.ofSeconds(10);

  /** The devices that a clear gain relieved. */
  private Set<String> clear = Set.of();

  private long clearNanos;

  /** The devices that each plan since would have relieved. */
  private final Set<String> waiting = new HashSet<>();

  private long waitingNanos;

  /**
   * What is to be moved now.
   *
   * @param plan of the site as it is now; asked for about once a second
   * @param nowNanos a monotonic clock
   */
  public List<Move> due(Plan plan, long nowNanos) {
    Set<String> relieved =
        plan.moves().stream()
            .filter(StabilizationWindow::isForBalance)
            .map(Move::from)
            .collect(Collectors.toSet());
    if (nowNanos - clearNanos > FOLLOW_UP.toNanos()) {
      clear = Set.of();
    }
    if (plan.gain() >= CLEAR_GAIN) {
      clear = relieved;
      clearNanos = nowNanos;
    }
    if (clear.containsAll(relieved) || hasLasted(relieved, nowNanos)) {
      waiting.clear();
      return plan.moves();
    }
    return plan.moves().stream().filter(move -> !isForBalance(move)).toList();
  }

  private static boolean isForBalance(Move move) {
    return move.reason() == Move.Reason.BALANCE;
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
