package io.sedge.placement.internal;

import java.util.Arrays;

/**
 * Takes shards from the fullest device, one by one or in exchange for smaller ones, until the
 * makespan is at its target or nothing helps.
 *
 * <p>Idea: of all moves that leave the two devices less busy than the fullest was, take the one
 * that relieves it most for its price; if there is none, the best exchange of two shards; if there
 * is none either, leave that device and go on with the next fullest, which may make room for the
 * first. Each step makes the levels, sorted from the fullest, lexicographically smaller, so it
 * ends; it ends sooner at {@value #MOST_TRIALS} trials. Moves that turn out not to be needed are
 * taken back by {@link #undoNeedless}.
 */
final class LocalSearch {
  /** How many moves and exchanges are tried in one search; some 10 ms. */
  static final int MOST_TRIALS = 1_500_000;

  private static final double PROGRESS = 1e-9;
  private static final double MOVE_ITSELF = 0.01; // seconds; makes one large move beat two small

  private final Assignment assignment;
  private final Instance instance;
  private final boolean[] open;
  private final boolean[] free;
  private final double target;
  private final double secondsPerRelief;
  private final boolean[] stuck;
  private boolean freeOnly;
  private int trials;

  private double bestScore;
  private double bestRelief;
  private double bestPeak;
  private int bestGiven;
  private int bestTaken;
  private int bestTo;

  /**
   * A search among the open devices.
   *
   * @param open devices that may give and take
   * @param free shards that move at no price: they run nowhere yet, or must move anyway
   * @param target a makespan that will do
   * @param secondsPerRelief relief times this must be at least the price of a move; 0: any price
   */
  LocalSearch(
      Assignment assignment,
      boolean[] open,
      boolean[] free,
      double target,
      double secondsPerRelief) {
    this.assignment = assignment;
    instance = assignment.instance;
    this.open = open;
    this.free = free;
    this.target = target;
    this.secondsPerRelief = secondsPerRelief;
    stuck = new boolean[open.length];
  }

  /** Moves all shards, or only the free ones. */
  void run(boolean onlyFree) {
    freeOnly = onlyFree;
    while (trials < MOST_TRIALS) {
      int from = fullest();
      if (from < 0 || assignment.level(from) <= target) {
        break;
      }
      bestScore = 0;
      bestRelief = 0;
      bestGiven = Instance.NOWHERE;
      bestTaken = Instance.NOWHERE;
      tryMoves(from);
      if (bestGiven == Instance.NOWHERE) {
        trySwaps(from);
      }
      if (bestGiven == Instance.NOWHERE) {
        stuck[from] = true;
      } else {
        step(from);
      }
    }
    assignment.settleLevels();
  }

  private void step(int from) {
    if (bestTaken != Instance.NOWHERE) {
      assignment.remove(bestTaken);
    }
    assignment.move(bestGiven, bestTo);
    if (bestTaken != Instance.NOWHERE) {
      assignment.put(bestTaken, from);
    }
    Arrays.fill(stuck, false);
  }

  private int fullest() {
    int fullest = -1;
    for (int d = 0; d < stuck.length; d++) {
      boolean candidate = open[d] && !stuck[d] && assignment.count(d) > 0;
      if (candidate && (fullest < 0 || assignment.level(d) > assignment.level(fullest))) {
        fullest = d;
      }
    }
    return fullest;
  }

  private void tryMoves(int from) {
    for (int k = 0; k < assignment.count(from); k++) {
      int shard = assignment.member(from, k);
      if (movable(shard)) {
        double rest = assignment.level(from) - instance.time(shard, from);
        for (int to = 0; to < stuck.length; to++) {
          if (to != from && open[to] && assignment.fits(shard, to)) {
            double there = assignment.level(to) + instance.time(shard, to);
            propose(from, shard, Instance.NOWHERE, to, Math.max(rest, there), there);
          }
        }
        trials += stuck.length;
      }
    }
  }

  /** With the emptiest devices first, until one exchange relieves the device by half or more. */
  private void trySwaps(int from) {
    double enough = (assignment.level(from) - target) / 2;
    boolean[] tried = new boolean[stuck.length];
    tried[from] = true;
    for (int to = emptiest(tried); to >= 0; to = emptiest(tried)) {
      tried[to] = true;
      for (int k = 0; k < assignment.count(from); k++) {
        int given = assignment.member(from, k);
        if (movable(given) && instance.mayTake(given, to)) {
          trySwaps(from, given, to);
        }
      }
      if (bestRelief >= enough) {
        break;
      }
    }
  }

  private int emptiest(boolean[] without) {
    int emptiest = -1;
    for (int d = 0; d < without.length; d++) {
      boolean candidate = open[d] && !without[d];
      if (candidate && (emptiest < 0 || assignment.level(d) < assignment.level(emptiest))) {
        emptiest = d;
      }
    }
    return emptiest;
  }

  private void trySwaps(int from, int given, int to) {
    double fromRest = assignment.level(from) - instance.time(given, from);
    double toFull = assignment.level(to) + instance.time(given, to);
    long fromFree = assignment.free(from) + instance.memory(given);
    long toFree = assignment.free(to) - instance.memory(given);
    for (int k = 0; k < assignment.count(to); k++) {
      int taken = assignment.member(to, k);
      double there = toFull - instance.time(taken, to);
      double peak = Math.max(fromRest + instance.time(taken, from), there);
      if (peak < assignment.level(from)
          && movable(taken)
          && instance.mayTake(taken, from)
          && instance.memory(taken) <= fromFree
          && toFree + instance.memory(taken) >= 0) {
        propose(from, given, taken, to, peak, there);
      }
    }
    trials += assignment.count(to);
  }

  private void propose(int from, int given, int taken, int to, double peak, double there) {
    double level = assignment.level(from);
    double relief = level - peak;
    if (relief <= PROGRESS * level) {
      return;
    }
    double price = price(given, to) + (taken == Instance.NOWHERE ? 0 : price(taken, from));
    if (secondsPerRelief > 0 && relief * secondsPerRelief < price) {
      return;
    }
    double needed = Math.min(relief, level - target);
    double score = needed / (MOVE_ITSELF + Math.max(0, price));
    boolean better = score > bestScore * (1 + PROGRESS);
    boolean same = !better && score >= bestScore * (1 - PROGRESS);
    if (better || (same && there < bestPeak)) {
      bestScore = score;
      bestRelief = relief;
      bestPeak = there;
      bestGiven = given;
      bestTaken = taken;
      bestTo = to;
    }
  }

  private boolean movable(int shard) {
    return !freeOnly || free[shard];
  }

  /** What the move adds to the price of all moves; less than 0 if it goes home. */
  private double price(int shard, int to) {
    int home = instance.home[shard];
    if (free[shard] || home == Instance.NOWHERE) {
      return 0;
    }
    if (to == home) {
      return -instance.price[shard];
    }
    return assignment.at(shard) == home ? instance.price[shard] : 0;
  }

  /** Lets shards go home, dearest first, where that leaves no device above the limit. */
  void undoNeedless(double limit) {
    Integer[] order = new Integer[instance.shards.size()];
    Arrays.setAll(order, s -> s);
    Arrays.sort(
        order,
        (a, b) -> {
          int byPrice = Double.compare(instance.price[b], instance.price[a]);
          return byPrice != 0 ? byPrice : Integer.compare(a, b);
        });
    for (int shard : order) {
      int home = instance.home[shard];
      boolean moved =
          home != Instance.NOWHERE && assignment.isPlaced(shard) && assignment.at(shard) != home;
      if (moved
          && open[home]
          && open[assignment.at(shard)]
          && assignment.fits(shard, home)
          && assignment.level(home) + instance.time(shard, home) <= limit) {
        assignment.move(shard, home);
      }
    }
    assignment.settleLevels();
  }
}
