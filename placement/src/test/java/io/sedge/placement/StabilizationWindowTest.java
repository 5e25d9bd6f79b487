package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Moves that gain little wait until it is certain that they gain anything. */
class StabilizationWindowTest {
  private static final long SECOND = 1_000_000_000;
  private static final Move A_TO_B = move("1", "a", "b", Move.Reason.BALANCE);
  private static final Move B_TO_A = move("2", "b", "a", Move.Reason.BALANCE);
  private static final Move FROM_C = move("3", "c", "a", Move.Reason.GONE);

  private final StabilizationWindow window = new StabilizationWindow();

  @Test
  void aClearGainDoesNotWait() {
    assertThat(window.due(plan(0.25, A_TO_B), SECOND)).containsExactly(A_TO_B);
  }

  @Test
  void aSmallGainIsDueWhenItHasBeenThereForLong() {
    for (int second = 0; second < 30; second++) {
      assertThat(window.due(plan(0.08, A_TO_B), second * SECOND)).as("second %d", second).isEmpty();
    }
    assertThat(window.due(plan(0.08, A_TO_B), 30 * SECOND)).containsExactly(A_TO_B);
    assertThat(window.due(plan(0.08, B_TO_A), 31 * SECOND)).isEmpty();
  }

  @Test
  void aGainThatComesAndGoesIsNeverDue() {
    for (int second = 0; second < 600; second++) {
      Plan plan = second % 25 == 0 ? plan(0) : plan(0.1, A_TO_B);
      assertThat(window.due(plan, second * SECOND)).as("second %d", second).isEmpty();
    }
  }

  @Test
  void aGainNowOfOneDeviceAndThenOfAnotherIsNeverDue() {
    for (int second = 0; second < 600; second++) {
      Plan plan = plan(0.1, second / 20 % 2 == 0 ? A_TO_B : B_TO_A);
      assertThat(window.due(plan, second * SECOND)).as("second %d", second).isEmpty();
    }
  }

  @Test
  void whatHasToMoveDoesNotWaitForWhatNeedNot() {
    assertThat(window.due(plan(0.1, A_TO_B, FROM_C), SECOND)).containsExactly(FROM_C);
  }

  @Test
  void aDeviceWithAClearGainIsRelievedFurtherForAWhile() {
    window.due(plan(0.5, A_TO_B), SECOND);
    assertThat(window.due(plan(0.06, A_TO_B), 11 * SECOND)).containsExactly(A_TO_B);
    assertThat(window.due(plan(0.06, B_TO_A), 11 * SECOND)).isEmpty();
    assertThat(window.due(plan(0.06, A_TO_B), 12 * SECOND)).isEmpty();
  }

  /** Eleven equal shards on two equal devices: one has six, and noise says which is worse. */
  @Test
  void theOddShardOfTwoEqualDevicesStaysWhereItIs() {
    assertThat(oddShardMoves(false)).as("without the window").isGreaterThan(20);
    assertThat(oddShardMoves(true)).isZero();
  }

  /** In ten minutes, if what is measured of each device varies by 8 % each few seconds. */
  private int oddShardMoves(boolean stabilized) {
    SplittableRandom random = new SplittableRandom(1);
    List<Shard> shards =
        IntStream.range(0, 11)
            .mapToObj(s -> new Shard(Sites.id(s), Sites.ALGORITHM, 1_000, 0, Map.of(), 0, 0))
            .toList();
    Map<ShardId, String> running = new HashMap<>();
    shards.forEach(shard -> running.put(shard.id(), running.size() < 6 ? "a" : "b"));
    int moves = 0;
    double speedOfA = 0;
    double speedOfB = 0;
    for (int second = 0; second < 600; second++) {
      if (second % 5 == 0) {
        speedOfA = 7_000 * Math.exp(0.08 * random.nextGaussian());
        speedOfB = 7_000 * Math.exp(0.08 * random.nextGaussian());
      }
      List<Device> devices =
          List.of(
              Device.of("a", Sites.ALGORITHM, speedOfA), Device.of("b", Sites.ALGORITHM, speedOfB));
      Plan plan = Placement.plan(new Site(devices, shards, running), Policy.forStreams());
      for (Move move : stabilized ? window.due(plan, second * SECOND) : plan.moves()) {
        running.put(move.shard(), move.to());
        moves++;
      }
    }
    return moves;
  }

  private static Move move(String shard, String from, String to, Move.Reason reason) {
    return new Move(new ShardId("job", shard), from, to, reason, 3);
  }

  private static Plan plan(double gain, Move... moves) {
    return new Plan(Map.of(), List.of(moves), List.of(), List.of(), 1 - gain, 1, 0.5);
  }
}
